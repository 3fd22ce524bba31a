/* workload/formats/chakra/chakra_unused.c - see chakra_unused.h */
#include "workload/formats/chakra/chakra_unused.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BIT(attribute) (1u << CHAKRA_##attribute)

/* Attributes that a replay uses, by type of node. */
static const unsigned used_by[CHAKRA_TYPES] = {
	[CHAKRA_COMP] = BIT(IS_CPU_OP),
	[CHAKRA_SEND] = BIT(COMM_SIZE) | BIT(COMM_DST) | BIT(COMM_SRC) | BIT(COMM_TAG),
	[CHAKRA_RECV] = BIT(COMM_SIZE) | BIT(COMM_DST) | BIT(COMM_SRC) | BIT(COMM_TAG),
	[CHAKRA_COLL] = BIT(COMM_SIZE) | BIT(COMM_TYPE) | BIT(PG_NAME) | BIT(PG_ID),
};

void chakra_unused_node(struct chakra_unused *u, const struct chakra_node *n, bool divided)
{
	const unsigned work = BIT(NUM_OPS) | BIT(TENSOR_SIZE);
	bool message = n->type == CHAKRA_SEND || n->type == CHAKRA_RECV, collective = n->type == CHAKRA_COLL;
	bool memory = n->type == CHAKRA_LOAD || n->type == CHAKRA_STORE;
	bool whole = collective && n->dims && n->involved == UINT32_MAX >> (32 - n->dims);
	unsigned used = used_by[n->type] | (divided || whole ? BIT(INVOLVED_DIM) : 0);
	if (!chakra_on_host(n)) /* what is not of the host is of the device, whatever it is */
		used |= BIT(IS_CPU_OP);
	for (unsigned i = 0; i < CHAKRA_ATTRIBUTES; i++)
		if (n->has & ~used & 1u << i)
			chakra_names_count(&u->names, chakra_attribute_name[i]);
	if (n->duration_us && n->type != CHAKRA_COMP)
		chakra_names_count(&u->names, "duration_micros");
	u->launches += n->launch;
	u->invalid += n->type == CHAKRA_INVALID;
	u->untimed += n->type == CHAKRA_COMP && !n->duration_us && n->has & work;
	u->memory += memory && (n->duration_us || n->has & BIT(TENSOR_SIZE));
	u->host += (message || collective) && chakra_on_host(n);
	u->dimensions += collective && n->dims && !whole && !divided && !*n->group;
}

/* Attributes that this reader does not know, but which by their names would change when or what is sent. */
static bool changes_traffic(const char *name)
{
	static const char *const known[] = { "root",           "root_rank",       "src_rank", "dst_rank",
		                             "in_split_sizes", "out_split_sizes", "in_split", "out_split",
		                             "runtime",        "duration" };
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(name, known[i]))
			return true;
	return !strncmp(name, "comm_", 5);
}

static void warn_names(const struct chakra_unused *u, const char *key, struct base_errors *errors)
{
	char list[400] = "";
	size_t at = 0;
	for (uint32_t i = 0; i < u->names.n; i++) {
		const struct chakra_name *name = &u->names.v[i];
		bool here = false; /* of a node of another type: that type's nodes use it */
		for (unsigned k = 0; k < CHAKRA_ATTRIBUTES; k++)
			here |= !strcmp(name->name, chakra_attribute_name[k]);
		if (here || !changes_traffic(name->name) || at + CHAKRA_TEXT + 40 > sizeof list)
			continue;
		at += (size_t)snprintf(list + at, sizeof list - at, "%s%s (%" PRIu64 ")", at ? ", " : "", name->name,
		                       name->count);
	}
	if (at)
		base_warnf(errors, key, "unused attributes of communication: %s", list);
}

void chakra_unused_warn(const struct chakra_unused *u, const struct chakra_sizes *sizes, const char *key,
                        struct base_errors *errors)
{
	const struct {
		uint64_t count;
		const char *text;
	} row[] = {
		{ u->controls,
		  "control dependencies refer to nodes that the trace does not contain: they are ignored" },
		{ u->stacks, "control dependencies are ignored: together with the data dependencies of the same file "
		             "they form cycles, as call stacks do" },
		{ u->invalid, "nodes have type 0 (INVALID_NODE): they take no time" },
		{ u->untimed, "computations have num_ops or tensor_size but no duration: they take no time" },
		{ u->memory, "loads and stores have a size or a duration: they take no time" },
		{ u->host, "sends, receives and collectives are operations of the host (is_cpu_op): they use the "
		           "network like those of the device" },
		{ u->dimensions, "collectives of single dimensions of the NPUs (involved_dim) are executed by all "
		                 "NPUs, because the sizes of the dimensions are unknown (traffic[].dims of a run)" },
	};
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (row[i].count)
			base_warnf(errors, key, "%" PRIu64 " %s", row[i].count, row[i].text);
	const struct chakra_mismatch *m = &sizes->first_mismatch;
	if (sizes->mismatched)
		base_warnf(errors, key,
		           "%" PRIu64 " messages match a receive of a different size, in the order of the trace; the "
		           "first one, from rank %" PRIu64 " to rank %" PRIu64 ", tag %" PRIu64 ", has %" PRIu64
		           " B for a receive of %" PRIu64 " B",
		           sizes->mismatched, m->channel >> 48, m->channel >> 32 & 0xffff, m->channel & UINT32_MAX,
		           m->sent, m->received);
	warn_names(u, key, errors);
}

void chakra_unused_free(struct chakra_unused *u)
{
	chakra_names_free(&u->names);
}
