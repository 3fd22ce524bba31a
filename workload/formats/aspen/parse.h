/* workload/formats/aspen/parse.h - state shared by the scanner (tokens.l) and the grammar (grammar.y) while a file is
 * read. */
#ifndef WORKLOAD_FORMATS_ASPEN_PARSE_H
#define WORKLOAD_FORMATS_ASPEN_PARSE_H

#include "workload/formats/aspen/aspen.h"

#define ASPEN_INCLUDES 32u /* nested */

struct aspen_parse {
	struct aspen *a;
	struct aspen_model *model;            /* what is being filled */
	const char *folder;                   /* of the first file: includes are relative to it */
	struct aspen_at at;                   /* of the next letter */
	struct aspen_at open[ASPEN_INCLUDES]; /* where the file that includes was left */
	uint32_t opened;
	/* Recovery from a syntax error: tokens are skipped up to the next item of a list at brace depth item_depth. */
	uint32_t braces, item_depth, tokens, resynced;
	bool skipping, closed;
};

/* Continues the scanner in the file that an include names. */
void aspen_include(struct aspen_parse *p, void *scanner, const char *path, struct aspen_at at);
/* Reads source `file` into p->model. */
void aspen_parse_source(struct aspen_parse *p, uint32_t file);

#endif
