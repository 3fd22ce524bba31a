/* sim/tables.h - read-only tables that the ranks of a host build once and share.
 *
 * Between sim_tables_open() and sim_tables_close() the ranks of a host build such a table together, each a part of it,
 * in memory that they share; so neither memory nor time grows with the ranks of a host. A rank has a table of its own
 * if it is the only one of its host, if the ranks of the host do not agree on the table (one has read a different file,
 * or has failed), or if memory cannot be shared.
 *
 * A table that cannot be built in parts is built by one rank of the host. */
#ifndef SIM_TABLES_H
#define SIM_TABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_table {
	void *v; /* zeroed by sim_table_begin(); read-only from sim_table_end() on */
	size_t bytes;
	uint32_t part, parts; /* the part that the caller has to build: the whole table if parts is 1 */
	bool shared;
};

/* Begin and end a phase in which tables are shared. Both are collective over the ranks of a host. Between them no other
 * collective function may be called unless every rank calls it. */
void sim_tables_open(void);
void sim_tables_close(void);

/* Allocates a table and says which part of it this rank has to build. `key` is a hash of the table's inputs, by which
 * ranks find out whether they build the same table. Tables of less than SIM_TABLE_SHARED bytes are not shared. */
#define SIM_TABLE_SHARED 65536u
void sim_table_begin(struct sim_table *t, size_t bytes, uint64_t key);
/* Ends the building of a table, which is read-only from then on. most[n] are values that were found while this part was
 * built; each is replaced by its maximum over all parts. */
void sim_table_end(struct sim_table *t, uint64_t *most, size_t n);
void sim_table_free(struct sim_table *t);

/* For a table that cannot be built in parts: says whether this rank builds it for itself, builds it for all ranks of
 * the host, or waits for it. Collective over the ranks of a host. */
enum sim_maker { SIM_MAKES_ITS_OWN, SIM_MAKES_FOR_ALL, SIM_WAITS };
enum sim_maker sim_tables_maker(void);
/* Broadcasts n words from the rank that builds the table to the ranks that wait, which pass words of value 0. Not
 * called if each rank builds a table of its own. */
void sim_tables_say(uint64_t *words, size_t n);
/* Copies the arrays that the building rank has allocated into one shared table, frees them, and sets the array pointers
 * of all ranks to the copies. All ranks pass the lengths. Returns false if sharing is impossible: the waiting ranks
 * then get nothing, and the builder keeps its own arrays. */
struct sim_array {
	void **at;
	size_t bytes;
};
bool sim_table_of_arrays(struct sim_table *t, const struct sim_array *v, size_t n, enum sim_maker maker);

/* sim_tables_bytes() returns the bytes of all tables that this process has mapped; sim_tables_elsewhere() returns the
 * peak of the bytes of those tables that are counted as resident memory of another rank of the host. */
uint64_t sim_tables_bytes(void);
uint64_t sim_tables_elsewhere(void);

#endif
