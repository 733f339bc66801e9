/* device.c - the GPUs of an index. */
#include "query/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

/* Integers ascending, then text. */
static int compare_devices(const void *left, const void *right)
{
    const struct tt_device *a = left;
    const struct tt_device *b = right;
    bool a_text = a->pid.kind == T2T_ID_TEXT;
    bool b_text = b->pid.kind == T2T_ID_TEXT;
    size_t len = a->label.len < b->label.len ? a->label.len : b->label.len;
    int order;

    if (a_text != b_text)
        return a_text ? 1 : -1;
    if (!a_text && a->pid.kind != b->pid.kind)
        return a->pid.kind == T2T_ID_INTEGER ? -1 : 1;
    if (a->pid.kind == T2T_ID_INTEGER)
        return ((int64_t)a->pid.number > (int64_t)b->pid.number) -
               ((int64_t)a->pid.number < (int64_t)b->pid.number);
    if (!a_text)
        return (a->pid.number > b->pid.number) -
               (a->pid.number < b->pid.number);
    order = len ? memcmp(a->label.ptr, b->label.ptr, len) : 0;
    if (order)
        return order;
    return (a->label.len > b->label.len) - (a->label.len < b->label.len);
}

/* A missing pid has the name that Python gives to nothing. */
void tt_device_name(struct tt_device *d, const struct t2t_lane_id *pid)
{
    int len;

    *d = (struct tt_device){.pid = *pid};
    if (pid->kind == T2T_ID_MISSING)
        d->pid = (struct t2t_lane_id){T2T_ID_TEXT, 0, {"None", 4}};
    if (d->pid.kind == T2T_ID_TEXT) {
        d->label = d->pid.text;
        return;
    }
    if (pid->kind == T2T_ID_INTEGER)
        len = snprintf(d->number, sizeof(d->number), "%" PRId64,
                       (int64_t)pid->number);
    else
        len = snprintf(d->number, sizeof(d->number), "%" PRIu64, pid->number);
    d->label = (struct t2t_text){d->number, len > 0 ? (size_t)len : 0};
}

/* The device of a pid that has one. */
static uint32_t find_device(const struct tt_devices *d,
                            const struct t2t_lane_id *pid)
{
    struct tt_device key;
    const struct tt_device *found;

    tt_device_name(&key, pid);
    found = bsearch(&key, d->item, d->count, sizeof(key), compare_devices);
    return found ? (uint32_t)(found - d->item) : 0;
}

/* Sorts them, which moves what labels point to, and keeps one of each. */
static void settle(struct tt_devices *d)
{
    uint32_t kept = 0;

    if (d->count)
        qsort(d->item, d->count, sizeof(*d->item), compare_devices);
    for (uint32_t i = 0; i < d->count; i++)
        if (!kept || compare_devices(&d->item[kept - 1], &d->item[i]) != 0)
            d->item[kept++] = d->item[i];
    d->count = kept;
    for (uint32_t i = 0; i < kept; i++)
        if (d->item[i].pid.kind != T2T_ID_TEXT)
            d->item[i].label.ptr = d->item[i].number;
}

enum t2t_status tt_devices_read(struct tt_devices *d, const t2t_index *index,
                                struct t2t_error *err)
{
    struct t2t_index_info info;
    struct t2t_lane lane;

    t2t_index_info(index, &info);
    *d = (struct tt_devices){.count = 0};
    d->item = calloc((size_t)info.lane_count + 1, sizeof(*d->item));
    d->of_lane = calloc((size_t)info.lane_count + 1, sizeof(*d->of_lane));
    if (!d->item || !d->of_lane)
        return tt_no_memory(err);
    for (uint32_t i = 0; i < info.lane_count; i++) {
        if (t2t_index_lane(index, i, &lane))
            return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                            "lane %u holds an impossible value", i);
        if (lane.side == T2T_DEVICE)
            tt_device_name(&d->item[d->count++], &lane.pid);
    }
    settle(d);
    for (uint32_t i = 0; i < info.lane_count; i++) {
        d->of_lane[i] = TT_NO_DEVICE;
        if (!t2t_index_lane(index, i, &lane) && lane.side == T2T_DEVICE)
            d->of_lane[i] = find_device(d, &lane.pid);
    }
    return T2T_OK;
}

enum t2t_status tt_device_of(const struct tt_devices *d, uint32_t lane,
                             t2t_id id, uint32_t *device, struct t2t_error *err)
{
    *device = d->of_lane[lane];
    if (*device == TT_NO_DEVICE)
        return tt_error(err, T2T_ERR_INDEX_DAMAGE, TT_NO_OFFSET,
                        "GPU event %u is in no lane of a GPU", id);
    return T2T_OK;
}

void tt_devices_release(struct tt_devices *d)
{
    free(d->item);
    free(d->of_lane);
    *d = (struct tt_devices){.count = 0};
}
