// CRC-64 of ECMA-182, bits reflected: finds every error of up to 64 bits in a row.
#ifndef PERCUSS_RECORD_CHECKSUM_H
#define PERCUSS_RECORD_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct pc_checksum {
  uint64_t table[256], value; // the sum is ~value
} pc_checksum;

void pc_checksum_begin(pc_checksum *sum);
void pc_checksum_add(pc_checksum *sum, const void *data, size_t size);

#endif
