/* selection.c - whether an index has what a selection names. */
#include <trace2tree/selection.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trace2tree/step.h>

#include "base/buffer.h"
#include "base/status.h"
#include "base/vec.h"
#include "query/closest.h"
#include "query/device.h"
#include "query/modpath.h"
#include "query/module.h"
#include "query/sorted.h"

/* What a message has of a name that is not there. */
#define NAME_BYTES 64

/* Says that there is no such `what`, and what there is. */
static enum t2t_status say_missing(const char *what, struct t2t_text name,
                                   const char *there, struct t2t_error *err)
{
    size_t len = name.len;

    if (len > NAME_BYTES)
        for (len = NAME_BYTES; len && (name.ptr[len] & 0xc0) == 0x80;)
            len--;
    return tt_error(err, T2T_ERR_USAGE, TT_NO_OFFSET, "no %s '%.*s%s': %s",
                    what, (int)len, name.ptr, len < name.len ? "..." : "",
                    there);
}

/* The same of names. */
static enum t2t_status say_closest(const char *what, const struct tt_closest *c,
                                   struct t2t_error *err)
{
    struct tt_buffer there = {0};
    enum t2t_status st;

    tt_closest_say(c, &there);
    tt_buffer_add_byte(&there, '\0');
    if (c->failed || there.failed)
        st = tt_no_memory(err);
    else
        st = say_missing(what, c->to, there.ptr, err);
    tt_buffer_release(&there);
    return st;
}

/* ---- devices ------------------------------------------------------------- */

static enum t2t_status check_device(const t2t_index *index, const char *name,
                                    struct t2t_error *err)
{
    struct tt_closest closest = {.to = t2t_text_of(name)};
    struct tt_devices devices;
    enum t2t_status st = tt_devices_read(&devices, index, err);
    bool found = false;

    for (uint32_t i = 0; !st && !found && i < devices.count; i++) {
        found = t2t_text_equal(devices.item[i].label, closest.to);
        tt_closest_offer(&closest, devices.item[i].label);
    }
    if (!st && !found)
        st = say_closest("device", &closest, err);
    tt_closest_release(&closest);
    tt_devices_release(&devices);
    return st;
}

/* ---- steps --------------------------------------------------------------- */

/* Numbers that follow each other. */
struct range {
    uint64_t first;
    uint64_t last;
};

static int compare_ranges(const void *left, const void *right)
{
    const struct range *a = left;
    const struct range *b = right;

    return (a->first > b->first) - (a->first < b->first);
}

/* Makes the steps a few ranges, ascending; their number. */
static uint32_t join_steps(const t2t_steps *steps, struct range *range)
{
    uint32_t count = t2t_steps_count(steps);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++) {
        struct t2t_step step;

        (void)t2t_steps_at(steps, i, &step);
        range[i] = (struct range){step.number, step.number};
    }
    tt_sort_unsorted(range, count, sizeof(*range), compare_ranges);
    for (uint32_t i = 0; i < count; i++) {
        if (kept && range[i].first - range[kept - 1].last <= 1)
            range[kept - 1].last = range[i].first;
        else
            range[kept++] = range[i];
    }
    return kept;
}

/* Ranges that a message names. */
#define RANGES 4u

/* Writes a range to the 48 bytes at `out`; how many it takes. */
static size_t name_range(const struct range *r, char *out)
{
    int len = snprintf(out, 48, "%" PRIu64, r->first);

    if (r->last != r->first)
        len += snprintf(out + len, 48 - (size_t)len, "-%" PRIu64, r->last);
    return (size_t)len;
}

/* Says which steps there are, on both sides of those that are not. */
static enum t2t_status say_steps(const struct range *range, uint32_t count,
                                 const struct range *wanted,
                                 struct t2t_error *err)
{
    const char *words = "there is none";
    char there[(RANGES + 1) * 48];
    char name[48];
    struct t2t_text text = {name, name_range(wanted, name)};
    uint32_t first = 0;
    size_t len;

    while (first < count && range[first].last < wanted->first)
        first++;
    first = first > RANGES / 2 ? first - RANGES / 2 : 0;
    if (first + RANGES > count)
        first = count > RANGES ? count - RANGES : 0;
    if (count == 1 && range->first == range->last)
        words = "there is only ";
    else if (count)
        words = count > RANGES ? "the closest are " : "there are ";
    len = (size_t)snprintf(there, sizeof(there), "%s", words);
    for (uint32_t i = first; i < count && i < first + RANGES; i++) {
        if (i > first)
            len += (size_t)snprintf(there + len, sizeof(there) - len, ", ");
        len += name_range(&range[i], there + len);
    }
    return say_missing("step", text, there, err);
}

static enum t2t_status check_steps(const t2t_index *index,
                                   const struct range *wanted,
                                   struct t2t_error *err)
{
    t2t_steps *steps = NULL;
    struct range *range = NULL;
    enum t2t_status st = t2t_steps_open(&steps, index, err);
    uint32_t count = 0;
    bool found = false;

    if (!st) {
        range = malloc(((size_t)t2t_steps_count(steps) + 1) * sizeof(*range));
        if (!range)
            st = tt_no_memory(err);
    }
    if (!st)
        count = join_steps(steps, range);
    for (uint32_t i = 0; !st && !found && i < count; i++)
        found = wanted->first <= wanted->last &&
                range[i].first <= wanted->last &&
                range[i].last >= wanted->first;
    if (!st && !found)
        st = say_steps(range, count, wanted, err);
    free(range);
    t2t_steps_close(steps);
    return st;
}

/* ---- modules ------------------------------------------------------------- */

/* The module frames that are open, outermost first. */
struct frames {
    const t2t_index *index;
    t2t_id *open; /* owned */
    size_t count;
    size_t cap;
};

/* The next module frame from `*id` on, which it opens; false behind the last,
 * or when memory is short, which leaves `*id` there. */
static bool next_frame(struct frames *f, t2t_id *id, uint32_t nodes,
                       struct t2t_element *out)
{
    for (; *id < nodes; ++*id) {
        struct t2t_element e;

        if (!t2t_index_is_module(f->index, *id) ||
            t2t_index_element(f->index, *id, out))
            continue;
        while (f->count &&
               !t2t_index_element(f->index, f->open[f->count - 1], &e) &&
               e.id + e.size <= *id)
            f->count--;
        if (!tt_vec_room(&f->open, &f->cap, f->count, sizeof(*f->open)))
            return false;
        f->open[f->count++] = *id;
        ++*id;
        return true;
    }
    return false;
}

/* Offers the path of the innermost frame. */
static void offer_path(const struct frames *f, struct tt_closest *c,
                       struct tt_buffer *path)
{
    size_t first =
        f->count > T2T_MODULE_PATH_MAX ? f->count - T2T_MODULE_PATH_MAX : 0;

    tt_buffer_clear(path);
    for (size_t i = first; i < f->count; i++) {
        if (i > first)
            tt_buffer_add_byte(path, '/');
        tt_modpath_add(path, t2t_index_name(f->index, f->open[i]));
    }
    c->failed |= path->failed;
    if (!path->failed)
        tt_closest_offer(c, (struct t2t_text){path->ptr, path->len});
}

/* Offers the class and the name of a frame. */
static void offer_name(struct t2t_text name, struct tt_closest *c,
                       struct tt_buffer *part)
{
    const struct t2t_text names[] = {t2t_module_class_name(name),
                                     t2t_module_frame_name(name)};

    for (size_t i = 0; i < 2; i++) {
        tt_buffer_clear(part);
        tt_modpath_add(part, names[i]);
        c->failed |= part->failed;
        if (!part->failed)
            tt_closest_offer(c, (struct t2t_text){part->ptr, part->len});
    }
}

/*
 * Goes through all frames.  For `part` T2T_MODULE_PATH_MAX, offers paths that
 * end as `p` does; else notes in `*found` whether a frame can be that part, and
 * offers the names of all.
 */
static enum t2t_status offer_frames(const t2t_index *index,
                                    const struct tt_modpath *p, size_t part,
                                    struct tt_closest *c, bool *found,
                                    struct t2t_error *err)
{
    struct frames f = {.index = index};
    struct t2t_index_info info;
    struct tt_buffer text = {0};
    struct t2t_element e;
    uint8_t *seen; /* by string */
    t2t_id id = 0;
    bool failed;

    t2t_index_info(index, &info);
    seen = calloc((size_t)info.string_count + 1, 1);
    while (seen && next_frame(&f, &id, info.node_count, &e)) {
        struct t2t_text name = t2t_index_string(index, e.name);

        if (part < T2T_MODULE_PATH_MAX) {
            *found |= tt_modpath_is(p, part, name);
            if (!seen[e.name])
                offer_name(name, c, &text);
            seen[e.name] = 1;
        } else if (tt_modpath_is(p, p->count - 1, name)) {
            offer_path(&f, c, &text);
        }
    }
    failed = !seen || id < info.node_count || c->failed;
    free(seen);
    tt_buffer_release(&text);
    free(f.open);
    return failed ? tt_no_memory(err) : T2T_OK;
}

/* Says which part of a path no frame can be; else, that they do not follow each
 * other so. */
static enum t2t_status say_path(const t2t_index *index, const char *module,
                                struct t2t_error *err)
{
    struct tt_closest closest = {.to = {NULL, 0}};
    struct tt_modpath path;
    enum t2t_status st = tt_modpath_read(&path, module, err);
    bool found = true;

    for (size_t i = 0; !st && found && i < path.count; i++) {
        tt_closest_release(&closest);
        closest = (struct tt_closest){.to = path.part[i]};
        found = false;
        st = offer_frames(index, &path, i, &closest, &found, err);
    }
    if (!st && found) {
        tt_closest_release(&closest);
        closest = (struct tt_closest){.to = t2t_text_of(module)};
        st = offer_frames(index, &path, T2T_MODULE_PATH_MAX, &closest, &found,
                          err);
    }
    if (!st)
        st = say_closest("module", &closest, err);
    tt_closest_release(&closest);
    tt_modpath_release(&path);
    return st;
}

static enum t2t_status check_module(const t2t_index *index, const char *module,
                                    struct t2t_error *err)
{
    struct t2t_index_info info;
    uint8_t *begins = NULL;
    enum t2t_status st = tt_module_begins(index, module, &begins, err);
    bool found = false;

    t2t_index_info(index, &info);
    for (size_t i = 0; !st && !found && i <= info.node_count / 8; i++)
        found = begins[i] != 0;
    free(begins);
    return st || found ? st : say_path(index, module, err);
}

/* -------------------------------------------------------------------------- */

enum t2t_status t2t_selection_check(const t2t_index *index,
                                    const struct t2t_selection *selection,
                                    struct t2t_error *err)
{
    enum t2t_status st = T2T_OK;

    if (!selection)
        return T2T_OK;
    if (selection->device)
        st = check_device(index, selection->device, err);
    if (!st && selection->steps)
        st = check_steps(index,
                         &(struct range){selection->first_step,
                                         selection->last_step},
                         err);
    if (!st && selection->module)
        st = check_module(index, selection->module, err);
    return st;
}
