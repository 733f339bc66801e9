/*
 * pipeline/document.h - reads the document of a build; inside of pipeline/
 * only.
 *
 * What stands before the array goes to the envelope, block by block, the array
 * through the crew to the assembly, and so does what stands behind it.  Damage
 * of the text, of gzip or zstd data and of the file itself are told apart here.
 */
#ifndef TT_PIPELINE_DOCUMENT_H
#define TT_PIPELINE_DOCUMENT_H

#include "pipeline/build.h"

/* Reads it to its end, or to where the build ends. */
enum t2t_status tt_document_read(struct tt_build *b, struct t2t_error *err);

/* Hears of damage of the text, and says so to the caller of the build at the
 * right time: a t2t_build_tell, with a build. */
void tt_document_damaged(void *build, const struct t2t_damage *damage);

#endif
