/* verify_lanes.c - checks lanes against the elements that lie in them. */
#include "index/verify.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "json/scalar.h"

/* What the elements of a lane make of it. */
struct sums {
    uint64_t nodes;    /* of the trees of its roots */
    uint32_t elements; /* of its own */
    t2t_id first;      /* the first root; T2T_NO_ID: none */
    int64_t start_ns;  /* of its nodes, if there are any */
    int64_t end_ns;
    bool has_nodes;
};

int64_t tt_verify_end(const struct t2t_element *e)
{
    int64_t end_ns;

    if (__builtin_add_overflow(e->start_ns, e->dur_ns, &end_ns))
        return INT64_MAX;
    return end_ns;
}

static void add_node(struct sums *s, const struct t2t_element *e)
{
    int64_t end_ns = tt_verify_end(e);

    if (!s->has_nodes || e->start_ns < s->start_ns)
        s->start_ns = e->start_ns;
    if (!s->has_nodes || end_ns > s->end_ns)
        s->end_ns = end_ns;
    s->has_nodes = true;
    if (e->parent != T2T_NO_ID)
        return;
    s->nodes += e->size;
    if (s->first == T2T_NO_ID)
        s->first = e->id;
}

/* Adds up what lies in each lane, and checks the times of all. */
static enum t2t_status add_up(const t2t_index *index, struct sums *sums,
                              struct t2t_error *err)
{
    const struct tt_header *h = index->header;
    struct sums all = {.first = T2T_NO_ID};
    int64_t origin_ns = INT64_MAX;
    bool has_origin = false;

    for (t2t_id id = 0; id < h->element_count; id++) {
        struct t2t_element e;

        (void)t2t_index_element(index, id, &e);
        if (e.lane != T2T_NO_ID)
            sums[e.lane].elements++;
        if (!e.in_tree)
            continue;
        add_node(&sums[e.lane], &e);
        add_node(&all, &e);
        if (!(e.flags & T2T_GPU) || e.start_ns) {
            has_origin = true;
            if (e.start_ns < origin_ns)
                origin_ns = e.start_ns;
        }
    }
    if (h->origin_ns != (has_origin ? origin_ns : 0) ||
        h->last_end_ns != (all.has_nodes ? all.end_ns : 0))
        return tt_error(err, T2T_ERR_INDEX_DAMAGE,
                        offsetof(struct tt_header, origin_ns),
                        "the header has other times");
    return T2T_OK;
}

int tt_verify_order(const struct t2t_lane_id *a, const struct t2t_lane_id *b)
{
    size_t len = a->text.len < b->text.len ? a->text.len : b->text.len;
    int order;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1; /* the enum is in that order */
    switch (a->kind) {
    case T2T_ID_INTEGER:
        return ((int64_t)a->number > (int64_t)b->number) -
               ((int64_t)a->number < (int64_t)b->number);
    case T2T_ID_UNSIGNED:
        return (a->number > b->number) - (a->number < b->number);
    case T2T_ID_TEXT:
        order = len ? memcmp(a->text.ptr, b->text.ptr, len) : 0;
        return order
                   ? order
                   : (a->text.len > b->text.len) - (a->text.len < b->text.len);
    case T2T_ID_MISSING:
        break;
    }
    return 0;
}

/* Whether an id is not the text of a number, which would be that number. */
static bool is_id(const struct t2t_lane_id *id)
{
    uint64_t number;
    bool negative;

    return id->kind != T2T_ID_TEXT ||
           !tt_number_whole(id->text.ptr, id->text.len, &number, &negative);
}

static bool is_behind(const struct t2t_lane *a, const struct t2t_lane *b)
{
    int order = tt_verify_order(&a->pid, &b->pid);

    if (a->side != b->side)
        return a->side > b->side;
    return order ? order > 0 : tt_verify_order(&a->tid, &b->tid) > 0;
}

static const char *what_differs(const t2t_index *index,
                                const struct t2t_lane *lane,
                                const struct sums *s)
{
    uint32_t nodes = index->header->node_count;

    if (lane->element_count != s->elements)
        return "a lane has another number of elements";
    if (lane->node_count != s->nodes ||
        lane->first_node != (s->first == T2T_NO_ID ? nodes : s->first))
        return "a lane has other nodes";
    if (lane->start_ns != (s->has_nodes ? s->start_ns : 0) ||
        lane->end_ns != (s->has_nodes ? s->end_ns : 0))
        return "a lane has other times";
    return NULL;
}

static enum t2t_status check_lanes(const t2t_index *index,
                                   const struct sums *sums,
                                   struct t2t_error *err)
{
    uint32_t strings = index->shapes.strings.count;
    struct t2t_lane before;

    for (uint32_t i = 0; i < index->lane_count; i++) {
        const struct tt_lane_record *r = &index->lanes[i];
        const char *what;
        struct t2t_lane lane;

        if (!tt_index_lane_at(index, i, &lane) || !is_id(&lane.pid) ||
            !is_id(&lane.tid) ||
            (r->process_name != TT_NONE && r->process_name >= strings) ||
            (r->thread_name != TT_NONE && r->thread_name >= strings))
            return tt_damage_at(index, TT_SECTION_LANES, i,
                                "a lane holds an impossible value", err);
        what = what_differs(index, &lane, &sums[i]);
        if (what)
            return tt_damage_at(index, TT_SECTION_LANES, i, what, err);
        if (i && !is_behind(&lane, &before))
            return tt_damage_at(index, TT_SECTION_LANES, i,
                                "lanes are not in order", err);
        before = lane;
    }
    return T2T_OK;
}

enum t2t_status tt_verify_lanes(const t2t_index *index, struct t2t_error *err)
{
    struct sums *sums = calloc((size_t)index->lane_count + 1, sizeof(*sums));
    enum t2t_status st;

    if (!sums)
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    for (uint32_t i = 0; i < index->lane_count; i++)
        sums[i].first = T2T_NO_ID;
    st = add_up(index, sums, err);
    if (!st)
        st = check_lanes(index, sums, err);
    free(sums);
    return st;
}
