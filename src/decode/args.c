/* args.c - the arguments of an event. */
#include <string.h>

#include "decode/draft.h"

/* Where a recorded number of this key goes, or NULL. */
static struct tt_recorded *recorded(struct tt_draft *f, const char *ptr,
                                    size_t len)
{
    static const struct {
        const char *key;
        size_t len;
        size_t field;
    } keys[] = {
#define KEY(key, field) {key, sizeof(key) - 1, offsetof(struct tt_draft, field)}
        KEY("correlation", correlation),
        KEY("External id", external_id),
        KEY("Python id", python_id),
        KEY("Python parent id", python_parent_id),
        KEY("Sequence number", sequence_number),
        KEY("Fwd thread id", forward_thread),
#undef KEY
    };

    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        if (len == keys[i].len && !memcmp(ptr, keys[i].key, len))
            return (struct tt_recorded *)(void *)((char *)f + keys[i].field);
    return NULL;
}

/* Keeps what the tree needs of an argument.  Of duplicates the last counts. */
static void note_argument(struct tt_draft *f, const struct tt_value *key,
                          const struct tt_value *v)
{
    struct tt_value plain = tt_draft_decoded(f, key);
    struct tt_recorded *r = recorded(f, plain.ptr, plain.len);

    if (r) {
        *r = tt_draft_whole(f, v);
    } else if (plain.len == 4 && !memcmp(plain.ptr, "name", 4)) {
        f->label = TT_NO_STRING;
        if (v->type == TT_VALUE_STRING) {
            plain = tt_draft_decoded(f, v);
            f->label = tt_draft_string(f, plain.ptr, plain.len);
        }
    }
}

bool tt_draft_args(struct tt_draft *f)
{
    struct tt_walk *w = &f->d->walk;

    tt_buffer_add_byte(&f->d->template, '{');
    if (!tt_walk_open(w))
        return false;
    if (tt_walk_take(w, '}')) {
        tt_buffer_add_byte(&f->d->template, '}');
        return true;
    }
    for (;;) {
        struct tt_value key, value;

        if (tt_walk_peek(w) != '"' || !tt_walk_string(w, &key) ||
            !tt_walk_take(w, ':') || !tt_walk_value(w, &value))
            return false;
        tt_draft_key(f, &key);
        note_argument(f, &key, &value);
        if (!tt_draft_store(f, &value))
            return false;
        if (tt_walk_take(w, '}'))
            break;
        if (!tt_walk_take(w, ','))
            return false;
    }
    tt_buffer_add_byte(&f->d->template, '}');
    return true;
}
