// Types of numbers in HDF5 and the name of the format, shared by writing and reading.
#ifndef PERCUSS_RECORD_TYPES_H
#define PERCUSS_RECORD_TYPES_H

#include <hdf5.h>

#include "record/record.h"

#define PC_RECORD_FORMAT "percuss-run 1"

bool pc_record_type_known(pc_record_type type);
size_t pc_record_type_size(pc_record_type type);  // as stored
hid_t pc_record_type_stored(pc_record_type type); // little-endian on every machine
hid_t pc_record_type_native(pc_record_type type); // as it lies in memory; float for floats

// Whether a dataset lies inside the file. HDF5 trusts the sizes in a damaged file and reads beyond
// its end, and a dataset may refer to any other file. Chunks are checked by HDF5.
bool pc_record_is_stored(hid_t dataset);

// Where the numbers of a dataset begin that is stored in one piece, as one chunk or without chunks;
// HADDR_UNDEF: no such address.
haddr_t pc_hdf5_address(hid_t dataset);

// Closes a dataset, space, type, list or attribute; nothing if it is not open (negative).
void pc_hdf5_close(hid_t id);

// Chooses a chunk of at most so many bytes: the last dimensions whole, the others as far as they
// fit.
void pc_record_chunk(int rank, const hsize_t *size, size_t number_bytes, size_t most,
                     hsize_t *chunk);

#endif
