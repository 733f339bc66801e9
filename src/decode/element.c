/* element.c - the members of an element, and what they make together. */
#include <string.h>

#include "base/vec.h"
#include "decode/draft.h"
#include "format/format.h"
#include "model/category.h"

#define LITERAL_BYTES 64 /* longer categories and phases are slots */
#define ENGINE "autograd::engine::evaluate_function:"

_Static_assert(TT_ANOMALY_COUNT <= 32, "tt_element.odd has a bit for each");

/* Notes something odd; it counts once the element is proved. */
static void note(struct tt_draft *f, enum tt_anomaly kind)
{
    f->e->odd |= 1u << kind;
}

static bool is(const char *ptr, const char *key, size_t len)
{
    return !memcmp(ptr, key, len);
}

enum tt_member tt_draft_member(const char *ptr, size_t len)
{
    switch (len) {
    case 2:
        return is(ptr, "ph", 2)   ? TT_MEMBER_PH
               : is(ptr, "ts", 2) ? TT_MEMBER_TS
               : is(ptr, "id", 2) ? TT_MEMBER_ID
                                  : TT_MEMBER_OTHER;
    case 3:
        return is(ptr, "cat", 3)   ? TT_MEMBER_CAT
               : is(ptr, "pid", 3) ? TT_MEMBER_PID
               : is(ptr, "tid", 3) ? TT_MEMBER_TID
               : is(ptr, "dur", 3) ? TT_MEMBER_DUR
                                   : TT_MEMBER_OTHER;
    case 4:
        return is(ptr, "name", 4)   ? TT_MEMBER_NAME
               : is(ptr, "args", 4) ? TT_MEMBER_ARGS
                                    : TT_MEMBER_OTHER;
    default:
        return TT_MEMBER_OTHER;
    }
}

/* A short string that few events differ in: part of the template. */
static void store_literal(struct tt_draft *f, const struct tt_value *decoded)
{
    struct tt_buffer *t = &f->d->template;

    tt_buffer_add_byte(t, '"');
    if (decoded->kind == TT_TEXT_PLAIN)
        tt_buffer_add(t, decoded->ptr, decoded->len);
    else
        tt_text_encode(decoded->ptr, decoded->len, t);
    tt_buffer_add_byte(t, '"');
}

static bool member_phase(struct tt_draft *f, const struct tt_value *v)
{
    struct tt_value text;

    if (v->type != TT_VALUE_STRING)
        return tt_draft_store(f, v);
    text = tt_draft_decoded(f, v);
    f->has_phase = true;
    if (text.len == 1 && (unsigned char)text.ptr[0] < 0x80)
        f->e->phase = (uint8_t)text.ptr[0];
    if (text.len > LITERAL_BYTES)
        return tt_draft_store(f, v);
    store_literal(f, &text);
    return true;
}

static bool member_category(struct tt_draft *f, const struct tt_value *v)
{
    struct tt_value text;

    if (v->type != TT_VALUE_STRING)
        return tt_draft_store(f, v);
    text = tt_draft_decoded(f, v);
    f->e->category = tt_draft_string(f, text.ptr, text.len);
    f->e->layer = (uint8_t)tt_layer_of(text.ptr, text.len);
    if (text.len > LITERAL_BYTES)
        return tt_draft_store(f, v);
    store_literal(f, &text);
    return true;
}

void tt_draft_name(struct tt_draft *f, uint32_t name)
{
    const struct tt_interned *s;

    f->e->name = name;
    f->e->flags &= (uint16_t)~TT_ENGINE;
    if (name == TT_INTERN_FAILED)
        return;
    s = &f->d->strings.item[name];
    if (s->len >= sizeof(ENGINE) - 1 &&
        !memcmp(s->ptr, ENGINE, sizeof(ENGINE) - 1))
        f->e->flags |= TT_ENGINE;
}

static bool member_name(struct tt_draft *f, const struct tt_value *v)
{
    struct tt_value text;

    if (v->type != TT_VALUE_STRING)
        return tt_draft_store(f, v);
    text = tt_draft_decoded(f, v);
    tt_draft_name(f, tt_draft_string(f, text.ptr, text.len));
    tt_draft_hole(f, TT_HOLE_NAME);
    return true;
}

/* Whether the lane's id, written out, is this value again. */
static bool id_says_it(struct tt_id id, const struct tt_value *v)
{
    if (v->type == TT_VALUE_NUMBER)
        return (id.kind == TT_ID_INTEGER || id.kind == TT_ID_UNSIGNED) &&
               (id.value || v->len == 1); /* not -0 */
    return v->type == TT_VALUE_STRING && id.kind == TT_ID_TEXT;
}

static bool member_id(struct tt_draft *f, const struct tt_value *v,
                      struct tt_id *id, char hole)
{
    *id = tt_draft_id(f, v);
    if (!hole || !id_says_it(*id, v))
        return tt_draft_store(f, v);
    tt_draft_hole(f, hole);
    return true;
}

static uint32_t odd_time(const struct tt_value *v, const struct tt_time *time)
{
    uint32_t odd = 0;

    if (v->type == TT_VALUE_STRING)
        odd |= 1u << TT_ANOMALY_QUOTED_TIME;
    if (time->exponent)
        odd |= 1u << TT_ANOMALY_EXPONENT_TIME;
    if (time->rounded)
        odd |= 1u << TT_ANOMALY_ROUNDED_TIME;
    return odd;
}

static bool member_start(struct tt_draft *f, const struct tt_value *v)
{
    struct tt_time time;

    if (!tt_draft_time(f, v, &time))
        return tt_draft_store(f, v);
    f->ts_odd = odd_time(v, &time);
    if (time.ns < INT64_MIN || time.ns > INT64_MAX)
        return tt_draft_store(f, v);
    f->e->start_ns = (int64_t)time.ns;
    f->e->flags |= TT_HAS_START;
    if (time.ns < 0)
        f->ts_odd |= 1u << TT_ANOMALY_NEGATIVE_TIME;
    if (!time.canonical || time.ns == TT_NO_TIME)
        return tt_draft_store(f, v);
    tt_draft_hole(f, TT_HOLE_START);
    return true;
}

static bool member_duration(struct tt_draft *f, const struct tt_value *v)
{
    struct tt_time time;

    if (!tt_draft_time(f, v, &time))
        return tt_draft_store(f, v);
    f->dur_odd = odd_time(v, &time);
    f->dur_known = true;
    f->dur_ns = time.ns;
    if (!time.canonical || time.ns < 0)
        return tt_draft_store(f, v);
    f->dur_hole = true;
    tt_draft_hole(f, TT_HOLE_DURATION);
    return true;
}

static bool read_member(struct tt_draft *f, enum tt_member member)
{
    struct tt_walk *w = &f->d->walk;
    struct tt_value v;

    if (member == TT_MEMBER_ARGS && tt_walk_peek(w) == '{')
        return tt_draft_args(f);
    if (!tt_walk_value(w, &v))
        return false;
    switch (member) {
    case TT_MEMBER_PH:
        return member_phase(f, &v);
    case TT_MEMBER_CAT:
        return member_category(f, &v);
    case TT_MEMBER_NAME:
        return member_name(f, &v);
    case TT_MEMBER_PID:
        return member_id(f, &v, &f->lane.pid, TT_HOLE_PID);
    case TT_MEMBER_TID:
        return member_id(f, &v, &f->lane.tid, TT_HOLE_TID);
    case TT_MEMBER_TS:
        return member_start(f, &v);
    case TT_MEMBER_DUR:
        return member_duration(f, &v);
    case TT_MEMBER_ID:
        return member_id(f, &v, &f->id, 0);
    case TT_MEMBER_ARGS:
        f->args_odd = 1u << TT_ANOMALY_BAD_ARGUMENTS;
        return tt_draft_store(f, &v);
    case TT_MEMBER_OTHER:
        break;
    }
    return tt_draft_store(f, &v);
}

/* Forgets what a member said before: of duplicates the last counts. */
static void forget(struct tt_draft *f, enum tt_member member)
{
    f->whole = true;
    switch (member) {
    case TT_MEMBER_PH:
        f->has_phase = false;
        f->e->phase = 0;
        break;
    case TT_MEMBER_CAT:
        f->e->category = TT_NO_STRING;
        f->e->layer = T2T_LAYER_NONE;
        break;
    case TT_MEMBER_NAME:
        f->e->name = TT_NO_STRING;
        f->e->flags &= (uint16_t)~TT_ENGINE;
        break;
    case TT_MEMBER_TS:
        f->ts_odd = 0;
        f->e->flags &= (uint16_t)~TT_HAS_START;
        break;
    case TT_MEMBER_DUR:
        f->dur_odd = 0;
        f->dur_known = false;
        break;
    case TT_MEMBER_ARGS:
        f->args_odd = 0;
        f->label = TT_NO_STRING;
        memset(f->recorded, 0, sizeof(f->recorded));
        break;
    default:
        break;
    }
}

static bool read_members(struct tt_draft *f)
{
    struct tt_walk *w = &f->d->walk;

    tt_buffer_add_byte(&f->d->template, '{');
    if (!tt_walk_open(w))
        return false;
    if (tt_walk_take(w, '}'))
        goto closed;
    do {
        struct tt_value key, plain;
        enum tt_member member;

        if (tt_walk_peek(w) != '"' || !tt_walk_string(w, &key) ||
            !tt_walk_take(w, ':'))
            return false;
        tt_draft_key(f, &key);
        plain = tt_draft_decoded(f, &key);
        member = tt_draft_member(plain.ptr, plain.len);
        if (member != TT_MEMBER_OTHER && f->seen & 1u << member)
            forget(f, member);
        f->seen |= 1u << member;
        w->depth = 2; /* the array, the element */
        if (!read_member(f, member))
            return false;
    } while (tt_walk_take(w, ','));
    if (!tt_walk_take(w, '}'))
        return false;
closed:
    tt_buffer_add_byte(&f->d->template, '}');
    return true;
}

/* The end of an event, from its start, phase and duration. */
static void settle_times(struct tt_draft *f)
{
    struct tt_element *e = f->e;
    __int128 end;

    if (!(e->flags & TT_HAS_START)) {
        e->start_ns = TT_NO_TIME;
        if (e->phase != 'M')
            note(f, TT_ANOMALY_NO_TIME);
    }
    e->end_ns = e->start_ns;
    if (e->phase == 'X') {
        if (!(f->seen & 1u << TT_MEMBER_DUR))
            note(f, TT_ANOMALY_NO_DURATION);
        else if (!f->dur_known || f->dur_ns < 0)
            note(f, TT_ANOMALY_BAD_DURATION);
    }
    if (e->phase != 'X' || !(e->flags & TT_HAS_START)) {
        f->whole |= f->dur_hole; /* the column will not hold it */
        return;
    }
    e->flags |= TT_HAS_END;
    if (!f->dur_known || f->dur_ns < 0)
        f->dur_ns = 0;
    end = e->start_ns + f->dur_ns;
    if (end > INT64_MAX) {
        end = INT64_MAX;
        note(f, TT_ANOMALY_END_OVERFLOW);
        f->whole |= f->dur_hole;
    }
    e->end_ns = (int64_t)end;
}

static void set_a(struct tt_element *e, const struct tt_recorded *r)
{
    e->a = r->value;
    if (r->set)
        e->flags |= TT_A_SET;
    if (r->negative)
        e->flags |= TT_A_NEGATIVE;
}

static void set_b(struct tt_element *e, const struct tt_recorded *r)
{
    e->b = r->value;
    if (r->set)
        e->flags |= TT_B_SET;
    if (r->negative)
        e->flags |= TT_B_NEGATIVE;
}

static bool same(const struct tt_recorded *a, const struct tt_recorded *b)
{
    return a->set && b->set && a->value == b->value &&
           a->negative == b->negative;
}

/* The recorded numbers that the event's layer goes by. */
static void settle_numbers(struct tt_draft *f)
{
    struct tt_element *e = f->e;
    const struct tt_recorded *number = f->recorded;

    switch ((enum t2t_layer)e->layer) {
    case T2T_LAYER_PYTHON:
        set_a(e, &number[TT_USE_PYTHON_ID]);
        set_b(e, &number[TT_USE_PYTHON_PARENT_ID]);
        return;
    case T2T_LAYER_OPERATION:
        set_a(e, &number[TT_USE_EXTERNAL_ID]);
        set_b(e, &number[TT_USE_SEQUENCE_NUMBER]);
        if (number[TT_USE_FORWARD_THREAD].set)
            e->flags |= TT_FWD_SET;
        if (number[TT_USE_FORWARD_THREAD].set &&
            !number[TT_USE_FORWARD_THREAD].value)
            e->flags |= TT_FWD_ZERO;
        return;
    case T2T_LAYER_LAUNCH:
        if (same(&number[TT_USE_EXTERNAL_ID], &number[TT_USE_CORRELATION]))
            e->flags |= TT_B_OWN;
        /* fall through */
    case T2T_LAYER_GPU:
        set_a(e, &number[TT_USE_CORRELATION]);
        set_b(e, &number[TT_USE_EXTERNAL_ID]);
        return;
    case T2T_LAYER_NONE:
        break;
    }
}

static bool is_text(const struct tt_draft *f, uint32_t string, const char *text)
{
    const struct tt_interned *s;

    if (string == TT_NO_STRING)
        return false;
    s = &f->d->strings.item[string];
    return s->len == strlen(text) && !memcmp(s->ptr, text, s->len);
}

/* The id that a flow goes by. */
static void settle_flow(struct tt_element *e, const struct tt_id *id)
{
    e->a = id->value;
    if (id->kind != TT_ID_MISSING)
        e->flags |= TT_A_SET;
    if (id->kind == TT_ID_TEXT)
        e->flags |= TT_A_TEXT;
    if (id->kind == TT_ID_TEXT && id->is_json)
        e->flags |= TT_A_JSON;
    if (id->kind == TT_ID_INTEGER && (int64_t)id->value < 0)
        e->flags |= TT_A_NEGATIVE;
}

/* Flows and names of threads: elements outside the tree that matter to it. */
static void settle_outside(struct tt_draft *f)
{
    struct tt_element *e = f->e;
    uint32_t cat = e->category;

    if (e->phase == 's' || e->phase == 'f') {
        if (is_text(f, cat, "ac2g") || is_text(f, cat, "async_cpu_to_gpu"))
            e->flags |= TT_FLOW_LAUNCH;
        if (is_text(f, cat, "fwdbwd") || is_text(f, cat, "forward_backward"))
            e->flags |= TT_FLOW_FORWARD;
        settle_flow(e, &f->id);
    }
    if (e->phase == 'M' && f->label != TT_NO_STRING) {
        if (is_text(f, e->name, "process_name"))
            e->flags |= TT_PROCESS_NAME;
        if (is_text(f, e->name, "thread_name"))
            e->flags |= TT_THREAD_NAME;
        e->b = f->label;
    }
}

static void settle(struct tt_draft *f)
{
    struct tt_element *e = f->e;

    if (!f->has_phase)
        note(f, TT_ANOMALY_NO_PHASE);
    e->odd |= f->ts_odd | f->dur_odd | f->args_odd;
    if (e->phase == 'X' && e->name == TT_NO_STRING)
        note(f, TT_ANOMALY_NO_NAME);
    if (e->phase == 'X' && e->category == TT_NO_STRING)
        note(f, TT_ANOMALY_NO_CATEGORY);
    settle_times(f);
    settle_numbers(f);
    settle_outside(f);
    f->lane.side = (uint8_t)tt_side_of(e->layer);
    e->lane = tt_lanes_add(&f->d->lanes, &f->lane);
    f->d->no_memory |= e->lane == TT_LANES_FAILED;
}

/* The element before, or NULL for the first of the batch. */
static const struct tt_element *last_of(const struct tt_batch *b)
{
    return b->count ? &b->element[b->count - 1] : NULL;
}

static size_t slots_of(const struct tt_draft *f)
{
    const struct tt_element *before = last_of(f->b);

    return f->b->slots - (before ? before->slots : 0);
}

/* Stores the whole element as one text. */
static bool store_whole(struct tt_draft *f, size_t start)
{
    struct tt_walk *w = &f->d->walk;
    const struct tt_element *before = last_of(f->b);
    struct tt_value v = {.type = TT_VALUE_CONTAINER,
                         .ptr = w->text + start,
                         .len = w->at - start};

    f->b->slots = before ? before->slots : 0;
    f->b->texts = before ? before->texts : 0;
    tt_buffer_clear(&f->d->template);
    if (!tt_draft_store(f, &v))
        return false;
    f->e->shape = tt_draft_string(f, f->d->template.ptr, f->d->template.len);
    return true;
}

/* The element is done. */
static void append(struct tt_draft *f)
{
    struct tt_batch *b = f->b;

    f->e->slots = (uint32_t)b->slots;
    f->e->texts = (uint32_t)b->texts;
    b->count++;
}

/* Keeps the draft for a layout. */
static void keep(struct tt_layouts *l, const struct tt_draft *f)
{
    if (!l->model)
        return;
    l->model->draft = *f;
    l->model->element = *f->e;
}

bool tt_draft_element(struct tt_decoder *d, struct tt_batch *b,
                      uint64_t chunk_offset)
{
    struct tt_walk *w = &d->walk;
    struct tt_draft f = {.d = d, .b = b, .label = TT_NO_STRING};
    struct tt_value v;
    size_t start;
    bool object = tt_walk_peek(w) == '{';

    if (!tt_vec_room(&b->element, &b->cap, b->count, sizeof(*b->element))) {
        d->no_memory = true;
        return false;
    }
    start = w->at;
    w->depth = 1; /* the array */
    f.e = &b->element[b->count];
    *f.e = (struct tt_element){.odd = 0};
    f.e->offset = chunk_offset + start;
    f.e->name = f.e->category = TT_NO_STRING;
    f.e->lane = TT_NO_LANE;
    f.e->start_ns = f.e->end_ns = TT_NO_TIME;
    tt_buffer_clear(&d->template);
    if (object ? !read_members(&f)
               : !tt_walk_value(w, &v) || !tt_draft_store(&f, &v))
        return false;
    if (object) {
        f.e->flags |= TT_OBJECT;
        keep(&d->layouts, &f);
        settle(&f);
    } else {
        note(&f, TT_ANOMALY_NOT_AN_OBJECT);
    }
    f.e->shape = tt_draft_string(&f, d->template.ptr, d->template.len);
    if (f.e->shape != TT_NO_STRING && /* there was memory */
        tt_repeats_ask(&d->repeats, f.e->shape, d->template.ptr,
                       d->template.len))
        note(&f, TT_ANOMALY_DUPLICATE_KEY);
    if (slots_of(&f) > TT_VALUES_MAX)
        f.whole = true;
    d->layouts.fit =
        object && !f.whole && !(f.e->odd & 1u << TT_ANOMALY_DUPLICATE_KEY);
    if (f.whole && !store_whole(&f, start))
        return false;

    d->no_memory |= d->template.failed;
    append(&f);
    return !d->no_memory;
}

bool tt_draft_end(struct tt_draft *f, uint32_t shape)
{
    settle(f);
    if (f->whole || f->d->no_memory)
        return false;
    f->e->shape = shape;
    append(f);
    return true;
}
