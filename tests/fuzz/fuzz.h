/*
 * fuzz.h - what targets of fuzzing share.
 *
 * A target is LLVMFuzzerTestOneInput(): it takes any bytes, and stops the
 * process by CHECK() where a promise is broken.  With libFuzzer it makes up its
 * inputs; with replay.c it is a test that goes through those of corpus/NAME.
 */
#ifndef TT_FUZZ_H
#define TT_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *ptr, size_t len);

#define CHECK(condition)                                                       \
    do {                                                                       \
        if (!(condition)) {                                                    \
            (void)fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,           \
                          #condition);                                         \
            abort();                                                           \
        }                                                                      \
    } while (0)

/* Nothing is left to chance: set where inputs are few. */
extern bool fuzz_thorough;

/* A name for a file of this process, where that is in memory if possible;
 * `kind` tells those of one target apart. */
const char *fuzz_path(int kind);

/* A file of these bytes, or all bytes of one, to be freed. */
void fuzz_write(const char *path, const void *ptr, size_t len);
unsigned char *fuzz_read(const char *path, size_t *len);

/* Asks everything that can be asked of an open index: all tables, elements,
 * arguments, searches, export.  Answers do not matter, only that there are
 * some.  False: one was that the index is damaged. */
struct t2t_index;
bool fuzz_ask(const struct t2t_index *index);

#endif
