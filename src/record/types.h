// What record and reading share: the types of numbers in HDF5, and the name of the format.
#ifndef PERCUSS_RECORD_TYPES_H
#define PERCUSS_RECORD_TYPES_H

#include <hdf5.h>

#include "record/record.h"

#define PC_RECORD_FORMAT "percuss-run 1"

bool pc_record_type_known(pc_record_type type);
size_t pc_record_type_size(pc_record_type type);  // as stored
hid_t pc_record_type_stored(pc_record_type type); // little-endian on every machine
hid_t pc_record_type_native(pc_record_type type); // as it lies in memory; float for floats

// Whether the file has what a dataset promises, and itself. HDF5 trusts the sizes in a damaged file
// and reads beyond what is there; and a dataset may lie in any other file of the machine. Of chunks
// nothing is said: HDF5 checks these.
bool pc_record_is_stored(hid_t dataset);

// A chunk of at most so many bytes: the last dimensions whole, the others as far as they fit.
void pc_record_chunk(int rank, const hsize_t *size, size_t number_bytes, size_t most,
                     hsize_t *chunk);

#endif
