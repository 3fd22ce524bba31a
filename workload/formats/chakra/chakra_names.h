/* workload/formats/chakra/chakra_names.h - names of attributes, and how often each occurs in a trace. */
#ifndef WORKLOAD_FORMATS_CHAKRA_CHAKRA_NAMES_H
#define WORKLOAD_FORMATS_CHAKRA_CHAKRA_NAMES_H

#include "workload/formats/map.h"

#define CHAKRA_TEXT 64u
#define CHAKRA_NAMES_MOST 256u /* names beyond these are counted together */

struct chakra_name {
	char name[CHAKRA_TEXT];
	uint64_t count;
};

/* All-zero: none. */
struct chakra_names {
	struct chakra_name *v; /* owned; in the order in which they were first met */
	uint32_t n;
	uint64_t others;      /* attributes of more than CHAKRA_NAMES_MOST names */
	struct wl_map number; /* hash of a name, or the next free number behind it: its index + 1 */
};

void chakra_names_count(struct chakra_names *names, const char *name);
/* Sorts the attributes by name. */
void chakra_names_sort(struct chakra_names *names);
void chakra_names_free(struct chakra_names *names);
/* FNV-1a of a text. */
uint64_t chakra_hash(const char *text);

#endif
