/* sieve.c - which GPU events a selection is about. */
#include "query/sieve.h"

#include <stdlib.h>

#include "query/device.h"
#include "query/module.h"

enum t2t_status tt_sieve_open(struct tt_sieve *s, const t2t_index *index,
                              const struct t2t_selection *selection,
                              struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    *s = (struct tt_sieve){.index = index,
                           .selection = selection,
                           .lane = T2T_NO_ID};
    if (selection->steps)
        st = t2t_steps_open(&s->steps, index, err);
    if (!st && selection->module)
        st = tt_module_begins(index, selection->module, &s->begins, err);
    return st;
}

void tt_sieve_close(struct tt_sieve *s)
{
    t2t_steps_close(s->steps);
    free(s->begins);
}

static bool is_in_step(const struct tt_sieve *s, t2t_id id)
{
    uint32_t n = t2t_steps_of(s->steps, id);
    struct t2t_step step;

    return n != T2T_NO_STEP && !t2t_steps_at(s->steps, n, &step) &&
           step.number >= s->selection->first_step &&
           step.number <= s->selection->last_step;
}

/* Whether a GPU event is under the module.  Asked for by ascending ids. */
static bool is_in_module(struct tt_sieve *s, t2t_id id)
{
    for (; s->below <= id; s->below++) {
        struct t2t_element e;

        if (!s->begins[s->below / 8]) {
            s->below |= 7;
            continue;
        }
        if (s->begins[s->below / 8] >> s->below % 8 & 1 &&
            !t2t_index_element(s->index, s->below, &e) &&
            s->below + e.size > s->until)
            s->until = s->below + e.size;
    }
    return id < s->until;
}

static bool is_on_device(struct tt_sieve *s, uint32_t lane)
{
    struct tt_device device;
    struct t2t_lane l;

    if (lane != s->lane) {
        s->lane = lane;
        s->is_on_device = false;
        if (!t2t_index_lane(s->index, lane, &l) && l.side == T2T_DEVICE) {
            tt_device_name(&device, &l.pid);
            s->is_on_device =
                t2t_text_equal(device.label, t2t_text_of(s->selection->device));
        }
    }
    return s->is_on_device;
}

/* Whether an event starts in the window or, where they are cut, reaches in. */
static bool is_between(const struct tt_sieve *s, const struct tt_interval *time)
{
    const struct t2t_selection *by = s->selection;

    return time->start_ns < by->to_ns &&
           (time->start_ns >= by->from_ns ||
            (s->cut && time->end_ns > by->from_ns));
}

bool tt_sieve_passes(struct tt_sieve *s, const struct tt_gpu_event *e)
{
    const struct t2t_selection *by = s->selection;

    return !(by->linked_only && e->launch == T2T_NO_ID) &&
           !(by->between && !is_between(s, &e->time)) &&
           !(by->device && !is_on_device(s, e->lane)) &&
           !(by->steps && !is_in_step(s, e->id)) &&
           !(by->module && !is_in_module(s, e->id));
}
