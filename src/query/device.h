/*
 * query/device.h - the GPUs of an index: the pids of its GPU lanes, integers
 * ascending, then text.
 */
#ifndef TT_QUERY_DEVICE_H
#define TT_QUERY_DEVICE_H

#include <stdint.h>

#include <trace2tree/index.h>

#define TT_DEVICE_LABEL_MAX 24
#define TT_NO_DEVICE UINT32_MAX

struct tt_device {
    struct t2t_lane_id pid;
    struct t2t_text label;            /* the pid as text; "None" without one */
    char number[TT_DEVICE_LABEL_MAX]; /* what `label` of a number points to */
};

struct tt_devices {
    struct tt_device *item; /* owned */
    uint32_t count;
    uint32_t *of_lane; /* device of each lane, TT_NO_DEVICE if it is not of a
                          GPU; owned */
};

/*
 * Lists them.
 *
 * @param d  release it with tt_devices_release(), also after a failure.
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE; T2T_ERR_NO_MEMORY.
 */
enum t2t_status tt_devices_read(struct tt_devices *d, const t2t_index *index,
                                struct t2t_error *err);
void tt_devices_release(struct tt_devices *d);

/*
 * Sets `*device` to the device of the lane of GPU event `id`.
 *
 * @return T2T_OK; T2T_ERR_INDEX_DAMAGE when that lane is not of a GPU.
 */
enum t2t_status tt_device_of(const struct tt_devices *d, uint32_t lane,
                             t2t_id id, uint32_t *device,
                             struct t2t_error *err);

/* Makes the label of a pid; *d stays where it is. */
void tt_device_name(struct tt_device *d, const struct t2t_lane_id *pid);

#endif
