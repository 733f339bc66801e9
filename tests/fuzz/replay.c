/* replay.c - a test that gives a target each file of its corpus; TAP.
 *
 *     replay_NAME [FILE|FOLDER]...     default: the folder of that corpus
 */
#include "fuzz.h"

#include <dirent.h>
#include <sys/stat.h>

#define PATH_MAX_BYTES 4096

static unsigned tried;

static void try_path(const char *path)
{
    struct dirent **entry;
    struct stat st;
    unsigned char *ptr;
    size_t len;
    int count;

    CHECK(!stat(path, &st));
    if (!S_ISDIR(st.st_mode)) {
        ptr = fuzz_read(path, &len);
        (void)LLVMFuzzerTestOneInput(ptr, len);
        free(ptr);
        tried++;
        return;
    }
    count = scandir(path, &entry, NULL, alphasort);
    CHECK(count >= 0);
    for (int i = 0; i < count; i++) {
        char inner[PATH_MAX_BYTES];

        (void)snprintf(inner, sizeof(inner), "%s/%s", path, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.')
            try_path(inner);
        free(entry[i]);
    }
    free(entry);
}

/* The corpus of the program replay_NAME. */
static void try_corpus(const char *program)
{
    const char *top = getenv("top_srcdir");
    const char *name = strstr(program, "replay_");
    char path[PATH_MAX_BYTES];

    CHECK(name);
    while (strstr(name + 1, "replay_"))
        name = strstr(name + 1, "replay_");
    (void)snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/%s",
                   top ? top : ".", name + strlen("replay_"));
    try_path(path);
}

int main(int argc, char **argv)
{
    fuzz_thorough = true;
    for (int i = 1; i < argc; i++)
        try_path(argv[i]);
    if (argc < 2)
        try_corpus(argv[0]);
    CHECK(tried);
    (void)printf("ok 1 - %u inputs\n1..1\n", tried);
    return 0;
}
