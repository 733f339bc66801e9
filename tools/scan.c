/* scan.c - goes through the members of JSON that is known to be valid. */
#include "scan.h"

#include <string.h>

static void skip(struct t2t_text *text, size_t bytes)
{
    text->ptr += bytes;
    text->len -= bytes;
}

/* Skips spaces, commas and colons. */
static void skip_between(struct t2t_text *text)
{
    while (text->len && *text->ptr && strchr(" \t\n\r,:", *text->ptr))
        skip(text, 1);
}

/* Bytes of the string at the start of `text`. */
static size_t string_bytes(struct t2t_text text)
{
    for (size_t i = 1; i < text.len; i++) {
        if (text.ptr[i] == '"')
            return i + 1;
        if (text.ptr[i] == '\\')
            i++;
    }
    return text.len;
}

/* Bytes of the value at the start of `text`. */
static size_t value_bytes(struct t2t_text text)
{
    size_t depth = 0;

    for (size_t i = 0; i < text.len; i++) {
        char byte = text.ptr[i];

        if (byte == '"') {
            i += string_bytes((struct t2t_text){text.ptr + i, text.len - i});
            if (!depth || i >= text.len)
                return i < text.len ? i : text.len;
            i--;
        } else if (byte == '{' || byte == '[') {
            depth++;
        } else if (byte == '}' || byte == ']') {
            if (depth <= 1)
                return i + depth;
            depth--;
        } else if (!depth && byte && strchr(" \t\n\r,", byte)) {
            return i;
        }
    }
    return text.len;
}

bool scan_open(struct scan *scan, struct t2t_text json, char bracket)
{
    skip_between(&json);
    scan->rest = json;
    if (!json.len || *json.ptr != bracket)
        return false;
    skip(&scan->rest, 1);
    return true;
}

bool scan_item(struct scan *scan, struct t2t_text *value)
{
    size_t bytes;

    skip_between(&scan->rest);
    bytes = value_bytes(scan->rest);
    *value = (struct t2t_text){scan->rest.ptr, bytes};
    skip(&scan->rest, bytes);
    return bytes != 0;
}

bool scan_member(struct scan *scan, struct t2t_text *key,
                 struct t2t_text *value)
{
    return scan_item(scan, key) && scan_item(scan, value);
}

bool scan_is(struct t2t_text text, const char *word)
{
    size_t len = strlen(word);

    return text.len == len + 2 && *text.ptr == '"' &&
           !memcmp(text.ptr + 1, word, len);
}
