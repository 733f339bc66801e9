/* anomaly.c - counts of odd things, and their texts. */
#include "model/anomaly.h"

#include <stdbool.h>

#include <trace2tree/status.h>

void tt_anomalies_init(struct tt_anomalies *a)
{
    a->listener = (struct tt_anomaly_listener){0};
    for (int i = 0; i < TT_ANOMALY_COUNT; i++) {
        a->count[i] = 0;
        a->first_position[i] = TT_NO_POSITION;
        a->first_offset[i] = T2T_NO_OFFSET;
    }
}

static void keep_first(struct tt_anomalies *a, int kind, uint64_t position,
                       uint64_t offset)
{
    bool same = position == a->first_position[kind];

    if (position > a->first_position[kind])
        return;
    if (same && offset >= a->first_offset[kind])
        return;
    a->first_position[kind] = position;
    a->first_offset[kind] = offset;
}

void tt_anomaly_note(struct tt_anomalies *a, enum tt_anomaly kind,
                     uint64_t position, uint64_t offset)
{
    a->count[kind]++;
    keep_first(a, (int)kind, position, offset);
    if (a->listener.hear)
        a->listener.hear(a->listener.context, kind, position, offset);
}

void tt_anomalies_add(struct tt_anomalies *to, const struct tt_anomalies *from,
                      uint64_t position_base)
{
    for (int i = 0; i < TT_ANOMALY_COUNT; i++) {
        uint64_t position = from->first_position[i];

        if (!from->count[i])
            continue;
        if (position != TT_NO_POSITION)
            position += position_base;
        to->count[i] += from->count[i];
        keep_first(to, i, position, from->first_offset[i]);
    }
}

const char *tt_anomaly_name(uint32_t kind)
{
    switch (kind) {
#define X(name, number, text, what)                                            \
    case number:                                                               \
        return text;
        TT_ANOMALY_MAP(X)
#undef X
    default:
        return "unknown";
    }
}

bool tt_anomaly_is_repair(uint32_t kind)
{
    return kind >= TT_ANOMALY_REPAIRED_ESCAPE &&
           kind <= TT_ANOMALY_ARRAY_NOT_CLOSED;
}

const char *tt_anomaly_what(uint32_t kind)
{
    switch (kind) {
#define X(name, number, text, what)                                            \
    case number:                                                               \
        return what;
        TT_ANOMALY_MAP(X)
#undef X
    default:
        return "of a kind that a later version knows";
    }
}
