/* inbox.c - numbers of workers become numbers of the index. */
#include "merge/inbox.h"

#include <stdlib.h>

#include <trace2tree/index.h>

#include "base/anonymous.h"
#include "base/vec.h"
#include "merge/order.h"

#define UNKNOWN UINT32_MAX
#define MAX_CATEGORIES 65535u /* doc/format.md, CATEGORY is a u16 */
#define MAX_ELEMENTS 4294967294u

/* A worker's string and what the index calls it, once it was used as that. */
struct known_string {
    struct tt_interned text;
    uint32_t number;   /* of the text as it is, or UNKNOWN */
    uint32_t shown[2]; /* of the text that may be seen, if it is one that was
                          decoded or compact JSON, or UNKNOWN */
    uint32_t shape;    /* of the template that it is, or UNKNOWN */
    uint32_t category; /* that it is, or UNKNOWN */
};

struct known_lane {
    struct tt_lane lane; /* texts are the worker's strings */
    uint32_t number;
};

struct known {
    struct known_string *string;
    size_t string_cap;
    size_t strings;
    struct known_lane *lane;
    size_t lane_cap;
    size_t lanes;
};

struct tt_inbox {
    struct tt_trace *trace;
    struct known *known; /* by worker, owned */
    size_t workers;
    bool discreet;
    struct tt_buffer text; /* one without its folders */
};

struct tt_inbox *tt_inbox_create(struct tt_trace *trace, size_t workers)
{
    struct tt_inbox *in = calloc(1, sizeof(*in));

    if (!in)
        return NULL;
    in->trace = trace;
    in->workers = workers;
    in->known = calloc(workers, sizeof(*in->known));
    if (!in->known) {
        free(in);
        return NULL;
    }
    return in;
}

void tt_inbox_be_discreet(struct tt_inbox *in)
{
    in->discreet = true;
}

void tt_inbox_free(struct tt_inbox *in)
{
    if (!in)
        return;
    tt_buffer_release(&in->text);
    for (size_t i = 0; i < in->workers; i++) {
        free(in->known[i].string);
        free(in->known[i].lane);
    }
    free(in->known);
    free(in);
}

static enum t2t_status no_memory(struct t2t_error *err)
{
    return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
}

enum t2t_status tt_inbox_learn(struct tt_inbox *in, const struct tt_batch *b,
                               size_t worker, struct t2t_error *err)
{
    struct known *k = &in->known[worker];

    if (b->forgets)
        k->strings = k->lanes = 0;
    for (size_t i = 0; i < b->fresh_count; i++) {
        if (!tt_vec_room(&k->string, &k->string_cap, k->strings,
                         sizeof(*k->string)))
            return no_memory(err);
        k->string[k->strings++] = (struct known_string){
            b->fresh[i], UNKNOWN, {UNKNOWN, UNKNOWN}, UNKNOWN, UNKNOWN};
    }
    for (size_t i = 0; i < b->lanes; i++) {
        if (!tt_vec_room(&k->lane, &k->lane_cap, k->lanes, sizeof(*k->lane)))
            return no_memory(err);
        k->lane[k->lanes++] = (struct known_lane){b->lane[i], UNKNOWN};
    }
    return T2T_OK;
}

/* The index's number of a worker's string as it is; UNKNOWN when memory is
 * short. */
static uint32_t number_of(struct tt_inbox *in, struct known *k, uint32_t number)
{
    struct known_string *s = &k->string[number];

    if (s->number == UNKNOWN)
        s->number =
            tt_intern_add(&in->trace->strings, s->text.ptr, s->text.len);
    return s->number;
}

/* The same of what may be seen of it. */
static uint32_t shown_of(struct tt_inbox *in, struct known *k, uint32_t number,
                         bool is_json)
{
    struct known_string *s = &k->string[number];
    uint32_t *shown = &s->shown[is_json];

    if (*shown != UNKNOWN)
        return *shown;
    if (!in->discreet ||
        !tt_anonymous_text(s->text.ptr, s->text.len, is_json, &in->text))
        *shown = number_of(in, k, number);
    else if (!in->text.failed)
        *shown = tt_intern_add(&in->trace->strings, in->text.ptr, in->text.len);
    return *shown;
}

/* That of a text that was decoded, and that of one that is JSON. */
static uint32_t string_of(struct tt_inbox *in, struct known *k, uint32_t number)
{
    return shown_of(in, k, number, false);
}

static uint32_t value_of(struct tt_inbox *in, struct known *k, uint32_t number)
{
    return shown_of(in, k, number, true);
}

static bool id_of(struct tt_inbox *in, struct known *k, struct tt_id *id)
{
    if (id->kind == TT_ID_TEXT)
        id->value = shown_of(in, k, (uint32_t)id->value, id->is_json);
    return id->kind != TT_ID_TEXT || id->value != UNKNOWN;
}

/* The index's number of a worker's lane; UNKNOWN when memory is short. */
static uint32_t lane_of(struct tt_inbox *in, struct known *k, uint32_t number)
{
    struct known_lane *l = &k->lane[number];

    if (l->number == UNKNOWN) {
        struct tt_lane lane = l->lane;

        if (!id_of(in, k, &lane.pid) || !id_of(in, k, &lane.tid))
            return UNKNOWN;
        l->number = tt_trace_lane(in->trace, &lane);
    }
    return l->number;
}

static uint32_t category_of(struct tt_inbox *in, struct known *k,
                            uint32_t number)
{
    struct tt_trace *t = in->trace;
    uint32_t string, *category;

    if (number != TT_NO_STRING) {
        category = &k->string[number].category;
        if (*category != UNKNOWN)
            return *category;
        string = string_of(in, k, number);
        if (string != UNKNOWN)
            *category = tt_role_number(&t->categories, string, MAX_CATEGORIES);
        return *category;
    }
    if (t->none_category == UINT32_MAX) {
        if (!tt_memory_room(t->memory, &t->categories.string,
                            &t->categories.string_cap, t->categories.count,
                            sizeof(uint32_t)))
            return UNKNOWN;
        t->none_category = (uint32_t)t->categories.count++;
        t->categories.string[t->none_category] = TT_NO_STRING;
    }
    return t->none_category;
}

/* The index's number of a shape; UNKNOWN when memory is short. */
static uint32_t shape_of(struct tt_inbox *in, struct known *k, uint32_t number)
{
    uint32_t *shape = &k->string[number].shape;
    uint32_t string;

    if (*shape != UNKNOWN)
        return *shape;
    string = value_of(in, k, number); /* in which phases and keys are */
    if (string != UNKNOWN)
        *shape = tt_role_number(&in->trace->shapes, string, UINT32_MAX - 1);
    return *shape;
}

/* Gives a flow whose id is a text the number of that. */
static bool translate_flow(struct tt_inbox *in, struct known *k,
                           struct tt_element *e)
{
    e->a = shown_of(in, k, (uint32_t)e->a, (e->flags & TT_A_JSON) != 0);
    e->flags &= (uint16_t)~TT_A_JSON;
    return e->a != UNKNOWN;
}

/* Gives the texts in an element's slots the numbers of the index. */
static bool translate_slots(struct tt_inbox *in, struct known *k,
                            struct tt_batch *b, size_t text, size_t end)
{
    for (; text < end; text++) {
        uint64_t *slot = &b->slot[b->text[text]];

        *slot = value_of(in, k, (uint32_t)*slot);
        if (*slot == UNKNOWN)
            return false;
    }
    return true;
}

/* Gives an element and its slots the numbers of the index. */
static bool translate(struct tt_inbox *in, struct known *k, struct tt_batch *b,
                      struct tt_element *e, size_t text)
{
    e->shape = shape_of(in, k, e->shape);
    e->category = category_of(in, k, e->category);
    if (e->shape == UNKNOWN || e->category == UNKNOWN)
        return false;
    if (e->name != TT_NO_STRING) {
        e->name = string_of(in, k, e->name);
        if (e->name == UNKNOWN)
            return false;
    }
    if (e->lane != TT_NO_LANE) {
        e->lane = lane_of(in, k, e->lane);
        if (e->lane == UNKNOWN)
            return false;
    }
    if (e->flags & TT_A_TEXT && !translate_flow(in, k, e))
        return false;
    return translate_slots(in, k, b, text, e->texts);
}

/* The names that metadata events give; the last one counts. */
static bool take_names(struct tt_inbox *in, struct known *k,
                       const struct tt_element *e)
{
    struct tt_trace *t = in->trace;
    uint32_t label = string_of(in, k, (uint32_t)e->b);
    struct tt_id pid = t->lanes.lane[e->lane].pid;
    uint32_t *name;

    if (label == UNKNOWN)
        return false;
    if (e->flags & TT_PROCESS_NAME) {
        name = tt_idmap_put(&t->process_names, pid.kind, pid.value, label);
        if (!name)
            return false;
        *name = label;
    } else {
        t->thread[t->lane[e->lane].thread].name = label;
    }
    return true;
}

/* Pairs B with E and keeps the latest time of a thread. */
static bool take_time(struct tt_inbox *in, const struct tt_element *e,
                      uint32_t position, int64_t *end_ns)
{
    struct tt_trace *t = in->trace;
    struct tt_thread *thread = &t->thread[t->lane[e->lane].thread];

    if (e->phase != 'X' && e->phase != 'B' && e->phase != 'E')
        return true;
    if (!thread->seen || thread->last_ns < e->end_ns)
        thread->last_ns = e->end_ns;
    thread->seen = true;
    if (e->phase == 'B') {
        if (!tt_memory_room(t->memory, &thread->open, &thread->open_cap,
                            thread->open_count, sizeof(*thread->open)))
            return false;
        thread->open[thread->open_count++] =
            (struct tt_open_begin){e->start_ns, end_ns, e->offset, position};
    } else if (e->phase == 'E' && thread->open_count) {
        const struct tt_open_begin *b = &thread->open[--thread->open_count];

        if (*b->end_ns < e->start_ns)
            *b->end_ns = e->start_ns;
    } else if (e->phase == 'E') {
        tt_anomaly_note(&t->anomalies, TT_ANOMALY_UNMATCHED_END, position,
                        e->offset);
    }
    return true;
}

/* What the later steps want to know before they start. */
static void take_notice(struct tt_trace *t, const struct tt_element *e)
{
    t->node_count++;
    if (e->layer == T2T_LAYER_GPU)
        t->gpu_count++;
    if (e->layer == T2T_LAYER_LAUNCH && e->a && (e->flags & TT_A_SET) &&
        !(e->flags & TT_A_NEGATIVE))
        t->has_correlation = true;
    if (e->layer == T2T_LAYER_OPERATION && (e->flags & TT_ENGINE))
        t->has_engine = true;
}

/* Lists a launch, so that the links need not look for them. */
static bool add_launch(struct tt_trace *t, struct tt_event *event,
                       uint32_t lane)
{
    struct tt_launch *launch = tt_blocks_add(&t->launches, sizeof(*launch));

    if (launch)
        *launch = (struct tt_launch){.event = event, .lane = lane};
    return launch != NULL;
}

/* Puts an event into its lane; where its end is, or NULL without memory. */
static int64_t *add_event(struct tt_trace *t, const struct tt_element *e,
                          uint32_t position)
{
    struct tt_lane_events *lane = &t->lane[e->lane];
    size_t count = lane->events.count;
    struct tt_event *event = tt_blocks_add(&lane->events, sizeof(*event));

    if (!event)
        return NULL;
    *event = (struct tt_event){.start_ns = e->start_ns,
                               .end_ns = e->end_ns,
                               .a = e->a,
                               .b = e->b,
                               .name = e->name,
                               .position = position,
                               .category = (uint16_t)e->category,
                               .flags = e->flags,
                               .phase = e->phase,
                               .layer = e->layer};
    if (count && !tt_order_keeps(tt_lane_event(lane, count - 1), event)) {
        if (!tt_memory_room(t->memory, &lane->run, &lane->run_cap, lane->runs,
                            sizeof(*lane->run)))
            return NULL;
        lane->run[lane->runs++] = (uint32_t)count;
    }
    if (e->layer == T2T_LAYER_LAUNCH && !add_launch(t, event, e->lane))
        return NULL;
    take_notice(t, e);
    return &event->end_ns;
}

static int64_t *add_other(struct tt_trace *t, const struct tt_element *e,
                          uint32_t position)
{
    struct tt_other *other = tt_blocks_add(&t->others, sizeof(*other));

    if (!other)
        return NULL;
    *other = (struct tt_other){.start_ns = e->start_ns,
                               .end_ns = e->end_ns,
                               .a = e->a,
                               .name = e->name,
                               .position = position,
                               .lane = e->lane,
                               .category = (uint16_t)e->category,
                               .flags = e->flags,
                               .phase = e->phase};
    t->has_forward_flow |= (e->flags & TT_FLOW_FORWARD) != 0;
    return &other->end_ns;
}

static bool take_element(struct tt_inbox *in, struct known *k,
                         const struct tt_element *e, uint32_t position)
{
    struct tt_trace *t = in->trace;
    bool timed = (e->flags & TT_HAS_START) && (e->flags & TT_OBJECT);
    int64_t *end_ns;

    if (timed && e->layer && (e->phase == 'X' || e->phase == 'B'))
        end_ns = add_event(t, e, position);
    else
        end_ns = add_other(t, e, position);
    if (!end_ns)
        return false;
    if (e->lane != TT_NO_LANE)
        t->lane[e->lane].element_count++;
    if (e->flags & (TT_PROCESS_NAME | TT_THREAD_NAME) && !take_names(in, k, e))
        return false;
    return !timed || take_time(in, e, position, end_ns);
}

/* Says what is odd about an element, which its batch has counted. */
static void tell_odd(const struct tt_anomaly_listener *l,
                     const struct tt_element *e, uint32_t position)
{
    for (uint32_t odd = e->odd; odd; odd &= odd - 1)
        l->hear(l->context, (enum tt_anomaly)__builtin_ctz(odd), position,
                e->offset);
}

enum t2t_status tt_inbox_take(struct tt_inbox *in, struct tt_batch *b,
                              size_t worker, struct t2t_error *err)
{
    struct tt_trace *t = in->trace;
    struct known *k = &in->known[worker];
    size_t text = 0;

    if (b->count > MAX_ELEMENTS - t->element_count)
        return tt_error(err, T2T_ERR_LIMIT, b->offset,
                        "more than %u elements in traceEvents", MAX_ELEMENTS);
    tt_anomalies_add(&t->anomalies, &b->anomalies, t->element_count);
    for (size_t i = 0; i < b->count; i++) {
        struct tt_element *e = &b->element[i];

        if (!translate(in, k, b, e, text)) {
            if (t->categories.count >= MAX_CATEGORIES)
                return tt_error(err, T2T_ERR_LIMIT, e->offset,
                                "more than %u different categories",
                                MAX_CATEGORIES);
            return no_memory(err);
        }
        text = e->texts;
        if (t->anomalies.listener.hear)
            tell_odd(&t->anomalies.listener, e, t->element_count);
        if (!take_element(in, k, e, t->element_count))
            return no_memory(err);
        t->element_count++;
    }
    return T2T_OK;
}

void tt_inbox_finish(struct tt_inbox *in)
{
    struct tt_trace *t = in->trace;

    for (size_t i = 0; i < t->thread_count; i++) {
        const struct tt_thread *thread = &t->thread[i];

        for (size_t n = 0; n < thread->open_count; n++) {
            const struct tt_open_begin *b = &thread->open[n];

            *b->end_ns = thread->last_ns;
            tt_anomaly_note(&t->anomalies, TT_ANOMALY_UNCLOSED_BEGIN,
                            b->position, b->offset);
        }
    }
}
