/*
 * decode/match_body.h - the body of a match; each match_*.c includes it once,
 * with VECTOR() to name the functions of its kind of machine and TARGET to say
 * what that machine can do.
 */
#include "base/digits.h"
#include "base/vec.h"
#include "decode/match.h"
#include "format/format.h"
#include "json/scalar.h"
#include "json/text.h"

/* An element may have so many slots, and one number more is read too many. */
#define SLOTS_ROOM (TT_VALUES_MAX + 2)

/* The text is read once, front to back: so far ahead it is asked for. */
#define AHEAD 768

/* What is read of an element before its layout is known. */
struct reading {
    struct tt_decoder *d;
    const char *end;
    uint64_t *slot; /* where the next one goes */
    uint32_t *text; /* the same of the numbers of those that are strings */
    const uint64_t *slots; /* of the batch */
    uint64_t value[TT_USE_COUNT];
    unsigned way;   /* the kind of number that was read last */
    uint32_t first; /* step that the element began with */
};

/* A string of the decoder in a slot. */
TARGET static inline void put_text(struct reading *r, uint32_t string)
{
    r->d->no_memory |= string == TT_INTERN_FAILED;
    *r->text++ = (uint32_t)(r->slot - r->slots);
    *r->slot++ = string;
}

/* The end of the inside of a string, or NULL if it is not an everyday one. */
TARGET static inline const char *string_end(const struct reading *r,
                                            const char *ptr)
{
    const char *at = VECTOR(tt_plain_end)(ptr, r->end);

    if (at == r->end)
        return NULL;
    if (*at == '"')
        return at;
    if ((unsigned char)*at < 0x80)
        return NULL;
    at = memchr(at, '"', (size_t)(r->end - at));
    if (!at || tt_text_look(ptr, (size_t)(at - ptr)) != TT_TEXT_PLAIN)
        return NULL;
    return at;
}

/* Whether the value at `ptr` is the one that came here the last time, of
 * `item`; its end, with its number in `*number`, or NULL. */
TARGET static inline const char *guess(const struct reading *r,
                                       enum tt_guessed kind,
                                       const struct tt_interned *item,
                                       const char *ptr, uint32_t *number)
{
    const struct tt_decoder *d = r->d;
    uint32_t n = 0;

    if (d->before < d->guess_cap)
        n = d->guess[d->before].value[kind];
    if (!n--)
        return NULL;
    if (!VECTOR(tt_same)(ptr, r->end, item[n].ptr, item[n].len))
        return NULL;
    *number = n;
    return ptr + item[n].len;
}

TARGET static inline const char *take_name(struct reading *r, const char *ptr)
{
    struct tt_decoder *d = r->d;
    uint32_t name;
    const char *at = guess(r, TT_GUESS_NAME, d->strings.item, ptr, &name);

    if (at && at != r->end && *at == '"') {
        d->before = name;
    } else {
        at = string_end(r, ptr);
        if (!at)
            return NULL;
        name = tt_intern_add(&d->strings, ptr, (size_t)(at - ptr));
        if (name == TT_INTERN_FAILED)
            d->no_memory = true;
        else
            tt_match_remember(d, TT_GUESS_NAME, name, name);
    }
    r->value[TT_USE_NAME] = name;
    return at;
}

/* The inside of a string, but it is kept with its quotes. */
TARGET static inline const char *take_text(struct reading *r, const char *ptr)
{
    struct tt_decoder *d = r->d;
    uint32_t text;
    const char *at = guess(r, TT_GUESS_TEXT, d->strings.item, ptr - 1, &text);

    if (at) {
        d->before = text;
        put_text(r, text);
        return at - 1;
    }
    at = string_end(r, ptr);
    if (!at)
        return NULL;
    text = tt_intern_add(&d->strings, ptr - 1, (size_t)(at - ptr) + 2);
    put_text(r, text);
    if (text != TT_INTERN_FAILED)
        tt_match_remember(d, TT_GUESS_TEXT, text, text);
    return at;
}

/* One that went through the tokens before, so that it is known to be whole. */
TARGET static inline const char *take_container(struct reading *r,
                                                const char *ptr)
{
    struct tt_decoder *d = r->d;
    uint32_t raw;
    const char *at = guess(r, TT_GUESS_CONTAINER, d->raw.item, ptr, &raw);

    if (at) {
        d->before = d->compact[raw];
    } else {
        if (ptr < r->end && (*ptr == '[' || *ptr == '{'))
            at = VECTOR(tt_bracket_end)(ptr, r->end);
        if (!at)
            return NULL;
        raw = tt_intern_find(&d->raw, ptr, (size_t)(at - ptr));
        if (raw == TT_INTERN_NONE)
            return NULL;
        tt_match_remember(d, TT_GUESS_CONTAINER, raw, d->compact[raw]);
    }
    put_text(r, d->compact[raw]);
    return at;
}

/* At most 16 digits and three decimals, not negative. */
TARGET static inline const char *take_time(struct reading *r, const char *ptr,
                                           unsigned use)
{
    uint64_t whole;
    unsigned count = tt_digits_read(ptr, r->end, &whole);
    uint32_t four;
    uint32_t others;

    if (!count || count > 16 || (count > 1 && *ptr == '0'))
        return NULL;
    ptr += count;
    whole *= 1000;
    if (r->end - ptr < 5)
        return NULL;
    if (*ptr == '.') {
        memcpy(&four, ptr + 1, sizeof(four));
        four ^= (uint32_t)TT_DIGITS_ZEROS;
        others = (uint32_t)tt_digits_others(four);
        count = others ? (unsigned)__builtin_ctz(others) / 8 : 4;
        if (!count || count > 3)
            return NULL;
        four &= (UINT32_C(1) << 8 * count) - 1; /* zeros behind the digits */
        whole += (four & 15) * 100 + (four >> 8 & 15) * 10 + (four >> 16);
        ptr += 1 + count;
    }
    r->value[use] = whole;
    return whole <= INT64_MAX ? ptr : NULL;
}

/* An integer of at most 16 digits, not -0; what follows it is not looked at. */
TARGET static inline const char *take_integer(const struct reading *r,
                                              const char *ptr, int64_t *value)
{
    bool negative = ptr < r->end && *ptr == '-';
    uint64_t size;
    unsigned count;

    ptr += negative;
    count = tt_digits_read(ptr, r->end, &size);
    if (!count || count > 16 || (*ptr == '0' && (count > 1 || negative)))
        return NULL;
    *value = negative ? -(int64_t)size : (int64_t)size;
    return ptr + count;
}

static bool is_of_number(char c)
{
    return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' ||
           c == 'e' || c == 'E';
}

/* A number that is not short and whole. */
static const char *take_other_number(struct reading *r, const char *ptr,
                                     unsigned use)
{
    const char *at = ptr;
    int64_t value;
    unsigned digits;

    while (at < r->end && is_of_number(*at))
        at++;
    switch (tt_number_read(ptr, (size_t)(at - ptr), &value, &digits)) {
    case TT_NUMBER_INTEGER:
        *r->slot++ = r->value[use] = (uint64_t)value;
        r->way = TT_WAY_INTEGER;
        return at;
    case TT_NUMBER_DECIMAL:
        *r->slot++ = (uint64_t)value;
        *r->slot++ = digits;
        r->way = TT_WAY_DECIMAL;
        return at;
    case TT_NUMBER_OTHER:
        put_text(r, tt_intern_add(&r->d->strings, ptr, (size_t)(at - ptr)));
        r->way = TT_WAY_OTHER;
        return at;
    case TT_NUMBER_BAD:
        break;
    }
    return NULL;
}

/* The point at `ptr` and digits behind `whole`, at most 16 digits in all, a
 * sign being one; the end, or NULL for another number. */
TARGET static inline const char *take_fraction(struct reading *r,
                                               const char *ptr, int64_t whole,
                                               size_t whole_digits)
{
    static const int64_t power[] = {1,
                                    10,
                                    100,
                                    1000,
                                    10000,
                                    100000,
                                    1000000,
                                    10000000,
                                    100000000,
                                    1000000000,
                                    10000000000,
                                    100000000000,
                                    1000000000000,
                                    10000000000000,
                                    100000000000000,
                                    1000000000000000};
    uint64_t fraction;
    unsigned digits = tt_digits_read(ptr + 1, r->end, &fraction);
    const char *at = ptr + 1 + digits;

    if (!digits || whole_digits + digits > 16 || at == r->end ||
        is_of_number(*at))
        return NULL;
    *r->slot++ =
        (uint64_t)(whole * power[digits] +
                   (whole < 0 ? -(int64_t)fraction : (int64_t)fraction));
    *r->slot++ = digits;
    r->way = TT_WAY_DECIMAL;
    return at;
}

TARGET static inline const char *take_number(struct reading *r, const char *ptr,
                                             unsigned use)
{
    int64_t value;
    const char *at = take_integer(r, ptr, &value);
    const char *behind = NULL;

    if (at && at != r->end && !is_of_number(*at)) {
        *r->slot++ = r->value[use] = (uint64_t)value;
        return at;
    }
    if (at && at != r->end && *at == '.')
        behind = take_fraction(r, at, value, (size_t)(at - ptr));
    return behind ? behind : take_other_number(r, ptr, use);
}

/* The value of a step; NULL if it is none for a match. */
TARGET static inline const char *
take_value(struct reading *r, const struct tt_step *s, const char *ptr)
{
    r->way = 0;
    switch ((enum tt_step_kind)s->kind) {
    case TT_STEP_NAME:
        return take_name(r, ptr);
    case TT_STEP_TEXT:
        return take_text(r, ptr);
    case TT_STEP_CONTAINER:
        return take_container(r, ptr);
    case TT_STEP_TIME:
        return take_time(r, ptr, s->use);
    case TT_STEP_LANE:
        return take_integer(r, ptr, (int64_t *)&r->value[s->use]);
    case TT_STEP_NUMBER:
        return take_number(r, ptr, s->use);
    case TT_STEP_END:
        break;
    }
    return ptr;
}

/*
 * Follows the steps from `*n`; the end of the element, and its last step in
 * `*n`; or NULL.  A step whose text is there but not its value may have
 * another beside it with the same text.
 */
TARGET static inline const char *follow(struct reading *r, const char *ptr,
                                        uint32_t *n)
{
    const struct tt_step *step = r->d->layouts.step;
    uint32_t next = *n;

    while (next) {
        const struct tt_step *s = &step[next];
        const char *at = NULL;

        __builtin_prefetch((const void *)((uintptr_t)ptr + AHEAD));
        if (VECTOR(tt_same)(ptr, r->end, s->text, s->len))
            at = take_value(r, s, ptr + s->len);
        if (!at) {
            next = s->other;
            continue;
        }
        if (!r->first)
            r->first = next;
        ptr = at;
        *n = next;
        if (s->kind == TT_STEP_END)
            return ptr;
        next = s->next[r->way];
    }
    return NULL;
}

static inline struct tt_id integer_id(uint64_t value)
{
    return (struct tt_id){value, TT_ID_INTEGER, false};
}

/* Puts what was read into the draft of the layout. */
TARGET static inline void fill(struct tt_draft *f, const struct reading *r,
                               uint32_t uses)
{
    if (uses & 1u << TT_USE_START)
        f->e->start_ns = (int64_t)r->value[TT_USE_START];
    if (uses & 1u << TT_USE_DURATION)
        f->dur_ns = r->value[TT_USE_DURATION];
    if (uses & 1u << TT_USE_NAME)
        tt_draft_name(f, (uint32_t)r->value[TT_USE_NAME]);
    if (uses & 1u << TT_USE_PID)
        f->lane.pid = integer_id(r->value[TT_USE_PID]);
    if (uses & 1u << TT_USE_TID)
        f->lane.tid = integer_id(r->value[TT_USE_TID]);
    if (uses & 1u << TT_USE_ID)
        f->id = integer_id(r->value[TT_USE_ID]);
    uses &= (1u << TT_USE_RECORDED) - 1;
    for (; uses; uses &= uses - 1) {
        unsigned use = (unsigned)__builtin_ctz(uses);

        f->recorded[use] = (struct tt_recorded){r->value[use], true,
                                                (int64_t)r->value[use] < 0};
    }
}

/* Room for one more element and its slots. */
static inline bool has_room(struct tt_batch *b)
{
    return tt_vec_room(&b->element, &b->cap, b->count, sizeof(*b->element)) &&
           (b->slot_cap - b->slots >= SLOTS_ROOM ||
            tt_vec_grow(&b->slot, &b->slot_cap, b->slots + SLOTS_ROOM,
                        sizeof(*b->slot))) &&
           (b->text_cap - b->texts >= SLOTS_ROOM ||
            tt_vec_grow(&b->text, &b->text_cap, b->texts + SLOTS_ROOM,
                        sizeof(*b->text)));
}

TARGET static inline bool match(struct tt_decoder *d, struct tt_batch *b,
                                uint64_t chunk_offset)
{
    struct tt_layouts *l = &d->layouts;
    struct tt_walk *w = &d->walk;
    size_t slots = b->slots;
    size_t texts = b->texts;
    struct reading r = {.d = d, .end = w->text + w->len};
    uint32_t n = l->likely;
    const char *end = NULL;
    struct tt_layout *layout;
    struct tt_draft f;

    if (!l->count || slots > UINT32_MAX / 2 || !has_room(b))
        return false;
    r.slots = b->slot;
    r.slot = b->slot + slots;
    r.text = b->text + texts;
    end = follow(&r, w->text + w->at, &n);
    if (!end) {
        n = l->first;
        r.first = TT_NO_STEP;
        r.slot = b->slot + slots;
        r.text = b->text + texts;
        end = follow(&r, w->text + w->at, &n);
    }
    if (!end)
        return false;
    n = l->step[n].next[0];
    layout = &l->layout[n];
    f = layout->model.draft;
    f.e = &b->element[b->count];
    *f.e = layout->model.element;
    f.d = d;
    f.b = b;
    f.e->offset = chunk_offset + w->at;
    fill(&f, &r, layout->uses);
    b->slots = (size_t)(r.slot - b->slot);
    b->texts = (size_t)(r.text - b->text);
    if (!tt_draft_end(&f, layout->shape)) {
        b->slots = slots;
        b->texts = texts;
        return false;
    }
    w->at = (size_t)(end - w->text);
    if (l->last)
        l->layout[l->last - 1].likely = r.first;
    l->last = n + 1;
    l->likely = layout->likely;
    return true;
}
