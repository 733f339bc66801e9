/*
 * trace2tree.h - the one header a program includes.
 *
 * Trace2Tree turns a GPU profiler trace into an index, one file that other
 * programs map and ask.  This header only gathers the others; each of them
 * documents one noun:
 *
 *     status.h   what a call answers, and the error it may describe
 *     text.h     a piece of text, and how it is printed
 *     build.h    trace in, index out
 *     index.h    an open index: elements, tree, links, strings, lanes
 *     cursor.h   what an element said: its JSON, arguments, byte offset
 *     export.h   an index turned back into its trace
 *     find.h     the elements that a filter lets through
 *     kernel_name.h  what the name of a kernel says
 *     step.h     the recorded steps, and which one an element belongs to
 *     suspect.h  what makes tables say less, or other, than they seem to
 *     table.h    a typed table and its text, CSV and JSON
 *     selection.h  which GPU events an analysis looks at
 *     analyze.h  the analyses: index in, table out
 *     idle.h     those of what GPUs wait for
 *     version.h  which version this is
 *
 * Conventions, for every function of the library:
 *   - a name says what it acts on: t2t_index_open(), t2t_index_close();
 *   - a call that can fail returns enum t2t_status: 0 is success, below 0 is
 *     an error, above 0 is an answer such as "not found";
 *   - times are integer nanoseconds (_ns), sizes are bytes (_bytes or len);
 *   - text is a pointer and a length, UTF-8, may hold NUL, is not terminated;
 *   - what a getter returns belongs to the object it came from;
 *   - nothing is printed, no signal is touched, the process never exits.
 */
#ifndef TRACE2TREE_H
#define TRACE2TREE_H

#include <trace2tree/analyze.h>
#include <trace2tree/build.h>
#include <trace2tree/cursor.h>
#include <trace2tree/export.h>
#include <trace2tree/find.h>
#include <trace2tree/idle.h>
#include <trace2tree/index.h>
#include <trace2tree/kernel_name.h>
#include <trace2tree/selection.h>
#include <trace2tree/status.h>
#include <trace2tree/step.h>
#include <trace2tree/suspect.h>
#include <trace2tree/table.h>
#include <trace2tree/text.h>
#include <trace2tree/version.h>

#endif
