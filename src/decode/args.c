/* args.c - the arguments of an event. */
#include <string.h>

#include "decode/draft.h"

static bool is(const char *ptr, const char *key, size_t len)
{
    return !memcmp(ptr, key, len);
}

/* No two of the keys but the first two have a length in common. */
enum tt_use tt_draft_use(const char *ptr, size_t len)
{
    switch (len) {
    case 11:
        return is(ptr, "External id", 11)   ? TT_USE_EXTERNAL_ID
               : is(ptr, "correlation", 11) ? TT_USE_CORRELATION
                                            : TT_USE_NONE;
    case 9:
        return is(ptr, "Python id", 9) ? TT_USE_PYTHON_ID : TT_USE_NONE;
    case 13:
        return is(ptr, "Fwd thread id", 13) ? TT_USE_FORWARD_THREAD
                                            : TT_USE_NONE;
    case 15:
        return is(ptr, "Sequence number", 15) ? TT_USE_SEQUENCE_NUMBER
                                              : TT_USE_NONE;
    case 16:
        return is(ptr, "Python parent id", 16) ? TT_USE_PYTHON_PARENT_ID
                                               : TT_USE_NONE;
    default:
        return TT_USE_NONE;
    }
}

/* Keeps what the tree needs of an argument.  Of duplicates the last counts. */
static void note_argument(struct tt_draft *f, const struct tt_value *key,
                          const struct tt_value *v)
{
    struct tt_value plain = tt_draft_decoded(f, key);
    enum tt_use use = tt_draft_use(plain.ptr, plain.len);

    if (use != TT_USE_NONE) {
        f->recorded[use] = tt_draft_whole(f, v);
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
    w->depth = 3; /* the array, the element, this one */
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
