/* draft.c - values of an element: holes, slots, numbers, ids. */
#include "decode/draft.h"

#include <string.h>

#include "base/vec.h"
#include "format/format.h"

static void add_slot(struct tt_draft *f, uint64_t value)
{
    struct tt_batch *b = f->b;

    if (!tt_vec_room(&b->slot, &b->slot_cap, b->slots, sizeof(*b->slot))) {
        f->d->no_memory = true;
        return;
    }
    b->slot[b->slots++] = value;
}

static void add_text(struct tt_draft *f, uint32_t string)
{
    struct tt_batch *b = f->b;

    if (!tt_vec_room(&b->text, &b->text_cap, b->texts, sizeof(*b->text)) ||
        b->slots > UINT32_MAX) {
        f->d->no_memory = true;
        return;
    }
    b->text[b->texts++] = (uint32_t)b->slots;
    tt_draft_hole(f, TT_HOLE_TEXT);
    add_slot(f, string);
}

uint32_t tt_draft_string(struct tt_draft *f, const char *ptr, size_t len)
{
    uint32_t number = tt_intern_add(&f->d->strings, ptr, len);

    f->d->no_memory |= number == TT_INTERN_FAILED;
    return number;
}

struct tt_value tt_draft_unescaped(struct tt_draft *f, const struct tt_value *v)
{
    struct tt_value out = *v;
    struct tt_buffer *scratch = &f->d->scratch;

    tt_buffer_clear(scratch);
    tt_text_decode(v->ptr, v->len, scratch);
    f->d->no_memory |= scratch->failed;
    out.ptr = scratch->ptr;
    out.len = scratch->len;
    return out;
}

/* The string that `make` makes of some JSON text. */
static uint32_t compacted(struct tt_draft *f, const char *ptr, size_t len,
                          void (*make)(const char *, size_t,
                                       struct tt_buffer *))
{
    struct tt_buffer *scratch = &f->d->scratch;

    tt_buffer_clear(scratch);
    make(ptr, len, scratch);
    f->d->no_memory |= scratch->failed;
    return tt_draft_string(f, scratch->ptr, scratch->len);
}

/* The string of a container's compact text; remembered, as arrays repeat. */
static uint32_t container_text(struct tt_draft *f, const struct tt_value *v)
{
    struct tt_decoder *d = f->d;
    size_t before = d->raw.count;
    uint32_t raw;

    raw = tt_intern_add(&d->raw, v->ptr, v->len);
    if (raw == TT_INTERN_FAILED ||
        !tt_vec_room(&d->compact, &d->compact_cap, raw, sizeof(*d->compact))) {
        d->no_memory = true;
        return 0;
    }
    if (raw == before)
        d->compact[raw] = v->compact
                              ? tt_draft_string(f, v->ptr, v->len)
                              : compacted(f, v->ptr, v->len, tt_text_compact);
    return d->compact[raw];
}

/* The string of a value's compact text. */
static uint32_t value_text(struct tt_draft *f, const struct tt_value *v)
{
    if (v->type == TT_VALUE_CONTAINER)
        return container_text(f, v);
    if (v->type == TT_VALUE_STRING && v->kind == TT_TEXT_PLAIN)
        return tt_draft_string(f, v->ptr - 1, v->len + 2);
    if (v->type == TT_VALUE_STRING)
        return compacted(f, v->ptr - 1, v->len + 2, tt_text_compact);
    return tt_draft_string(f, v->ptr, v->len);
}

static bool store_number(struct tt_draft *f, const struct tt_value *v)
{
    int64_t value;
    unsigned digits;

    switch (tt_number_read(v->ptr, v->len, &value, &digits)) {
    case TT_NUMBER_BAD:
        return false;
    case TT_NUMBER_INTEGER:
        tt_draft_hole(f, TT_HOLE_INTEGER);
        add_slot(f, (uint64_t)value);
        return true;
    case TT_NUMBER_DECIMAL:
        tt_draft_hole(f, TT_HOLE_DECIMAL);
        add_slot(f, (uint64_t)value);
        add_slot(f, digits);
        return true;
    case TT_NUMBER_OTHER:
        break;
    }
    add_text(f, value_text(f, v));
    return true;
}

bool tt_draft_store(struct tt_draft *f, const struct tt_value *v)
{
    if (v->type == TT_VALUE_NUMBER)
        return store_number(f, v);
    if (v->type == TT_VALUE_LITERAL)
        tt_buffer_add(&f->d->template, v->ptr, v->len);
    else
        add_text(f, value_text(f, v));
    return true;
}

void tt_draft_key(struct tt_draft *f, const struct tt_value *key)
{
    struct tt_buffer *t = &f->d->template;

    if (t->len && t->ptr[t->len - 1] != '{')
        tt_buffer_add_byte(t, ',');
    tt_buffer_add_byte(t, '"');
    if (key->kind == TT_TEXT_PLAIN) {
        tt_buffer_add(t, key->ptr, key->len);
    } else {
        struct tt_value plain = tt_draft_decoded(f, key);

        tt_text_encode(plain.ptr, plain.len, t);
    }
    tt_buffer_add(t, "\":", 2);
}

struct tt_recorded tt_draft_whole(struct tt_draft *f, const struct tt_value *v)
{
    struct tt_recorded r = {0};
    struct tt_value text = *v;

    if (v->type == TT_VALUE_STRING)
        text = tt_draft_decoded(f, v);
    else if (v->type != TT_VALUE_NUMBER)
        return r;
    r.set = tt_number_whole(text.ptr, text.len, &r.value, &r.negative);
    return r;
}

bool tt_draft_time(struct tt_draft *f, const struct tt_value *v,
                   struct tt_time *out)
{
    struct tt_value text = *v;

    if (v->type == TT_VALUE_STRING)
        text = tt_draft_decoded(f, v);
    else if (v->type != TT_VALUE_NUMBER)
        return false;
    if (!tt_time_read(text.ptr, text.len, out))
        return false;
    out->canonical &= v->type == TT_VALUE_NUMBER;
    return true;
}

struct tt_id tt_draft_id(struct tt_draft *f, const struct tt_value *v)
{
    struct tt_recorded r = tt_draft_whole(f, v);
    struct tt_value text;

    if (r.set && (r.negative || r.value <= INT64_MAX))
        return (struct tt_id){r.value, TT_ID_INTEGER, false};
    if (r.set)
        return (struct tt_id){r.value, TT_ID_UNSIGNED, false};
    if (v->type == TT_VALUE_LITERAL && *v->ptr == 'n')
        return (struct tt_id){0, TT_ID_MISSING, false};
    if (v->type == TT_VALUE_CONTAINER)
        return (struct tt_id){compacted(f, v->ptr, v->len, tt_text_compact_id),
                              TT_ID_TEXT, true};
    if (v->type != TT_VALUE_STRING)
        return (struct tt_id){value_text(f, v), TT_ID_TEXT, false};
    text = tt_draft_decoded(f, v);
    return (struct tt_id){tt_draft_string(f, text.ptr, text.len), TT_ID_TEXT,
                          false};
}
