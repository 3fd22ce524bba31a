/* sim/tables.h - tables that are built once, read by all ranks, and kept once a host.
 *
 * Between sim_tables_open() and sim_tables_close() the ranks of a host build such a table together, each a part of it,
 * in memory that they share; so neither memory nor time grows with the ranks of a host. Elsewhere, on one rank, where
 * the ranks of a host do not agree on what is built (one has read another file, or has failed), and where there is no
 * memory to share, each has a table of its own.
 *
 * What cannot be built in parts is made by one rank of the host. */
#ifndef SIM_TABLES_H
#define SIM_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_table {
	void *v; /* zeroed by sim_table_begin(); may be read from sim_table_end() on, and not be written */
	size_t bytes;
	uint32_t part, parts; /* what the caller has to build: the whole if there is one part */
	bool shared;
};

/* Collective over a host. Nothing else that is collective and that a rank may leave out happens in between. */
void sim_tables_open(void);
void sim_tables_close(void);

/* `key`: a hash of what the table is made from. Tables of less than SIM_TABLE_SHARED bytes are not worth sharing. */
#define SIM_TABLE_SHARED 65536u
void sim_table_begin(struct sim_table *t, size_t bytes, uint64_t key);
/* The part is built. Of `most`, what parts have found, each gets the greatest over all parts. */
void sim_table_end(struct sim_table *t, uint64_t *most, size_t n);
void sim_table_free(struct sim_table *t);

/* What one rank of a host makes, and the others wait for: does this rank make it, and for whom? Collective. */
enum sim_maker { SIM_MAKES_ITS_OWN, SIM_MAKES_FOR_ALL, SIM_WAITS };
enum sim_maker sim_tables_maker(void);
/* Not of those that make their own. The maker's words for those that wait, whose words are 0. */
void sim_tables_say(uint64_t *words, size_t n);
/* Arrays that the maker has allocated become one table, and are freed; false: there is none, those that wait have
 * nothing, and the maker has its own. All know how long they are. */
struct sim_array {
	void **at;
	size_t bytes;
};
bool sim_table_of_arrays(struct sim_table *t, const struct sim_array *v, size_t n, enum sim_maker maker);

/* Bytes of all tables that this process sees now; and what it has seen at most that another rank of the host is to
 * count as resident. */
uint64_t sim_tables_bytes(void);
uint64_t sim_tables_elsewhere(void);

#endif
