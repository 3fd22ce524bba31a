/* experiments/results/slowdown.h - slowdowns of messages by size, in the record `summary` and for people. */
#ifndef EXPERIMENTS_RESULTS_SLOWDOWN_H
#define EXPERIMENTS_RESULTS_SLOWDOWN_H

#include "base/json.h"
#include "network/network.h"

#include <jansson.h>
#include <stdio.h>

/* The member "slowdown_by_size" of a flow; nothing without record.messages. */
void xp_slowdown_members(struct base_json *j, const struct net_flow *f);
/* Of one message, whose time in the empty network is known. */
static inline double xp_message_slowdown(const struct net_message_record *m)
{
	return (double)(m->end - m->start) / (double)m->ideal;
}
/* Reads it back: f->by_size is allocated, f->sizes set. */
void xp_slowdown_read(struct net_flow *f, const json_t *list);
/* A line for all messages and a table by size; nothing without record.messages. */
void xp_slowdown_text(FILE *out, const struct net_flow *f);

#endif
