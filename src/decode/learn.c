/* learn.c - goes through an element once more and cuts it at its values. */
#include "decode/learn.h"

#include <string.h>

#include "json/scalar.h"

#define MOST_PIECES 256u
#define MOST_BYTES ((size_t)64 << 10)
#define LITERAL_BYTES 64u /* longer categories and phases may be slots */

/*
 * An element on its way to a layout.  Whatever an element of the layout says
 * must follow from its text and from values of the same kinds; where it would
 * not, the element is no model.
 */
struct lesson {
    struct tt_walk walk;
    struct tt_piece piece[MOST_PIECES];
    size_t count;
    size_t done; /* so much of the text is in pieces */
    uint32_t uses;
    const struct tt_draft *draft;
};

/* Ends a piece with the value at `ptr`; false when there are too many. */
static bool cut(struct lesson *n, const char *ptr, size_t len,
                enum tt_step_kind kind, enum tt_use use, unsigned way)
{
    const char *text = n->walk.text + n->done;

    if (n->count == MOST_PIECES)
        return false;
    n->piece[n->count++] = (struct tt_piece){.text = text,
                                             .len = (size_t)(ptr - text),
                                             .kind = kind,
                                             .use = use,
                                             .way = way};
    n->done = (size_t)(ptr - n->walk.text) + len;
    if (use != TT_USE_NONE)
        n->uses |= 1u << use;
    return true;
}

/* A number that has slots. */
static bool cut_number(struct lesson *n, const struct tt_value *v,
                       enum tt_use use)
{
    int64_t value;
    unsigned digits;

    switch (tt_number_read(v->ptr, v->len, &value, &digits)) {
    case TT_NUMBER_INTEGER:
        return cut(n, v->ptr, v->len, TT_STEP_NUMBER, use, TT_WAY_INTEGER);
    case TT_NUMBER_DECIMAL:
        return use == TT_USE_NONE &&
               cut(n, v->ptr, v->len, TT_STEP_NUMBER, use, TT_WAY_DECIMAL);
    case TT_NUMBER_OTHER:
        return use == TT_USE_NONE &&
               cut(n, v->ptr, v->len, TT_STEP_NUMBER, use, TT_WAY_OTHER);
    case TT_NUMBER_BAD:
        break;
    }
    return false;
}

/* A value that matters for its slots alone; a literal is part of the text. */
static bool cut_plain(struct lesson *n, const struct tt_value *v)
{
    switch (v->type) {
    case TT_VALUE_STRING:
        return cut(n, v->ptr, v->len, TT_STEP_TEXT, TT_USE_NONE, 0);
    case TT_VALUE_CONTAINER:
        return cut(n, v->ptr, v->len, TT_STEP_CONTAINER, TT_USE_NONE, 0);
    case TT_VALUE_NUMBER:
        return cut_number(n, v, TT_USE_NONE);
    case TT_VALUE_LITERAL:
        return true;
    }
    return false;
}

static bool cut_argument(struct lesson *n, const struct tt_value *v,
                         enum tt_use use)
{
    if (use == TT_USE_NONE)
        return cut_plain(n, v);
    if (v->type == TT_VALUE_NUMBER)
        return cut_number(n, v, use);
    return v->type == TT_VALUE_LITERAL;
}

/* pid or tid: strings are part of the text. */
static bool cut_lane(struct lesson *n, const struct tt_value *v,
                     const struct tt_id *id, enum tt_use use)
{
    int64_t value;
    unsigned digits;

    if (v->type == TT_VALUE_STRING)
        return id->kind == TT_ID_TEXT;
    if (v->type == TT_VALUE_LITERAL)
        return true;
    return v->type == TT_VALUE_NUMBER &&
           tt_number_read(v->ptr, v->len, &value, &digits) ==
               TT_NUMBER_INTEGER &&
           cut(n, v->ptr, v->len, TT_STEP_LANE, use, 0);
}

/* ts or dur: one that its column says. */
static bool cut_time(struct lesson *n, const struct tt_value *v,
                     enum tt_use use)
{
    struct tt_time time;

    return v->type == TT_VALUE_NUMBER && tt_time_read(v->ptr, v->len, &time) &&
           time.canonical && time.ns >= 0 &&
           cut(n, v->ptr, v->len, TT_STEP_TIME, use, 0);
}

/* A member that is not "args" with an object. */
static bool cut_member(struct lesson *n, const struct tt_value *v,
                       enum tt_member member)
{
    bool is_string = v->type == TT_VALUE_STRING;

    switch (member) {
    case TT_MEMBER_PH:
    case TT_MEMBER_CAT:
        return (is_string && v->len <= LITERAL_BYTES) ||
               v->type == TT_VALUE_LITERAL;
    case TT_MEMBER_NAME:
        return is_string ? cut(n, v->ptr, v->len, TT_STEP_NAME, TT_USE_NAME, 0)
                         : cut_plain(n, v);
    case TT_MEMBER_PID:
        return cut_lane(n, v, &n->draft->lane.pid, TT_USE_PID);
    case TT_MEMBER_TID:
        return cut_lane(n, v, &n->draft->lane.tid, TT_USE_TID);
    case TT_MEMBER_TS:
        return cut_time(n, v, TT_USE_START);
    case TT_MEMBER_DUR:
        return cut_time(n, v, TT_USE_DURATION);
    case TT_MEMBER_ID:
        return v->type == TT_VALUE_NUMBER && cut_number(n, v, TT_USE_ID);
    case TT_MEMBER_ARGS: /* an object in place of the array would be others */
        return v->type != TT_VALUE_CONTAINER && cut_plain(n, v);
    case TT_MEMBER_OTHER:
        break;
    }
    return cut_plain(n, v);
}

static bool take_key(struct lesson *n, struct tt_value *key)
{
    struct tt_walk *w = &n->walk;

    /* a key with escapes would have to be decoded again: rare */
    return tt_walk_peek(w) == '"' && tt_walk_string(w, key) &&
           key->kind == TT_TEXT_PLAIN && tt_walk_take(w, ':');
}

static bool learn_args(struct lesson *n)
{
    struct tt_walk *w = &n->walk;
    struct tt_value key, v;

    if (!tt_walk_open(w))
        return false;
    if (tt_walk_take(w, '}'))
        return true;
    do {
        if (!take_key(n, &key) || !tt_walk_value(w, &v) ||
            !cut_argument(n, &v, tt_draft_use(key.ptr, key.len)))
            return false;
    } while (tt_walk_take(w, ','));
    return tt_walk_take(w, '}');
}

static bool learn_members(struct lesson *n)
{
    struct tt_walk *w = &n->walk;
    struct tt_value key, v;

    if (!tt_walk_open(w))
        return false;
    if (tt_walk_take(w, '}'))
        return true;
    do {
        enum tt_member member;
        bool ok;

        if (!take_key(n, &key))
            return false;
        member = tt_draft_member(key.ptr, key.len);
        if (member == TT_MEMBER_ARGS && tt_walk_peek(w) == '{')
            ok = learn_args(n);
        else
            ok = tt_walk_value(w, &v) && cut_member(n, &v, member);
        if (!ok)
            return false;
    } while (tt_walk_take(w, ','));
    return tt_walk_take(w, '}');
}

void tt_learn(struct tt_decoder *d, const struct tt_batch *b, size_t start,
              unsigned token)
{
    struct tt_layouts *l = &d->layouts;
    struct lesson n;
    uint32_t number;

    if (!l->model || !l->fit || l->model->element.phase == 'M' ||
        d->walk.at - start > MOST_BYTES)
        return;
    n.walk = d->walk;
    n.walk.at = start;
    n.walk.next = token;
    n.count = 0;
    n.done = start;
    n.uses = 0;
    n.draft = &l->model->draft;
    if (!learn_members(&n) ||
        !cut(&n, n.walk.text + n.walk.at, 0, TT_STEP_END, TT_USE_NONE, 0))
        goto done;
    number = tt_layouts_add(l, n.piece, n.count);
    if (number != TT_NO_LAYOUT)
        l->layout[number] =
            (struct tt_layout){.model = *l->model,
                               .shape = b->element[b->count - 1].shape,
                               .uses = n.uses,
                               .likely = l->first};
done:
    d->walk.open = n.walk.open; /* its memory may have moved */
}
