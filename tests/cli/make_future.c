/* make_future.c - make_future INDEX OUT: the index as a later minor version
 * may write it. */
#include <stdio.h>

#include "unit/future.h"

/* The bytes of a file, to be freed, or NULL. */
static unsigned char *read_all(const char *path, size_t *len)
{
    FILE *f = fopen(path, "rb");
    unsigned char *ptr = NULL;
    long size;

    if (!f)
        return NULL;
    if (!fseek(f, 0, SEEK_END) && (size = ftell(f)) > 0) {
        rewind(f);
        *len = (size_t)size;
        ptr = malloc(*len);
        if (ptr && fread(ptr, 1, *len, f) != *len) {
            free(ptr);
            ptr = NULL;
        }
    }
    (void)fclose(f);
    return ptr;
}

int main(int argc, char **argv)
{
    size_t len = 0;
    unsigned char *ptr = argc == 3 ? read_all(argv[1], &len) : NULL;
    unsigned char *future = ptr ? make_future(ptr, len, &len) : NULL;
    FILE *f = future ? fopen(argv[2], "wb") : NULL;
    int status = f ? 0 : 1;

    if (f) {
        status |= fwrite(future, 1, len, f) != len;
        status |= fclose(f) != 0;
    }
    free(future);
    free(ptr);
    return status;
}
