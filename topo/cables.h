/* topo/cables.h - reading a list of cables, and of endpoints, from a text file, plain or gzip. */
#ifndef TOPO_CABLES_H
#define TOPO_CABLES_H

#include "topo/topo.h"

#define TOPO_CLASS_NAME 32    /* bytes, with the NUL */
#define TOPO_MAX_TABLED 16384 /* switches of a topology whose distances are a table of switches^2 bytes */

struct topo_cable {
	topo_switch a, b;
	uint16_t link_class;
	uint16_t own; /* what it has of its own: topo_cables_own(); 0: nothing */
};

struct topo_cables {
	struct topo_cable *v; /* owned, in the file's order */
	size_t n, cap;
	uint32_t switches; /* largest number + 1 */
	uint32_t
	    *endpoints; /* by switch, TOPO_NONE if the file gives no number; NULL: the file has no such lines. Owned */
	uint32_t classes;
	char (*class_name)[TOPO_CLASS_NAME]; /* [classes] in order of first use; "local" for lines without one. Owned */
	struct topo_kinds own;               /* what cables have of their own, as kinds of one class */
	uint32_t absent;                     /* cables that the file says are not there */
};

/* For cable.own: from a to b it has `there`, from b to a `back`. Returns -1 if there are too many different ones. */
int topo_cables_own(struct topo_cables *cables, struct topo_direction there, struct topo_direction back);

/* Reads lines "src dst [class] [bandwidth=B[/B]] [latency=T[/T]] [absent=true]", the class as topo_class_name_refused()
 * admits it, a second value for the direction from dst to src; and "endpoints SWITCH N" or
 * "endpoints FIRST-LAST N"; '#' starts a comment, and '%' at the beginning of a line; blank lines and a byte order mark
 * are skipped, commas separate as blanks do. Attributes in braces behind two switch numbers, as networkx writes them,
 * are not read, with a warning unless there are none in them. Each line of the first kind is one cable, so the same
 * pair twice makes parallel cables; a file that lists every cable in both directions gets a warning. A first line of
 * two numbers that are those of the switches and of the cables behind it is a header, with a warning. One switch that
 * has endpoints needs no cable. Every problem becomes an error for key "file" that begins with FILE:LINE (the first 20
 * of them). Returns 0, or -1 with nothing to free. */
int topo_read_cables(struct topo_cables *cables, const char *file, struct base_errors *errors);
/* The same for text in memory, which messages call `file`. */
int topo_parse_cables(struct topo_cables *cables, const char *text, size_t bytes, const char *file,
                      struct base_errors *errors);
void topo_cables_free(struct topo_cables *cables);

#endif
