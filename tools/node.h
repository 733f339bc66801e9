/*
 * node.h - elements as subcommands take and print them.
 */
#ifndef T2T_NODE_H
#define T2T_NODE_H

#include <stdio.h>

#include "cmd.h"
#include "input.h"
#include "json.h"
#include "line.h"
#include "print.h"

/* What is needed to print the elements of one index. */
struct nodes {
    const struct input *in;
    const t2t_index *index;
    t2t_cursor *cursor; /* owned */
    struct t2t_index_info info;
    enum t2t_time_unit unit;
    t2t_id *modules;     /* by node, or NULL: see nodes_prepare(); owned */
    uint32_t *positions; /* by id, or NULL; owned */
};

/* Ready to print; EXIT_DONE or another exit status after a message. */
int nodes_open(struct nodes *n, const struct input *in, int time_unit);

/* Frees what it holds. */
void nodes_close(struct nodes *n);

/*
 * Makes ready to print `count` elements in any order: if they are many, what
 * is looked up for each is looked up for all at once.
 */
int nodes_prepare(struct nodes *n, uint32_t count);

/*
 * Reads NODE, an id or "@N" for the N-th element of traceEvents, and fills `e`.
 *
 * @return EXIT_DONE, or another exit status after a message.
 */
int node_find(const struct command *self, struct nodes *n, const char *text,
              struct t2t_element *e);

/* Fills `e` with element `id`; another exit status after a message. */
int node_get(const struct nodes *n, t2t_id id, struct t2t_element *e);

/* The name of a layer, such as "operation"; NULL outside the tree. */
const char *layer_name(enum t2t_layer layer);

/* What a person calls an element: "module", "python", "op", "launch",
 * "kernel", "memcpy", "memset" or "gpu"; its category outside the tree. */
struct t2t_text node_kind(const struct nodes *n, const struct t2t_element *e);

/* The colour of its name. */
enum paint node_paint(const struct nodes *n, const struct t2t_element *e);

/* Its name, or "(no name)". */
struct t2t_text node_name(const struct nodes *n, const struct t2t_element *e);

/* Prints the name in its colour, in at most `columns`. */
void line_node(struct line *line, const struct nodes *n,
               const struct t2t_element *e, size_t columns);

/* The class of a module frame, "Linear" of "nn.Module: Linear_7"; no text for
 * other elements. */
struct t2t_text node_class(const struct nodes *n, const struct t2t_element *e);

/* The nearest module frame above, or T2T_NO_ID. */
t2t_id node_module(const struct nodes *n, t2t_id id);

/* Names the lane, such as: thread 7 "main" of process 3 "python". */
void print_lane(FILE *to, const struct t2t_lane *lane);

/* The same in a line; an exit status after a message. */
int line_lane(struct line *line, const struct t2t_lane *lane);

/* Prints a pid or tid. */
void print_lane_id(FILE *to, const struct t2t_lane_id *id);

/* Writes the start, counted from the earliest one, "-" for none: in the unit
 * asked for, its name behind it when `with_unit` or when that is T2T_AUTO. */
void start_text(char out[TIME_MAX], const struct nodes *n,
                const struct t2t_element *e, bool with_unit);

/* Prints a duration in the unit asked for, with its name. */
void print_duration(const struct nodes *n, FILE *to, uint64_t ns);

/* Prints the members of a lane. */
void json_lane(struct json *j, const t2t_index *index, uint32_t lane);

/*
 * Prints the members that every node object has.  Their keys are explained by
 * 't2t help json' (topic.c), which changes with them.
 *
 * @param module  what node_module() answers.
 * @return EXIT_DONE, or another exit status after a message.
 */
int json_node(const struct nodes *n, struct json *j,
              const struct t2t_element *e, t2t_id module);

#endif
