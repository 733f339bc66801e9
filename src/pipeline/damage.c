/* damage.c - which repair is which odd thing; the list of losses. */
#include "pipeline/damage.h"

void tt_damage_release(struct tt_damage *d)
{
    tt_memory_give(d->memory, d->loss, d->loss_cap * sizeof(*d->loss));
}

/* What a repair is, and of which class the damage was. */
static const struct {
    enum tt_anomaly anomaly;
    enum t2t_status class;
} kinds[TT_REPAIR_COUNT] = {
    [TT_REPAIR_ESCAPE] = {TT_ANOMALY_REPAIRED_ESCAPE, T2T_ERR_JSON_ESCAPE},
    [TT_REPAIR_CONTROL_CHAR] = {TT_ANOMALY_REPAIRED_CONTROL_CHAR,
                                T2T_ERR_JSON_CONTROL_CHAR},
    [TT_REPAIR_UTF8] = {TT_ANOMALY_REPAIRED_UTF8, T2T_ERR_UTF8},
    [TT_REPAIR_NUMBER] = {TT_ANOMALY_REPAIRED_NUMBER, T2T_ERR_JSON_NUMBER},
    [TT_REPAIR_COMMA] = {TT_ANOMALY_TRAILING_COMMA, T2T_ERR_JSON_SYNTAX},
    [TT_REPAIR_END] = {TT_ANOMALY_ARRAY_NOT_CLOSED, T2T_ERR_TRUNCATED},
};

void tt_damage_repaired(struct tt_damage *d, struct tt_repair *r,
                        uint64_t position)
{
    for (size_t i = 0; i < r->notes; i++) {
        const struct tt_repair_note *n = &r->note[i];
        struct t2t_damage damage = {.status = kinds[n->kind].class,
                                    .offset = n->offset,
                                    .position = position,
                                    .repaired = true};

        tt_anomaly_note(d->anomalies, kinds[n->kind].anomaly, position,
                        n->offset);
        if (d->tell)
            d->tell(d->context, &damage);
    }
    r->notes = 0;
}

enum t2t_status tt_damage_lose(struct tt_damage *d, uint64_t offset,
                               uint64_t damage, enum t2t_status class,
                               struct t2t_error *err)
{
    if (!tt_memory_room(d->memory, &d->loss, &d->loss_cap, d->losses,
                        sizeof(*d->loss)))
        return tt_error(err, T2T_ERR_NO_MEMORY, TT_NO_OFFSET, "out of memory");
    d->loss[d->losses++] = (struct tt_loss_record){.offset = offset,
                                                   .damage = damage,
                                                   .position = TT_NO_POSITION,
                                                   .class = (uint32_t) - class};
    d->losing = true;
    d->reason = NULL;
    return T2T_OK;
}

void tt_damage_end(struct tt_damage *d, uint64_t offset, uint64_t position)
{
    struct tt_loss_record *loss = tt_damage_loss(d);
    struct t2t_damage damage;

    d->losing = false;
    /* where the first one shows a build ends; of the others it is said where
     * they are, also when it shows later */
    if (d->losses > 1 && loss->damage > offset)
        loss->damage = offset;
    loss->bytes = offset - loss->offset;
    if (loss->elements)
        loss->position = position;
    damage = (struct t2t_damage){
        .status = (enum t2t_status) - (int)loss->class,
        .offset = loss->damage,
        .position = loss->position,
        .lost_offset = loss->offset,
        .lost_bytes = loss->bytes,
        .lost_elements = loss->elements,
        .reason = d->reason,
    };
    if (d->tell)
        d->tell(d->context, &damage);
}
