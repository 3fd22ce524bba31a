/* experiments/results/slowdown.h - slowdowns of messages by message size, as members of the record `summary` and as
 * text. */
#ifndef EXPERIMENTS_RESULTS_SLOWDOWN_H
#define EXPERIMENTS_RESULTS_SLOWDOWN_H

#include "base/json.h"
#include "network/network.h"

#include <jansson.h>
#include <stdio.h>

/* Writes the member "slowdown_by_size" of a job, class or whole run. Writes nothing without record.messages. */
void xp_slowdown_members(struct base_json *j, const struct net_flow *f);
/* Returns the slowdown of a message: its duration divided by its duration in the empty network, which must be known. */
static inline double xp_message_slowdown(const struct net_message_record *m)
{
	return (double)(m->end - m->start) / (double)m->ideal;
}
/* Reads the member "slowdown_by_size" back from a record. Allocates f->by_size and sets f->sizes. */
void xp_slowdown_read(struct net_flow *f, const json_t *list);
/* Prints a line with the slowdown of all messages, and a table by message size. Prints nothing without record.messages.
 */
void xp_slowdown_text(FILE *out, const struct net_flow *f);

#endif
