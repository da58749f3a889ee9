// What the fuzz targets share. A target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput: clang's
// libFuzzer calls it with bytes of its own making (`make fuzz`), replay.c with those of files (the
// tests). Whatever the bytes are, a target must come back: no crash, no leak, no long wait.
#ifndef PERCUSS_TESTS_FUZZ_H
#define PERCUSS_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The bytes as a file with this name for every fopen of the library, until the next call; nothing
// touches the disk. What follows the first form feed is what every other name gives, so that a file
// may name others; without one there are no others. Gives the name back.
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);
// The same without others, for bytes of any kind.
const char *fuzz_whole_file(const char *name, const uint8_t *data, size_t size);
// The bytes as a text with zero at its end, which the caller frees.
char *fuzz_text(const uint8_t *data, size_t size);
// The bytes as a real file (in memory, under /dev/shm) until the next call, for what opens it by
// other means; its path.
const char *fuzz_real_file(const uint8_t *data, size_t size);

#endif
