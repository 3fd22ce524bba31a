/* topo/cables.h - reads a list of cables, and of numbers of endpoints, from a text file, which may be compressed with
 * gzip. */
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

/* Returns the value of topo_cable.own for a cable that has the bandwidth and latency `there` from a to b, and `back`
 * from b to a. Returns -1 if there are too many different combinations of these. */
int topo_cables_own(struct topo_cables *cables, struct topo_direction there, struct topo_direction back);

/* Reads lines "src dst [class] [bandwidth=B[/B]] [latency=T[/T]] [absent=true]", where the class is a name that
 * topo_class_name_refused() accepts and a second value of B or T is that of the direction from dst to src; and lines
 * "endpoints SWITCH N" or "endpoints FIRST-LAST N". '#' starts a comment, as does '%' at the beginning of a line; blank
 * lines and a byte order mark are skipped; commas separate words as blanks do. Attributes in braces after two switch
 * numbers, as networkx writes them, are ignored, with a warning unless the braces are empty. Each line of the first
 * kind is one cable, so the same pair twice makes parallel cables; a file that lists every cable in both directions
 * gets a warning. If the two numbers of the first line are the numbers of switches and of cables in the rest of the
 * file, it is a header and ignored, with a warning. A network of one switch with endpoints needs no cable. Every
 * problem becomes an error for key "file" that begins with FILE:LINE (the first 20 of them). Returns 0, or -1 with
 * nothing to free. */
int topo_read_cables(struct topo_cables *cables, const char *file, struct base_errors *errors);
/* As topo_read_cables(), for a text in memory; messages use `file` as its name. */
int topo_parse_cables(struct topo_cables *cables, const char *text, size_t bytes, const char *file,
                      struct base_errors *errors);
void topo_cables_free(struct topo_cables *cables);

#endif
