/* args.c - the arguments of an event. */
#include <string.h>

#include "decode/draft.h"

static bool is(const char *ptr, const char *key, size_t len)
{
    return !memcmp(ptr, key, len);
}

/* Where a recorded number of this key goes, or NULL.  No two of the keys but
 * the first two have a length in common. */
static struct tt_recorded *recorded(struct tt_draft *f, const char *ptr,
                                    size_t len)
{
    switch (len) {
    case 11:
        return is(ptr, "External id", 11)   ? &f->external_id
               : is(ptr, "correlation", 11) ? &f->correlation
                                            : NULL;
    case 9:
        return is(ptr, "Python id", 9) ? &f->python_id : NULL;
    case 13:
        return is(ptr, "Fwd thread id", 13) ? &f->forward_thread : NULL;
    case 15:
        return is(ptr, "Sequence number", 15) ? &f->sequence_number : NULL;
    case 16:
        return is(ptr, "Python parent id", 16) ? &f->python_parent_id : NULL;
    default:
        return NULL;
    }
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
