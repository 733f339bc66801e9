/* anonymous.c - finds paths, and knows harmless members. */
#include "base/anonymous.h"

#include <string.h>
#include <strings.h>

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

/* Folders of homes, in any case: where one is, somebody's name follows. */
static const struct folder {
    const char *name;
    bool back; /* backslashes are separators, too */
} homes[] = {{"home", false}, {"users", true}};

/* A text that is looked at. */
struct text {
    const char *ptr;
    size_t len;
    bool is_json; /* compact: a backslash begins an escape */
};

/* Where the next line number of a Python file is, which was looked for. */
struct frame {
    size_t from; /* from here on ... */
    size_t to;   /* ... up to here: its "(", or the end of the line */
    bool found;
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

/* The bytes at `at` that stand for one character of a name though they begin
 * with a backslash: a blank of a shell, or in a text that is JSON itself what
 * is no ASCII, "\\u00fc"; 0: they do not. */
static size_t escaped_bytes(struct text t, size_t at)
{
    char what;
    size_t bytes = look(t, at, &what);
    const char *next = t.ptr + at + bytes;
    size_t left = t.len - at - bytes;

    if (what != '\\' || !left)
        return 0;
    if (*next == ' ')
        return bytes + 1;
    if (left < 5 || *next != 'u')
        return 0;
    for (size_t i = 1; i < 5; i++)
        if (!((next[i] >= '0' && next[i] <= '9') ||
              ((next[i] | 32) >= 'a' && (next[i] | 32) <= 'f')))
            return 0;
    return memcmp(next, "u00", 3) != 0 || next[3] >= '8' ? bytes + 5 : 0;
}

/* How many bytes from `at` on are the inside of a path; separators aside. */
static size_t inner_bytes(struct text t, size_t at)
{
    size_t end = at;

    while (end < t.len) {
        char what;
        size_t bytes = look(t, end, &what);

        if (!is_inner(what))
            bytes = escaped_bytes(t, end);
        if (!bytes)
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
    while (end < t.len && (end > at || !escaped_bytes(t, end))) {
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
    bool dashes; /* which ends dashes that begin a word */
    bool option; /* which ends an option: "-I" */
    bool scheme; /* which is the colon behind a word */
    bool inside; /* of a line: something but white space was in it */
};

/* Whether a word may begin behind `last`. */
static bool begins_word(char last)
{
    return !is_word(last) && last != '/';
}

/* Whether something of a line is before what follows `what`. */
static bool is_inside(bool before, char what)
{
    if (!what || strchr("\n;\"", what))
        return false;
    return before || (unsigned char)what > ' ';
}

static void go_past(struct past *past, char what)
{
    bool begins = begins_word(past->last);
    bool word;

    if (past->last == '\\' && what && strchr("bfnrt", what))
        what = '\n'; /* an escape in a text that is JSON itself */
    word = is_word(what);
    past->scheme = what == ':' && past->word;
    past->option =
        word && (past->option || (past->dashes && (what | 32) >= 'a'));
    past->dashes = what == '-' && (past->dashes || begins);
    past->word = word && (past->word || begins);
    past->inside = is_inside(past->inside, what);
    past->last = what ? what : '\n';
}

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

/* Whether a path may begin at `at`.  One that begins with "~" must not be where
 * another that does would go on, or many of them take quadratic time. */
static bool may_begin(struct text t, size_t at, struct past past)
{
    bool blank = past.last == ' ' && at > 1 && t.ptr[at - 2] == '\\';

    if (t.ptr[at] == '~' && (blank || is_inner(past.last)))
        return false;
    if (is_separator(t.ptr[at]) && (past.option || (past.last & 0x80)))
        return true;
    return !past.last || (!is_word(past.last) && !strchr("/\\)]*", past.last));
}

/* Whether "://" ends at the slashes at `at`, and the name of a host follows. */
static bool is_address(struct text t, size_t at, struct past past)
{
    size_t slashes;

    return past.scheme && separator(t, at, false, &slashes) && slashes == 2;
}

/* Whether a name is that of a folder of homes; *back: that of Windows. */
static bool is_of_homes(const char *name, size_t len, bool *back)
{
    for (size_t i = 0; i < COUNT(homes); i++) {
        *back = homes[i].back;
        if (strlen(homes[i].name) == len &&
            !strncasecmp(homes[i].name, name, len))
            return true;
    }
    return false;
}

/* Whether a folder of homes is at `at`, whatever is before it, and a name in
 * it; *back: with backslashes. */
static bool is_in_home(struct text t, size_t at, struct past past, bool *back)
{
    size_t name;
    size_t end;
    bool windows;

    *back = false;
    if (is_separator(past.last)) /* or runs of them take quadratic time */
        return false;
    name = end = at + separator_bytes(t, at, true);
    if (name == at)
        return false;
    while (end < t.len && end - name < 6 && is_word(t.ptr[end]))
        end++;
    if (!is_of_homes(t.ptr + name, end - name, &windows) ||
        (!windows && !separator_bytes(t, at, false)))
        return false;
    at = end + separator_bytes(t, end, windows);
    *back = windows;
    return at > end && inner_bytes(t, at);
}

/* How many backslashes are at `*at`, which moves behind them. */
static size_t backslashes(struct text t, size_t *at)
{
    size_t count = 0;
    char what;

    while (*at < t.len) {
        size_t bytes = look(t, *at, &what);

        if (what != '\\')
            break;
        *at += bytes;
        count++;
    }
    return count;
}

/* Whether backslashes are at `at`, with the name of a host behind them and half
 * as many behind that, or a slash: "\\\\host\\share", also in a text that is
 * JSON itself; "\\\\d+\\\\.\\\\d" is none. */
static bool is_host(struct text t, size_t at)
{
    size_t count = backslashes(t, &at);
    size_t name = at;

    if (count < 2)
        return false;
    while (at < t.len && (is_word(t.ptr[at]) || t.ptr[at] == '?'))
        at++;
    if (at == name || at == t.len)
        return false;
    return t.ptr[at] == '/' || backslashes(t, &at) * 2 == count;
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
    if (is_address(t, at, past))
        return false;
    if (!may_begin(t, at, past))
        return is_in_home(t, at, past, &s->back);
    if (t.ptr[at] == '~') {
        s->bytes = 1 + inner_bytes(t, at + 1);
        s->one = true;
    } else {
        s->bytes = drive_bytes(t, at);
        s->one = s->bytes > 0;
        s->back = s->one || is_host(t, at) || is_in_home(t, at, past, &s->back);
    }
    return separator_bytes(t, at + s->bytes, s->back) > 0;
}

/* Whether the last of the folders, but for ".", is one of homes. */
static bool is_home(const char *path, size_t folders)
{
    size_t begin;
    size_t end = folders;
    bool back;

    do {
        while (end && is_separator(path[end - 1]))
            end--;
        begin = end;
        while (begin && !is_separator(path[begin - 1]))
            begin--;
        folders = end;
        end = begin;
    } while (folders - begin == 1 && path[begin] == '.');
    return is_of_homes(path + begin, folders - begin, &back);
}

/* Whether the line number of a Python file begins at `at`: ".py(7)", the "(".
 */
static bool is_line_number(struct text t, size_t at)
{
    size_t end = at + 1;

    if (at < 3 || t.ptr[at] != '(' || memcmp(t.ptr + at - 3, ".py", 3) != 0)
        return false;
    while (end < t.len && t.ptr[end] >= '0' && t.ptr[end] <= '9')
        end++;
    return end > at + 1 && end < t.len && t.ptr[end] == ')';
}

/* Where the file ends that the function at `at` is in, "/a b/c.py(7): f"; 0: it
 * is none.  Several may be in a text, with ";" or on lines of their own. */
static size_t file_end(struct text t, size_t at, struct past past,
                       struct frame *next)
{
    size_t end = at;

    if (past.inside)
        return 0;
    if (at < next->from || at >= next->to) {
        *next = (struct frame){.from = at};
        while (end < t.len && !next->found) {
            char what;
            size_t bytes = look(t, end, &what);

            if (what == '\n' || what == ';' || what == '"')
                break;
            next->found = is_line_number(t, end);
            end += next->found ? 0 : bytes;
        }
        next->to = end;
    }
    return next->found ? next->to : 0;
}

/* A path in a text. */
struct path {
    size_t folders; /* their bytes, with the separator behind them */
    size_t bytes;   /* of all */
};

/* The bytes of the character at `at`, of all backslashes that are there. */
static size_t other_bytes(struct text t, size_t at)
{
    size_t end = at;
    char what;

    do
        end += look(t, end, &what);
    while (what == '\\' && end < t.len && t.ptr[end] == '\\' &&
           look(t, end, &what) && what == '\\');
    return end - at;
}

/* Goes over a path that begins at `at`, with all that is before `file`, or if
 * that is 0 up to what ends one; the names in it. */
static size_t go_over(struct text t, size_t at, struct start s, size_t file,
                      struct path *out)
{
    size_t end = at + s.bytes;
    size_t names = 0;
    size_t step;

    *out = (struct path){0};
    while ((step = separator_bytes(t, end, s.back))) {
        size_t name = inner_bytes(t, end + step);

        while (end + step + name < file &&
               !separator_bytes(t, end + step + name, s.back))
            name += other_bytes(t, end + step + name);
        if (!name)
            break; /* nothing is behind it */
        out->folders = end + step - at;
        end += step + name;
        names++;
    }
    out->bytes = end - at;
    return names;
}

/* Whether a path is at `at`. */
static bool measure(struct text t, size_t at, struct past past,
                    struct frame *next, struct path *out)
{
    struct start s;
    size_t names;

    if (!begins(t, at, past, &s))
        return false;
    names = go_over(t, at, s, file_end(t, at, past, next), out);
    return names > 1 || (names && s.one);
}

bool tt_anonymous_text(const char *ptr, size_t len, bool is_json,
                       struct tt_buffer *out)
{
    struct text t = {ptr, len, is_json};
    size_t kept = 0;
    size_t at = 0;
    struct past past = {0};
    struct frame next = {0};
    bool any = false;

    tt_buffer_clear(out);
    if (!memchr(ptr, '/', len) && !memchr(ptr, '\\', len))
        return false;
    while (at < len) {
        struct path path;

        if (!measure(t, at, past, &next, &path)) {
            char what;

            at += look(t, at, &what);
            go_past(&past, what);
            continue;
        }
        tt_buffer_add(out, ptr + kept, at - kept);
        tt_buffer_add(out, "_/", 2);
        any = true;
        kept = at + path.folders;
        at += path.bytes;
        past = (struct past){.last = 'x', .inside = true}; /* of a name */
        if (is_home(ptr + kept - path.folders, path.folders)) {
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
