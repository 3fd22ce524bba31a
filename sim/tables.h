/* sim/tables.h - read-only tables that the ranks of a host build once and share.
 *
 * Between sim_tables_open() and sim_tables_close() the ranks of a host build such a table together, each a part of it,
 * in memory that they share; so neither memory nor time grows with the ranks of a host. Otherwise each rank has a table
 * of its own: on one rank, if the ranks of a host do not agree on the table (one has read another file, or has failed),
 * and if no memory can be shared.
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

/* Collective over a host. No other collective that a rank may skip may be called in between. */
void sim_tables_open(void);
void sim_tables_close(void);

/* `key`: a hash of the table's inputs. Tables of less than SIM_TABLE_SHARED bytes are not shared. */
#define SIM_TABLE_SHARED 65536u
void sim_table_begin(struct sim_table *t, size_t bytes, uint64_t key);
/* Ends building. `most`: values found in the parts, replaced by their maxima over all parts. */
void sim_table_end(struct sim_table *t, uint64_t *most, size_t n);
void sim_table_free(struct sim_table *t);

/* For a table built by one rank: does this rank build it, and does it share the result? Collective. */
enum sim_maker { SIM_MAKES_ITS_OWN, SIM_MAKES_FOR_ALL, SIM_WAITS };
enum sim_maker sim_tables_maker(void);
/* Not called for private tables. Broadcasts the builder's words to the ranks that wait, whose words are 0. */
void sim_tables_say(uint64_t *words, size_t n);
/* Turns arrays that the builder has allocated into one shared table, and frees them; false: sharing is impossible, the
 * waiting ranks get nothing, and the builder keeps its own arrays. All ranks know the lengths. */
struct sim_array {
	void **at;
	size_t bytes;
};
bool sim_table_of_arrays(struct sim_table *t, const struct sim_array *v, size_t n, enum sim_maker maker);

/* Bytes of all tables mapped by this process; and the peak of the bytes of tables that another rank of the host counts
 * as resident. */
uint64_t sim_tables_bytes(void);
uint64_t sim_tables_elsewhere(void);

#endif
