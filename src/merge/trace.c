/* trace.c - makes, looks up and frees the parts of a trace. */
#include "merge/trace.h"

void tt_trace_init(struct tt_trace *t, struct tt_memory *memory)
{
    *t = (struct tt_trace){.none_category = UINT32_MAX, .memory = memory};
    t->strings.arena.memory = memory;
    t->others.memory = t->launches.memory = memory;
    t->lanes.memory = t->threads.memory = memory;
    t->shapes.memory = t->categories.memory = memory;
    t->process_names.memory = memory;
    tt_anomalies_init(&t->anomalies);
}

static void release_role(struct tt_role *role)
{
    tt_memory_give(role->memory, role->number,
                   role->cap * sizeof(*role->number));
    tt_memory_give(role->memory, role->string,
                   role->string_cap * sizeof(*role->string));
}

void tt_trace_drop_events(struct tt_trace *t)
{
    for (size_t i = 0; i < t->lane_count; i++)
        tt_blocks_release(&t->lane[i].events);
    tt_blocks_release(&t->others);
    tt_blocks_release(&t->launches);
}

void tt_trace_release(struct tt_trace *t)
{
    tt_trace_drop_events(t);
    for (size_t i = 0; i < t->lane_count; i++)
        tt_memory_give(t->memory, t->lane[i].run,
                       t->lane[i].run_cap * sizeof(*t->lane[i].run));
    for (size_t i = 0; i < t->thread_count; i++)
        tt_memory_give(t->memory, t->thread[i].open,
                       t->thread[i].open_cap * sizeof(*t->thread[i].open));
    tt_memory_give(t->memory, t->lane, t->lane_cap * sizeof(*t->lane));
    tt_memory_give(t->memory, t->thread, t->thread_cap * sizeof(*t->thread));
    release_role(&t->shapes);
    release_role(&t->categories);
    tt_lanes_release(&t->lanes);
    tt_lanes_release(&t->threads);
    tt_idmap_release(&t->process_names);
    tt_intern_release(&t->strings);
    tt_trace_init(t, t->memory);
}

uint32_t tt_role_number(struct tt_role *role, uint32_t string, size_t limit)
{
    while (role->cap <= string) {
        size_t before = role->cap;

        if (!tt_memory_grow(role->memory, &role->number, &role->cap, string,
                            sizeof(*role->number)))
            return UINT32_MAX;
        for (size_t i = before; i < role->cap; i++)
            role->number[i] = UINT32_MAX;
    }
    if (role->number[string] != UINT32_MAX)
        return role->number[string];
    if (role->count >= limit ||
        !tt_memory_room(role->memory, &role->string, &role->string_cap,
                        role->count, sizeof(*role->string)))
        return UINT32_MAX;
    role->string[role->count] = string;
    role->number[string] = (uint32_t)role->count++;
    return role->number[string];
}

/* The number of the lane's (pid, tid). */
static uint32_t thread_of(struct tt_trace *t, const struct tt_lane *lane)
{
    struct tt_lane key = {.pid = lane->pid, .tid = lane->tid};
    uint32_t number = tt_lanes_add(&t->threads, &key);

    if (number != TT_LANES_FAILED && number == t->thread_count) {
        if (!tt_memory_room(t->memory, &t->thread, &t->thread_cap, number,
                            sizeof(*t->thread)))
            return TT_LANES_FAILED;
        t->thread[number] = (struct tt_thread){.name = TT_NO_STRING};
        t->thread_count++;
    }
    return number;
}

uint32_t tt_trace_lane(struct tt_trace *t, const struct tt_lane *lane)
{
    uint32_t number = tt_lanes_add(&t->lanes, lane);
    uint32_t thread;

    if (number == TT_LANES_FAILED || number < t->lane_count)
        return number;
    thread = thread_of(t, lane);
    if (thread == TT_LANES_FAILED ||
        !tt_memory_room(t->memory, &t->lane, &t->lane_cap, number,
                        sizeof(*t->lane)))
        return TT_LANES_FAILED;
    t->lane[number] =
        (struct tt_lane_events){.events.memory = t->memory, .thread = thread};
    t->lane_count++;
    return number;
}
