// How what a record holds is protected against damage: every dataset has a checksum of its content.
//
// Chunks have HDF5's own (Fletcher32), which every reader of HDF5 checks. Small arrays and texts
// are in the header of their dataset, whose checksum covers them too. What fits in neither, a long
// text, has the attribute `checksum`: the CRC-64 of its bytes.
#ifndef PERCUSS_RECORD_PROTECTION_H
#define PERCUSS_RECORD_PROTECTION_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>

enum { PC_MOST_IN_HEADER = 1 << 15 }; // bytes; HDF5 allows almost twice as many

// Chunks of these sizes, with their checksums; call it after other filters are set.
void pc_protect_chunks(hid_t list, int rank, const hsize_t *chunk);
// Puts small data into the header. False: there is no room for it.
bool pc_protect_small(hid_t list, size_t bytes);
// Adds the attribute.
bool pc_protect_with_sum(hid_t dataset, const void *bytes, size_t size);

// Whether the bytes of a dataset have the sum that it says; true also if it says none.
bool pc_protection_agrees(hid_t dataset, const void *bytes, size_t size);
// Whether a dataset has a checksum. Records of earlier versions have none where numbers are not
// compressed.
bool pc_protection_exists(hid_t dataset);

#endif
