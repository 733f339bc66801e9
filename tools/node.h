/*
 * node.h - elements as subcommands take and print them.
 */
#ifndef T2T_NODE_H
#define T2T_NODE_H

#include <stdio.h>

#include "cmd.h"
#include "input.h"
#include "json.h"
#include "print.h"

/* What is needed to print the elements of one index. */
struct nodes {
    const struct input *in;
    const t2t_index *index;
    t2t_cursor *cursor; /* owned */
    struct t2t_index_info info;
    enum t2t_time_unit unit;
};

/* Ready to print; EXIT_DONE or another exit status after a message. */
int nodes_open(struct nodes *n, const struct input *in, int time_unit);

/* Frees what it holds. */
void nodes_close(struct nodes *n);

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

/* Names the lane, such as: thread 7 "main" of process 3 "python". */
void print_lane(FILE *to, const struct t2t_lane *lane);

/* Prints a pid or tid. */
void print_lane_id(FILE *to, const struct t2t_lane_id *id);

/* Prints the name of an element, "(no name)" without one. */
void print_name(const struct nodes *n, FILE *to, const struct t2t_element *e);

/* Prints the start, counted from the earliest one; "-" for none. */
void print_start(const struct nodes *n, FILE *to, const struct t2t_element *e);

/* Prints a duration in the unit asked for, with its name. */
void print_duration(const struct nodes *n, FILE *to, uint64_t ns);

/* Prints the members of a lane. */
void json_lane(struct json *j, const t2t_index *index, uint32_t lane);

/*
 * Prints the members that every node object has.
 *
 * @return EXIT_DONE, or another exit status after a message.
 */
int json_node(const struct nodes *n, struct json *j,
              const struct t2t_element *e);

#endif
