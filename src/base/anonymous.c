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
    bool is_json; /* compact: a backslash begins an escape */
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

/* The character at `at`, of those of UTF-8 a byte: what it is here, and its
 * bytes.  Of escapes only backslashes, quotes and what is no ASCII matter. */
static size_t look(struct text t, size_t at, char *what)
{
    size_t left = t.len - at;

    *what = t.ptr[at];
    if (!t.is_json || *what != '\\' || left < 2)
        return 1;
    *what = t.ptr[at + 1];
    if (*what == '\\' || *what == '"')
        return 2;
    if (*what != 'u' || left < 6) {
        *what = '\n';
        return 2;
    }
    *what = (t.ptr[at + 2] | 32) == 'd' ? '\x80' : '\n';
    return 6;
}

/* How many bytes from `at` on are the inside of a path; separators aside. */
static size_t inner_bytes(struct text t, size_t at)
{
    size_t end = at;

    while (end < t.len) {
        char what;
        size_t bytes = look(t, end, &what);

        if (!is_inner(what))
            break;
        end += bytes;
    }
    return end - at;
}

/* The separator at `at`: its bytes, 0 for none.  Two backslashes are one. */
static size_t separator(struct text t, size_t at, bool drive)
{
    size_t bytes;
    char what;

    if (at >= t.len)
        return 0;
    bytes = look(t, at, &what);
    if (what == '/')
        return bytes;
    if (!drive || what != '\\')
        return 0;
    if (at + bytes < t.len) {
        size_t more = look(t, at + bytes, &what);

        bytes += what == '\\' ? more : 0;
    }
    return bytes;
}

/* The bytes before the first separator of a path at `at`, behind a character
 * `before`, which is NUL at the beginning: 0, or those of "~", "~me" or "C:".
 * False: no path begins there. */
static bool begins(struct text t, size_t at, char before, size_t *bytes,
                   bool *drive)
{
    *bytes = 0;
    *drive = false;
    if (before && (is_word(before) || strchr("/\\)]>*", before)))
        return false;
    if (t.ptr[at] == '~') {
        *bytes = 1 + inner_bytes(t, at + 1);
    } else if (at + 1 < t.len && t.ptr[at + 1] == ':' &&
               (t.ptr[at] | 32) >= 'a' && (t.ptr[at] | 32) <= 'z') {
        *bytes = 2;
        *drive = true;
    }
    return separator(t, at + *bytes, *drive) > 0;
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
static bool measure(struct text t, size_t at, char before, size_t *folders,
                    size_t *all)
{
    size_t names = 0;
    size_t end;
    size_t step;
    bool drive;

    if (!begins(t, at, before, &end, &drive))
        return false;
    *folders = 0;
    end += at;
    while ((step = separator(t, end, drive))) {
        size_t name = inner_bytes(t, end + step);

        if (!name)
            break; /* nothing is behind it */
        *folders = end + step - at;
        end += step + name;
        names++;
    }
    *all = end - at;
    return names > 1 || (names && (drive || t.ptr[at] == '~'));
}

bool tt_anonymous_text(const char *ptr, size_t len, bool is_json,
                       struct tt_buffer *out)
{
    struct text t = {ptr, len, is_json};
    size_t kept = 0;
    size_t at = 0;
    char before = '\0';
    bool any = false;

    tt_buffer_clear(out);
    if (!memchr(ptr, '/', len) && !memchr(ptr, '\\', len))
        return false;
    while (at < len) {
        size_t folders, all;

        if (!measure(t, at, before, &folders, &all)) {
            at += look(t, at, &before);
            before = before ? before : '\n';
            continue;
        }
        tt_buffer_add(out, ptr + kept, at - kept);
        tt_buffer_add(out, "_/", 2);
        any = true;
        kept = at + folders;
        at += all;
        before = 'x'; /* the end of a name */
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
