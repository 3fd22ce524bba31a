/* topo/cables.h - reading a list of cables from a text file, plain or gzip. */
#ifndef TOPO_CABLES_H
#define TOPO_CABLES_H

#include "topo/topo.h"

#define TOPO_CLASS_NAME 32 /* bytes, with the NUL */
#define TOPO_CLASSES 8
#define TOPO_MAX_TABLED 16384 /* switches of a topology whose distances are a table of switches^2 bytes */

struct topo_cable {
	topo_switch a, b;
	uint32_t link_class;
};

struct topo_cables {
	struct topo_cable *v; /* owned, in order of the file */
	size_t n, cap;
	uint32_t switches; /* largest number + 1 */
	uint32_t classes;
	char class_name[TOPO_CLASSES][TOPO_CLASS_NAME]; /* in order of first use; "local" where a line names none */
};

/* Reads lines "src dst [class]"; '#' starts a comment, blank lines are skipped. Each line is one cable, so the same
 * pair twice makes parallel cables; a file that lists every cable in both directions gets a warning. Every problem
 * becomes an error for key "file" that begins with FILE:LINE (the first 20 of them). Returns 0 or -1; free v. */
int topo_read_cables(struct topo_cables *cables, const char *file, struct base_errors *errors);

#endif
