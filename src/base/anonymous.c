/* anonymous.c - finds paths, and knows harmless members. */
#include "base/anonymous.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(*(table)))

/* All others, such as username, hostname, traceName, trace_id, metadata or the
 * lines of a log, become null. */
static const char *const harmless[] = {
    "baseTimeNanoseconds", "cuda_driver_version", "cuda_runtime_version",
    "cupti_version",       "deviceProperties",    "displayTimeUnit",
    "distributedInfo",     "hip_driver_version",  "hip_runtime_version",
    "profile_memory",      "record_shapes",       "roctracer_version",
    "schemaVersion",       "with_flops",          "with_modules",
    "with_stack",
};

static const char *const homes[] = {"/home/", "/Users/", "/export/home/"};

/* A text that is looked at. */
struct text {
    const char *ptr;
    size_t len;
};

static bool is_word(char c)
{
    return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
           c == '_' || c == '.' || c == '-' || (c & 0x80);
}

/* Whether a path goes on with it; separators aside. */
static bool is_inner(char c)
{
    return (unsigned char)c > ' ' && c != 0x7f &&
           !strchr("\"'`,;:()[]{}<>|&=/\\", c);
}

/* The separator at `at`: its bytes, 0 for none.  In JSON a backslash is two. */
static size_t separator(struct text t, size_t at, bool drive)
{
    if (at < t.len && t.ptr[at] == '/')
        return 1;
    if (!drive || at >= t.len || t.ptr[at] != '\\')
        return 0;
    return at + 1 < t.len && t.ptr[at + 1] == '\\' ? 2 : 1;
}

/* The bytes before the first separator of a path at `at`: 0, or those of "~",
 * "~me" or "C:".  False: no path begins there. */
static bool begins(struct text t, size_t at, size_t *before, bool *drive)
{
    *before = 0;
    *drive = false;
    if (at && (is_word(t.ptr[at - 1]) || strchr("/\\)]>*", t.ptr[at - 1])))
        return false;
    if (t.ptr[at] == '~') {
        do
            ++*before;
        while (at + *before < t.len && is_inner(t.ptr[at + *before]));
    } else if (at + 1 < t.len && t.ptr[at + 1] == ':' &&
               (t.ptr[at] | 32) >= 'a' && (t.ptr[at] | 32) <= 'z') {
        *before = 2;
        *drive = true;
    }
    return separator(t, at + *before, *drive) > 0;
}

/* Whether nothing but the name of a user is behind the folders. */
static bool is_home(const char *path, size_t folders)
{
    for (size_t i = 0; i < COUNT(homes); i++)
        if (folders == strlen(homes[i]) && !memcmp(path, homes[i], folders))
            return true;
    return false;
}

/* The bytes of the folders of a path at `at`, and those of all of it; false:
 * there is none. */
static bool measure(struct text t, size_t at, size_t *folders, size_t *all)
{
    size_t names = 0;
    size_t end;
    size_t step;
    bool drive;

    if (!begins(t, at, &end, &drive))
        return false;
    *folders = 0;
    end += at;
    while ((step = separator(t, end, drive))) {
        size_t next = end + step;

        if (next >= t.len || !is_inner(t.ptr[next]))
            break; /* nothing is behind it */
        *folders = next - at;
        for (end = next; end < t.len && is_inner(t.ptr[end]);)
            end++;
        names++;
    }
    *all = end - at;
    return names > 1 || (names && (drive || t.ptr[at] == '~'));
}

bool tt_anonymous_text(const char *ptr, size_t len, struct tt_buffer *out)
{
    struct text t = {ptr, len};
    size_t kept = 0;
    size_t at = 0;
    bool any = false;

    tt_buffer_clear(out);
    if (!memchr(ptr, '/', len) && !memchr(ptr, '\\', len))
        return false;
    while (at < len) {
        size_t folders, all;

        if (!measure(t, at, &folders, &all)) {
            at++;
            continue;
        }
        tt_buffer_add(out, ptr + kept, at - kept);
        tt_buffer_add(out, "_/", 2);
        any = true;
        kept = at + folders;
        at += all;
        if (is_home(ptr + kept - folders, folders)) {
            tt_buffer_add(out, "_", 1);
            kept = at;
        }
    }
    if (any)
        tt_buffer_add(out, ptr + kept, len - kept);
    return any;
}

bool tt_anonymous_keeps(const char *key, size_t len)
{
    for (size_t i = 0; i < COUNT(harmless); i++)
        if (strlen(harmless[i]) == len && !memcmp(harmless[i], key, len))
            return true;
    return false;
}
