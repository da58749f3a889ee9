// What the fuzz targets share. A target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput: clang's
// libFuzzer calls it with bytes of its own making (`make fuzz`), replay.c with those of files (the
// tests). Whatever the bytes are, a target must come back: no crash, no leak, no long wait.
#ifndef PERCUSS_TESTS_FUZZ_H
#define PERCUSS_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The bytes as a file in memory with this ending (".stl"), until the next call; its path.
const char *fuzz_file(const uint8_t *data, size_t size, const char *ending);
// The bytes as a text with zero at its end, which the caller frees.
char *fuzz_text(const uint8_t *data, size_t size);

#endif
