/* modpath.c - paths of modules, as a user writes them. */
#include "query/modpath.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* Takes one part of the path off `*text`, to `to`; its end there. */
static char *read_part(const char **text, char *to)
{
    const char *from = *text;

    for (; *from && *from != '/'; from++) {
        if (from[0] == '\\' && (from[1] == '/' || from[1] == '\\'))
            from++;
        *to++ = *from;
    }
    *text = from;
    return to;
}

enum t2t_status tt_modpath_read(struct tt_modpath *p, const char *text,
                                struct t2t_error *err)
{
    char *to;

    *p = (struct tt_modpath){.count = 0};
    p->text = to = malloc(strlen(text) + 1);
    if (!p->text)
        return tt_no_memory(err);
    for (;; text++) {
        char *end = read_part(&text, to);

        if (end == to)
            return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                            "a path of modules with an empty part");
        if (p->count == T2T_MODULE_PATH_MAX)
            return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET,
                            "a path of more than %d modules",
                            T2T_MODULE_PATH_MAX);
        p->part[p->count++] =
            t2t_module_frame_name((struct t2t_text){to, (size_t)(end - to)});
        if (!*text)
            return T2T_OK;
        to = end;
    }
}

void tt_modpath_release(struct tt_modpath *p)
{
    free(p->text);
    p->text = NULL;
}

bool tt_modpath_is(const struct tt_modpath *p, size_t i, struct t2t_text name)
{
    return t2t_text_equal(t2t_module_frame_name(name), p->part[i]) ||
           t2t_text_equal(t2t_module_class_name(name), p->part[i]);
}

void tt_modpath_add(struct tt_buffer *to, struct t2t_text name)
{
    name = t2t_module_frame_name(name);
    for (size_t i = 0; i < name.len; i++) {
        if (name.ptr[i] == '/' || name.ptr[i] == '\\')
            tt_buffer_add_byte(to, '\\');
        tt_buffer_add_byte(to, name.ptr[i]);
    }
}
