/* network/stats/instruments.c - which switches have instruments, and their readings after the run. */
#include "base/memory.h"
#include "network/stats/by_switch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

void net_instruments_prepare(struct net *n)
{
	for (uint32_t j = 0; j < n->traffic.streams && j < 256; j++)
		n->classes.of_job[j] = (uint8_t)n->traffic.job[j].class_index;
	n->common.class_of_job = n->classes.of_job;
	n->common.traffic_classes = n->config->nclasses ? n->config->nclasses : 1;
}

static void add_switch(struct net *n, uint32_t sw)
{
	uint64_t *word = &n->records.switches[sw >> 6], bit = 1ull << (sw & 63);
	n->records.nswitches += !(*word & bit);
	*word |= bit;
}

/* Reads a number of at most 32 bits; NULL if there is none. */
static const char *read_number(const char *text, uint64_t *out)
{
	*out = 0;
	if (!isdigit((unsigned char)*text))
		return NULL;
	for (; isdigit((unsigned char)*text) && *out <= UINT32_MAX; text++)
		*out = 10 * *out + (uint64_t)(*text - '0');
	return text;
}

static int add_ranges(struct net *n, const char *list, struct base_errors *errors)
{
	for (const char *at = list;; at++) {
		uint64_t low, high;
		if ((at = read_number(at + strspn(at, " "), &low))) {
			high = low;
			if (*at == '-')
				at = read_number(at + 1, &high);
		}
		if (!at)
			break;
		if (high < low)
			return base_errorf(errors, "record.switches", "the range %llu-%llu is decreasing",
			                   (unsigned long long)low, (unsigned long long)high);
		if (high >= n->topo.switches)
			return base_errorf(errors, "record.switches", "there is no switch %llu; the last one is %u",
			                   (unsigned long long)high, n->topo.switches - 1);
		for (uint64_t s = low; s <= high; s++)
			add_switch(n, (uint32_t)s);
		at += strspn(at, " ");
		if (!*at)
			return 0;
		if (*at != ',')
			break;
	}
	return base_errorf(errors, "record.switches", "\"%s\" must be \"all\" or a list of ranges such as \"0-3,17\"",
	                   list);
}

int net_instruments_choose(struct net *n, struct base_errors *errors)
{
	const struct net_record *r = &n->config->record;
	const char *list = r->switches ? r->switches : "";
	if (!r->instruments)
		return 0;
	const struct sw_ops *ops = n->common.ops;
	if (!ops->instruments.list)
		return base_errorf(errors, "record.switch", "a switch of kind \"%s\" has no instruments",
		                   n->config->sw.plugin->name);
	n->records.instruments = (struct sw_instruments){ .v = ops->instruments.list,
		                                          .n = ops->instruments.n,
		                                          .ports = n->topo.max_ports + n->topo.max_endpoints,
		                                          .classes = n->common.traffic_classes };
	if (ops->instruments.tiles)
		ops->instruments.tiles(&n->common, &n->records.instruments);
	n->records.switches = base_calloc(n->topo.switches / 64 + 1, sizeof *n->records.switches);
	bool all = !strcmp(list, "all");
	for (uint32_t s = 0; (all || !*list) && s < n->topo.switches && (all || s < NET_RECORDED_SWITCHES); s++)
		add_switch(n, s);
	return all || !*list ? 0 : add_ranges(n, list, errors);
}

bool net_has_instruments(const struct net *n, uint32_t sw)
{
	return n->records.switches && n->records.switches[sw >> 6] >> (sw & 63) & 1;
}

struct shown {
	void (*visit)(void *arg, const struct net_switch_record *record);
	void *arg;
};

static void fill_readings(struct net *n, struct net_lp *lp, unsigned char *out)
{
	n->common.ops->instruments.read(&n->common, net_switch_state(n, lp), &n->records.instruments,
	                                (uint64_t *)(void *)(out + NET_BY_SWITCH_HEAD));
}

static void show_readings(struct net *n, uint32_t sw, const unsigned char *record, void *arg)
{
	const struct shown *x = arg;
	uint32_t net_ports = topo_ports(&n->topo, sw);
	x->visit(x->arg, &(struct net_switch_record){
			     .sw = sw,
			     .net_ports = net_ports,
			     .ports = net_ports + topo_endpoints_at(&n->topo, sw),
			     .kind = n->config->sw.plugin->name,
			     .instruments = &n->records.instruments,
			     .words = (const uint64_t *)(const void *)(record + NET_BY_SWITCH_HEAD),
			     .span_ps = n->result.reached_ps,
			 });
}

void net_each_switch(struct net *n, void (*visit)(void *arg, const struct net_switch_record *record), void *arg)
{
	struct shown x = { visit, arg };
	if (!n->records.nswitches)
		return;
	uint32_t *chosen = base_calloc(n->records.nswitches, sizeof *chosen), used = 0;
	for (uint32_t sw = 0; sw < n->topo.switches; sw++)
		if (net_has_instruments(n, sw))
			chosen[used++] = sw;
	base_checkf(used == n->records.nswitches, "%u switches with instruments, %u were chosen", used,
	            n->records.nswitches);
	size_t words = sw_instrument_at(&n->records.instruments, n->records.instruments.n);
	net_by_switch(n, &(struct net_by_switch){ .bytes = NET_BY_SWITCH_HEAD + words * sizeof(uint64_t),
	                                          .chosen = chosen,
	                                          .records = used,
	                                          .fill = fill_readings,
	                                          .show = show_readings,
	                                          .arg = &x });
	free(chosen);
}
