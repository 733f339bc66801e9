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

/* The separator at `at`: its bytes, 0 for none.  Several are one.  If not
 * `back`, backslashes count only before a slash, which may be escaped in a text
 * that is JSON itself: "\/home\/me".  *slashes: how many there are. */
static size_t separator(struct text t, size_t at, bool back, size_t *slashes)
{
    size_t end = at;
    size_t sure = at;

    *slashes = 0;
    while (end < t.len) {
        char what;
        size_t bytes = look(t, end, &what);

        if (what != '/' && what != '\\')
            break;
        end += bytes;
        *slashes += what == '/';
        if (what == '/' || back)
            sure = end;
    }
    return sure - at;
}

static size_t separator_bytes(struct text t, size_t at, bool back)
{
    size_t slashes;

    return separator(t, at, back, &slashes);
}

/* What is before a place in a text. */
struct past {
    char last;   /* the character; NUL at the beginning */
    bool word;   /* which ends a word that is no part of a path */
    bool scheme; /* which is the colon behind one */
};

static void go_past(struct past *past, char what)
{
    if (past->last == '\\' && what && strchr("bfnrt", what))
        what = '\n'; /* an escape in a text that is JSON itself */
    past->scheme = what == ':' && past->word;
    past->word = is_word(what) &&
                 (past->word || (!is_word(past->last) && past->last != '/'));
    past->last = what ? what : '\n';
}

/* Whether a path may begin at `at`.  One that begins with "~" must not be where
 * another that does would go on, or many of them take quadratic time. */
static bool may_begin(struct text t, size_t at, struct past past)
{
    size_t slashes;

    if (past.scheme && separator(t, at, false, &slashes) && slashes == 2)
        return false; /* https://host/... */
    if (t.ptr[at] == '~' && is_inner(past.last))
        return false;
    return !past.last || (!is_word(past.last) && !strchr("/\\)]>*", past.last));
}

/* Whether two backslashes are at `at`, with the name of a host behind them. */
static bool is_host(struct text t, size_t at)
{
    char what;
    size_t bytes = look(t, at, &what);

    if (what != '\\' || at + bytes == t.len)
        return false;
    (void)look(t, at + bytes, &what);
    return what == '\\';
}

/* The bytes of a drive at `at`, "C:" or "\\?\C:"; 0: there is none. */
static size_t drive_bytes(struct text t, size_t at)
{
    size_t end = at;

    if (is_host(t, at)) {
        end += separator_bytes(t, at, true);
        if (end == t.len || (t.ptr[end] != '?' && t.ptr[end] != '.'))
            return 0;
        end += 1 + separator_bytes(t, end + 1, true);
    }
    return end + 1 < t.len && t.ptr[end + 1] == ':' &&
                   (t.ptr[end] | 32) >= 'a' && (t.ptr[end] | 32) <= 'z'
               ? end + 2 - at
               : 0;
}

/* How a path begins. */
struct start {
    size_t bytes; /* before the first separator: 0, or of "~", "~me" or "C:" */
    bool back;    /* backslashes are separators */
    bool one;     /* one name behind it is enough */
};

/* False: no path begins at `at`. */
static bool begins(struct text t, size_t at, struct past past, struct start *s)
{
    *s = (struct start){0};
    if (!may_begin(t, at, past))
        return false;
    if (t.ptr[at] == '~') {
        s->bytes = 1 + inner_bytes(t, at + 1);
        s->one = true;
    } else {
        s->bytes = drive_bytes(t, at);
        s->one = s->bytes > 0;
        s->back = s->one || is_host(t, at);
    }
    return separator_bytes(t, at + s->bytes, s->back) > 0;
}

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* Whether the folders are `home`, however many separators there are. */
static bool is_like(const char *path, size_t folders, const char *home)
{
    size_t at = 0;

    for (; *home; home++) {
        if (at == folders ||
            (*home == '/' ? !is_separator(path[at]) : path[at] != *home))
            return false;
        at++;
        while (*home == '/' && at < folders && is_separator(path[at]))
            at++;
    }
    return at == folders;
}

/* Whether nothing but the name of a user is behind the folders. */
static bool is_home(const char *path, size_t folders)
{
    const char *colon = memchr(path, ':', folders); /* of a drive */

    if (colon) {
        folders -= (size_t)(colon + 1 - path);
        path = colon + 1;
    }
    for (size_t i = 0; i < COUNT(homes); i++)
        if (is_like(path, folders, homes[i]))
            return true;
    return false;
}

/* The bytes of the folders of a path at `at`, and those of all of it; false:
 * there is none. */
static bool measure(struct text t, size_t at, struct past past, size_t *folders,
                    size_t *all)
{
    struct start s;
    size_t names = 0;
    size_t end;
    size_t step;

    if (!begins(t, at, past, &s))
        return false;
    *folders = 0;
    end = at + s.bytes;
    while ((step = separator_bytes(t, end, s.back))) {
        size_t name = inner_bytes(t, end + step);

        if (!name)
            break; /* nothing is behind it */
        *folders = end + step - at;
        end += step + name;
        names++;
    }
    *all = end - at;
    return names > 1 || (names && s.one);
}

bool tt_anonymous_text(const char *ptr, size_t len, bool is_json,
                       struct tt_buffer *out)
{
    struct text t = {ptr, len, is_json};
    size_t kept = 0;
    size_t at = 0;
    struct past past = {0};
    bool any = false;

    tt_buffer_clear(out);
    if (!memchr(ptr, '/', len) && !memchr(ptr, '\\', len))
        return false;
    while (at < len) {
        size_t folders, all;

        if (!measure(t, at, past, &folders, &all)) {
            char what;

            at += look(t, at, &what);
            go_past(&past, what);
            continue;
        }
        tt_buffer_add(out, ptr + kept, at - kept);
        tt_buffer_add(out, "_/", 2);
        any = true;
        kept = at + folders;
        at += all;
        past = (struct past){.last = 'x'}; /* the end of a name */
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
