/* gap.c - what the tables of holes share. */
#include "query/gap.h"

int tt_hole_compare(const void *left, const void *right)
{
    const struct tt_hole_order *a = left;
    const struct tt_hole_order *b = right;

    if (a->ns != b->ns)
        return a->ns > b->ns ? -1 : 1;
    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return (a->next > b->next) - (a->next < b->next);
}

const char *tt_gap_class_text(unsigned class)
{
    static const char *const text[] = {"host", "stream", "other", "short"};

    return class < TT_HOLE_CLASSES ? text[class] : "";
}

t2t_id tt_gap_cause(const struct tt_gaps *g, const struct tt_hole *h)
{
    switch ((enum tt_hole_class)h->class) {
    case TT_FOR_HOST:
        return h->call;
    case TT_FOR_STREAM:
        return h->event != TT_NO_EVENT ? tt_gap_event(g, h->event)->id
                                       : h->wait;
    default:
        return T2T_NO_ID;
    }
}

uint32_t tt_gap_cause_name(const struct tt_gaps *g, const struct tt_hole *h)
{
    t2t_id cause = tt_gap_cause(g, h);
    struct t2t_element e;

    if (cause == T2T_NO_ID ||
        t2t_index_element(g->streams.gpu.index, cause, &e))
        return TT_NO_CAUSE;
    return e.name;
}

struct t2t_text tt_gap_text(const struct tt_gaps *g, unsigned class,
                            uint32_t name)
{
    struct t2t_text text;

    if (name == TT_NO_CAUSE)
        return t2t_text_of(class == TT_FOR_HOST ? "(no call)" : "");
    text = t2t_index_string(g->streams.gpu.index, name);
    return text.ptr ? text : t2t_text_of("");
}
