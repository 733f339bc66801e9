/* find.c - finds the elements that a filter lets through. */
#include <trace2tree/find.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "base/vec.h"
#include "query/module.h"
#include "query/pattern.h"

/* Whether a name passes, decided once for each string. */
enum { UNDECIDED, PASSES, FAILS };

/* An element that passes.  The smaller rank comes first, then the id. */
struct hit {
    uint64_t rank;
    t2t_id id;
};

struct search {
    const t2t_index *index;
    const struct t2t_filter *filter;
    struct tt_pattern pattern;
    uint8_t *name;     /* by string, NULL for any name; owned */
    uint8_t *category; /* by category: it passes; NULL for any; owned */
    uint8_t *begins;   /* of module.h, NULL for any module; owned */
    t2t_id until;      /* behind the subtrees of the module that began */
    t2t_id *id;        /* what passes, by id; owned */
    size_t id_cap;
    struct hit *hit; /* what passes, in another order: a heap with the last
                        one on top as soon as it has `most`; owned */
    size_t hit_cap;
    uint32_t count; /* of `id` or `hit` */
    uint32_t most;
    uint32_t matched;
};

static bool is_set(const char *text)
{
    return text && *text;
}

static enum t2t_status name_passes(struct search *s, uint32_t string,
                                   bool *passes, struct t2t_error *err)
{
    struct t2t_text text;
    enum t2t_status st = T2T_OK;

    if (!s->name || string == T2T_NO_ID) {
        *passes = !s->name;
        return T2T_OK;
    }
    if (s->name[string] == UNDECIDED) {
        text = t2t_index_string(s->index, string);
        *passes = false;
        if (text.ptr)
            st = tt_pattern_match(&s->pattern, text, passes, err);
        s->name[string] = *passes ? PASSES : FAILS;
    }
    *passes = s->name[string] == PASSES;
    return st;
}

static bool in_time(const struct search *s, const struct t2t_element *e)
{
    if (e->dur_ns < s->filter->min_dur_ns)
        return false;
    return !s->filter->between ||
           (e->has_start && e->start_ns >= s->filter->from_ns &&
            e->start_ns < s->filter->to_ns);
}

/* Whether element `e` belongs to the module; asked once for each node, in
 * order of id. */
static bool in_module(struct search *s, const struct t2t_element *e)
{
    if (!s->begins)
        return true;
    if (!e->in_tree)
        return false;
    if (s->begins[e->id / 8] >> e->id % 8 & 1 && e->id + e->size > s->until)
        s->until = e->id + e->size;
    return e->id < s->until;
}

static enum t2t_status passes(struct search *s, const struct t2t_element *e,
                              bool *out, struct t2t_error *err)
{
    *out = in_module(s, e);
    if (s->category && !s->category[e->category])
        *out = false;
    if (s->filter->layer && e->layer != s->filter->layer)
        *out = false;
    if (!*out || !in_time(s, e)) {
        *out = false;
        return T2T_OK;
    }
    return name_passes(s, e->name, out, err);
}

static uint64_t rank_of(const struct search *s, const struct t2t_element *e)
{
    switch (s->filter->order) {
    case T2T_BY_DURATION:
        return ~e->dur_ns;
    case T2T_BY_GPU_SUM:
        return ~t2t_index_gpu_sum_ns(s->index, e->id);
    case T2T_BY_START:
        return e->has_start ? (uint64_t)e->start_ns ^ (uint64_t)1 << 63
                            : UINT64_MAX;
    case T2T_BY_ID:
        break;
    }
    return 0;
}

static bool is_before(const struct hit *a, const struct hit *b)
{
    return a->rank < b->rank || (a->rank == b->rank && a->id < b->id);
}

/* Moves the hit at `i` down to where the heap has it. */
static void sink(struct search *s, size_t i)
{
    struct hit hit = s->hit[i];
    size_t child;

    while ((child = 2 * i + 1) < s->count) {
        if (child + 1 < s->count &&
            is_before(&s->hit[child], &s->hit[child + 1]))
            child++;
        if (!is_before(&hit, &s->hit[child]))
            break;
        s->hit[i] = s->hit[child];
        i = child;
    }
    s->hit[i] = hit;
}

/* Takes a hit, instead of the last one where there are enough. */
static enum t2t_status take_hit(struct search *s, const struct t2t_element *e)
{
    struct hit hit = {rank_of(s, e), e->id};

    if (s->count == s->most) {
        if (is_before(&hit, &s->hit[0])) {
            s->hit[0] = hit;
            sink(s, 0);
        }
        return T2T_OK;
    }
    if (!tt_vec_room(&s->hit, &s->hit_cap, s->count, sizeof(*s->hit)))
        return T2T_ERR_NO_MEMORY;
    s->hit[s->count++] = hit;
    if (s->count == s->most)
        for (size_t i = s->count / 2; i--;)
            sink(s, i);
    return T2T_OK;
}

static enum t2t_status take(struct search *s, const struct t2t_element *e)
{
    s->matched++;
    if (s->filter->order != T2T_BY_ID)
        return take_hit(s, e);
    if (s->count == s->most)
        return T2T_OK;
    if (!tt_vec_room(&s->id, &s->id_cap, s->count, sizeof(*s->id)))
        return T2T_ERR_NO_MEMORY;
    s->id[s->count++] = e->id;
    return T2T_OK;
}

static enum t2t_status search(struct search *s, uint32_t end,
                              struct t2t_error *err)
{
    for (t2t_id id = 0; id < end; id++) {
        struct t2t_element e;
        enum t2t_status st;
        bool found;

        if (t2t_index_element(s->index, id, &e))
            return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                            "element %" PRIu32 " holds an impossible value",
                            id);
        st = passes(s, &e, &found, err);
        if (st)
            return st;
        if (found && take(s, &e))
            return tt_no_memory(err);
    }
    return T2T_OK;
}

static int compare_hits(const void *left, const void *right)
{
    const struct hit *a = left;
    const struct hit *b = right;

    return is_before(b, a) - is_before(a, b);
}

/* Makes `id` of the hits; it is not NULL then. */
static enum t2t_status finish(struct search *s, struct t2t_error *err)
{
    if (s->id)
        return T2T_OK;
    s->id = calloc((size_t)s->count + 1, sizeof(*s->id));
    if (!s->id)
        return tt_no_memory(err);
    if (s->hit)
        qsort(s->hit, s->count, sizeof(*s->hit), compare_hits);
    for (size_t i = 0; i < s->count; i++)
        s->id[i] = s->hit[i].id;
    return T2T_OK;
}

/* Decides which categories pass. */
static enum t2t_status choose_categories(struct search *s, uint32_t count,
                                         struct t2t_error *err)
{
    const char *wanted = s->filter->category;

    if (!is_set(wanted))
        return T2T_OK;
    s->category = calloc((size_t)count + 1, 1);
    if (!s->category)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < count; i++) {
        struct t2t_text text = t2t_index_category(s->index, i);

        s->category[i] = text.ptr && text.len == strlen(wanted) &&
                         !memcmp(text.ptr, wanted, text.len);
    }
    return T2T_OK;
}

static enum t2t_status prepare(struct search *s,
                               const struct t2t_index_info *info,
                               struct t2t_error *err)
{
    const struct t2t_filter *f = s->filter;
    enum t2t_status st = T2T_OK;

    if ((unsigned)f->order > T2T_BY_START || (unsigned)f->layer > T2T_LAYER_GPU)
        return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET, "no such %s: %d",
                        (unsigned)f->layer > T2T_LAYER_GPU ? "layer" : "order",
                        (unsigned)f->layer > T2T_LAYER_GPU ? (int)f->layer
                                                           : (int)f->order);
    st = tt_pattern_init(&s->pattern, f, err);
    s->most = f->top ? f->top : UINT32_MAX;
    if (!st)
        st = choose_categories(s, info->category_count, err);
    if (!st && is_set(f->module))
        st = tt_module_begins(s->index, f->module, &s->begins, err);
    if (st || tt_pattern_is_any(&s->pattern))
        return st;
    s->name = calloc((size_t)info->string_count + 1, 1);
    return s->name ? T2T_OK : tt_no_memory(err);
}

enum t2t_status t2t_find(const t2t_index *index,
                         const struct t2t_filter *filter, t2t_id **ids,
                         uint32_t *count, uint32_t *matched,
                         struct t2t_error *err)
{
    static const struct t2t_filter every = {.name = NULL};
    struct search s = {.index = index, .filter = filter ? filter : &every};
    struct t2t_index_info info;
    enum t2t_status st;

    t2t_index_will_scan(index);
    t2t_index_info(index, &info);
    st = prepare(&s, &info, err);
    if (!st)
        st =
            search(&s, s.filter->outside ? info.element_count : info.node_count,
                   err);
    if (!st)
        st = finish(&s, err);
    tt_pattern_release(&s.pattern);
    free(s.name);
    free(s.category);
    free(s.begins);
    free(s.hit);
    if (st) {
        free(s.id);
        return st;
    }
    *ids = s.id;
    *count = s.count;
    if (matched)
        *matched = s.matched;
    return T2T_OK;
}
