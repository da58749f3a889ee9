#include "record/checksum.h"

void pc_checksum_begin(pc_checksum *sum)
{
  for (unsigned i = 0; i < 256; i++) {
    uint64_t rest = i;
    for (int bit = 0; bit < 8; bit++)
      rest = (rest & 1) ? (rest >> 1) ^ UINT64_C(0xC96C5795D7870F42) : rest >> 1;
    sum->table[i] = rest;
  }
  sum->value = ~UINT64_C(0);
}

void pc_checksum_add(pc_checksum *sum, const void *data, size_t size)
{
  const unsigned char *bytes = data;
  uint64_t value = sum->value;
  for (size_t i = 0; i < size; i++)
    value = sum->table[(value ^ bytes[i]) & 255] ^ (value >> 8);
  sum->value = value;
}
