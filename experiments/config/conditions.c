/* experiments/config/conditions.c - conditions under which keys of the fixed sections have an effect: see effect.c. */
#include "experiments/config/schema.h"
#include "workload/process/process.h"
#include <string.h>

static bool of_several_sizes(const void *section)
{
	return ((const struct net_job *)section)->packet.n > 1;
}

static bool of_other_size(const void *section)
{
	const struct net_job *job = section;
	return job->packet.n != 1 || job->message != (uint64_t)job->packet.v[0];
}

static bool nodes_are_a_count(const void *section)
{
	const char *nodes = ((const struct net_job *)section)->nodes;
	size_t spaces = nodes ? strspn(nodes, " \t") : 0;
	size_t digits = nodes ? strspn(nodes + spaces, "0123456789") : 0;
	return digits && !nodes[spaces + digits + strspn(nodes + spaces + digits, " \t")];
}

bool xp_job_is_open(const void *section)
{
	const struct net_job *job = section;
	return !job->process.plugin || !job->process.plugin->ops;
}

static bool has_process(const void *section)
{
	return !xp_job_is_open(section);
}

/* Is a number of the section set? */
#define IS_SET(name, type, field)                                  \
	static bool name(const void *section)                      \
	{                                                          \
		return ((const struct type *)section)->field != 0; \
	}
IS_SET(has_burst_pause, net_job, burst_pause)
IS_SET(has_burst_length, net_job, burst_length)

const struct base_condition xp_job_conditions[] = {
	{ "weight message sizes sizes_file", "without a process: a process sets the sizes of its messages",
	  xp_job_is_open, NULL },
	{ "weight", "with several packet sizes", of_several_sizes, NULL },
	{ "message", "if it differs from the packet size", of_other_size, NULL },
	{ "allocation", "with a count of nodes", nodes_are_a_count, NULL },
	{ "processes_per_node", "with a process: a pattern's load is of the endpoint's bandwidth", has_process, NULL },
	{ "burst_length", "with burst_pause, without which bursts never end", has_burst_pause, NULL },
	{ "burst_pause burst_backlog", "with burst_length", has_burst_length, NULL },
	{ "burst_backlog", "without a process, whose iterations wait for a burst", xp_job_is_open, NULL },
	{ 0 },
};

static bool has_limit(const void *section)
{
	const struct net_time *t = section;
	return t->precision > 0 || t->applications;
}

const struct base_condition xp_time_conditions[] = {
	{ "limit", "with time.precision, or with a process that ends the run", has_limit, NULL },
	{ 0 },
};

IS_SET(has_bins, net_record, timeline)
IS_SET(has_instruments, net_record, instruments)

static int formula(const void *section)
{
	return ((const struct net_formula *)section)->kind;
}

static bool is_formula(const void *section)
{
	return formula(section) != NET_SWITCHED;
}

bool xp_is_loggops(const void *section)
{
	return formula(section) == NET_LOGGOPS || formula(section) == NET_LOGGOPS_ATLAHS;
}

static bool is_loggp_or_loggops(const void *section)
{
	return xp_is_loggops(section) ||
	       (formula(section) == NET_LOGGP && !((const struct net_formula *)section)->compat);
}

static bool has_gap(const void *section)
{
	return xp_is_loggops(section) || formula(section) == NET_LOGGP;
}

const struct base_condition xp_formula_conditions[] = {
	{ "L G", "with an analytical network model (kind other than \"switched\")", is_formula, NULL },
	{ "compat g", "with kind = \"loggp\", \"loggops\" or \"loggops-atlahs\"", has_gap, NULL },
	{ "o", "with kind = \"loggops\" or \"loggops-atlahs\", or \"loggp\" without compat", is_loggp_or_loggops,
	  NULL },
	{ "O S", "with kind = \"loggops\" or \"loggops-atlahs\"", xp_is_loggops, NULL },
	{ 0 },
};

const struct base_condition xp_record_conditions[] = {
	{ "activity", "with record.timeline, which sets the width of the bins", has_bins, NULL },
	{ "switches", "with record.switch = true", has_instruments, NULL },
	{ 0 },
};

/* By type of engine and independent of the number of ranks, so that one file can be used with any number of ranks. */

static bool may_speculate(const void *section)
{
	const struct net_engine *e = section;
	return (e->sync == NET_SYNC_AUTO || e->sync == NET_SYNC_OPTIMISTIC) && e->threads <= 1;
}

static bool may_be_parted(const void *section)
{
	return ((const struct net_engine *)section)->sync != NET_SYNC_SEQUENTIAL;
}

static bool may_be_balanced(const void *section)
{
	return may_be_parted(section) && ((const struct net_engine *)section)->threads <= 1;
}

const struct base_condition xp_engine_conditions[] = {
	{ "optimism gvt_interval", "with sync = \"optimistic\" or \"auto\", and at most one thread", may_speculate,
	  NULL },
	{ "partition", "with sync other than \"sequential\"", may_be_parted, NULL },
	{ "balance", "with sync other than \"sequential\", and at most one thread", may_be_balanced, NULL },
	{ 0 },
};

static bool has_file(const void *section)
{
	const struct net_output *output = section;
	return output->file && *output->file && strcmp(output->file, "-") != 0;
}

const struct base_condition xp_output_conditions[] = {
	{ "csv", "with output.file, from which the tables take their names", has_file, NULL },
	{ 0 },
};

static bool has_prices(const void *section)
{
	const struct net_cost *cost = section;
	return cost->model.plugin && cost->model.plugin->ops != topo_cost_none.ops;
}

const struct base_condition xp_cost_conditions[] = {
	{ "radix media", "with a cost model (kind other than \"none\")", has_prices, NULL },
	{ 0 },
};
