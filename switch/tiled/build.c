/* switch/tiled/build.c - the constants of a tiled switch, derived from its parameters. */
#include "switch/clock.h"
#include "switch/tiled/tiled.h"

#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool has_flows(const struct sw_common *c, const struct tiled_params *p)
{
	if (p->flow_channels != TILED_FLOWS_AUTO)
		return p->flow_channels == TILED_FLOWS_ON;
	return c->paced_flows && (p->preset == TILED_ROSETTA || p->preset == TILED_SUCCESSOR) &&
	       p->grants == TILED_FIRST && c->max_net_ports && !c->bubble && !(c->max_packet >> SW_FLOW_BYTES_BITS);
}

/* Conditions that depend on the network: whether the routing reads queues, and the numbers of ports and of VCs. */
static void check_effects(const struct sw_common *c, const struct tiled_params *p, const struct tiled_derived *d,
                          struct base_errors *errors)
{
	uint32_t columns = 0;
	for (uint32_t i = 0; i < d->ports; i++)
		columns = columns > d->geometry.column[i] ? columns : d->geometry.column[i];
	for (const struct base_param *row = tiled_parameters; row->name; row++) {
		if (base_param_is_default(row, c->params))
			continue;
		if (!strcmp(row->name, "publish") && !c->track_queues)
			base_errorf(errors, row->name, "has an effect only with a routing that reads queues");
		if (!strcmp(row->name, "quantum") && c->min_packet == c->max_packet &&
		    !tiled_any_arbiter(p, sw_arbiter_takes_quantum))
			base_errorf(errors, row->name, "has an effect only with packets of different sizes");
		if (!strcmp(row->name, "ack_width") && !c->ack_bytes)
			base_errorf(
			    errors, row->name,
			    "has an effect only with acknowledgements that pass through switches (nic.ack = \"hop\")");
		if (!strcmp(row->name, "flow_channels") && p->flow_channels == TILED_FLOWS_ON && !c->max_net_ports)
			base_errorf(errors, row->name, "has no effect here: the network has no links between switches");
		if ((!strcmp(row->name, "flow_threshold") || !strcmp(row->name, "flow_route")) && !has_flows(c, p))
			base_errorf(errors, row->name,
			            "has an effect only with flow channels (flow_channels = \"on\")");
		else if (!strcmp(row->name, "flow_route") && !c->track_queues)
			base_errorf(errors, row->name, "has an effect only with a routing that reads queues");
		if (!strcmp(row->name, "spread") && c->vcs == 1)
			base_errorf(errors, row->name, "has an effect only with several virtual channels");
		if ((!strcmp(row->name, "column_arbiter") || !strcmp(row->name, "grant_column_arbiter")) &&
		    d->rows <= 1)
			base_errorf(errors, row->name, "has no effect here: all ports in use are in one row of tiles");
		if (!strcmp(row->name, "row_pitch") && d->rows <= 1)
			base_errorf(errors, row->name, "has no effect here: all ports in use are in one row of tiles");
		if (!strcmp(row->name, "column_pitch") && !columns)
			base_errorf(errors, row->name,
			            "has no effect here: all ports in use are in one column of tiles");
		if (!strcmp(row->name, "bus_arbiter") && p->queues == TILED_SECOND && c->lanes.n == 1)
			base_errorf(errors, row->name,
			            "has no effect here: with one lane an input has one queue; several lanes, or "
			            "queues = \"voq\", are needed");
	}
}

/* Limits of the fields in words of flow channels. */
static int check_flows(const struct sw_common *c, const struct tiled_params *p, struct base_errors *errors)
{
	if (p->flow_channels == TILED_FLOWS_ON && c->max_packet >> SW_FLOW_BYTES_BITS)
		return base_errorf(errors, "flow_channels",
		                   "packets of %u bytes are too large; they must have less than %u bytes",
		                   c->max_packet, 1u << SW_FLOW_BYTES_BITS);
	if (p->flow_channels == TILED_FLOWS_ON && c->bubble && !c->unsafe)
		return base_errorf(
		    errors, "flow_channels",
		    "deadlock = \"bubble\" needs a switch without flow channels: packets on a ring that wait for "
		    "others of their flow would have to keep the last free buffer from entering packets");
	return 0;
}

static int check_arbiters(const struct sw_common *c, const struct tiled_params *p, struct base_errors *errors)
{
	const struct {
		const char *key;
		const struct base_plugin *arbiter;
	} of[] = { { "grant_arbiter", p->grant_arbiter.plugin },
		   { "grant_column_arbiter", p->grant_column_arbiter.plugin },
		   { "bus_arbiter", p->bus_arbiter.plugin },
		   { "crossbar_arbiter", p->crossbar_arbiter.plugin },
		   { "column_arbiter", p->column_arbiter.plugin } };
	int status = 0;
	for (size_t i = 0; i < sizeof of / sizeof *of; i++)
		status |= sw_arbiter_check(of[i].arbiter, of[i].key, sw_arbiter_given(c->max_net_ports), errors);
	return status;
}

static int check_tiled(struct sw_common *c, const struct tiled_params *p, struct base_errors *errors)
{
	uint64_t ports = c->max_ports, radix = (uint64_t)(p->rows * p->columns * p->ports_per_tile);
	if (radix > TILED_PORTS || p->columns * p->ports_per_tile > TILED_ROW_PORTS)
		return base_errorf(errors, "columns",
		                   "%lld x %lld tiles of %lld ports are too many: at most %u ports, and %u ports in a "
		                   "row of tiles, are supported",
		                   (long long)p->rows, (long long)p->columns, (long long)p->ports_per_tile, TILED_PORTS,
		                   TILED_ROW_PORTS);
	if (ports > radix)
		return base_errorf(
		    errors, "ports_per_tile",
		    "%lld x %lld tiles of %lld ports make %llu, but this topology needs switches of %llu",
		    (long long)p->rows, (long long)p->columns, (long long)p->ports_per_tile, (unsigned long long)radix,
		    (unsigned long long)ports);
	if (check_arbiters(c, p, errors) || sw_check_quantum(p->quantum, c->max_packet, errors))
		return -1;
	if (sw_lanes_size(c, p->buffer, p->shared_pool, p->pool_threshold, errors))
		return -1;
	if (radix * (uint64_t)p->buffer > UINT32_MAX)
		return base_errorf(
		    errors, "buffer",
		    "%llu bytes in the input buffers of %llu ports exceed the 4 GiB supported for a queue's depth",
		    (unsigned long long)(radix * (uint64_t)p->buffer), (unsigned long long)radix);
	if (p->output_buffer < c->max_packet)
		return base_errorf(errors, "output_buffer", "%llu bytes do not hold a packet of %u",
		                   (unsigned long long)p->output_buffer, c->max_packet);
	if (p->row_buffer && p->row_buffer < c->max_packet)
		return base_errorf(errors, "row_buffer", "%llu bytes do not hold a packet of %u",
		                   (unsigned long long)p->row_buffer, c->max_packet);
	if (p->column_buffer && p->column_buffer < c->max_packet)
		return base_errorf(errors, "column_buffer", "%llu bytes do not hold a packet of %u",
		                   (unsigned long long)p->column_buffer, c->max_packet);
	if (c->bubble && p->grants == TILED_SECOND && p->column_buffer && !c->unsafe)
		return base_errorf(errors, "column_buffer",
		                   "deadlock = \"bubble\" needs a switch with grants, or without column buffers: "
		                   "packets that enter a ring would block those on it in the column buffers");
	if (p->grants == TILED_SECOND && !p->row_buffer)
		return base_errorf(errors, "row_buffer",
		                   "without grants a tile needs row buffers: otherwise one virtual channel would block "
		                   "another on the row bus");
	if (p->grants == TILED_FIRST && p->queues == TILED_SECOND)
		return base_errorf(errors, "queues",
		                   "grants need queues = \"voq\"; with queues = \"fifo\" remove the grants");
	if (p->grants == TILED_SECOND && p->queues == TILED_FIRST && ports * c->lanes.n > TILED_PORTS)
		return base_errorf(errors, "queues",
		                   "%llu ports and %u lanes need more than %u virtual output queues per input: use "
		                   "grants, or queues = \"fifo\"",
		                   (unsigned long long)ports, c->lanes.n, TILED_PORTS);
	return 0;
}

static uint32_t place_array(struct tiled_derived *d, uint64_t count, size_t bytes)
{
	uint32_t at = d->bytes;
	d->bytes +=
	    (uint32_t)((count * bytes + 63) &
	               ~(uint64_t)63); /* whole cache lines: a shared one would be an additional line to fetch */
	return at;
}

static uint32_t place_in(uint32_t *block, uint64_t count, size_t bytes)
{
	uint32_t at = *block;
	*block += (uint32_t)((count * bytes + 7) & ~(uint64_t)7);
	return at;
}

static uint32_t arbiter_bytes(const struct base_plugin *arbiter, uint32_t n)
{
	return (uint32_t)sw_arbiter_bytes(arbiter, n);
}

/* The layout of a port's block. */
static void lay_out_port(struct tiled_derived *d)
{
	uint32_t b = sizeof(struct tiled_port), rows = d->geometry.rows, row_ports = d->geometry.row_ports,
		 granting = !d->grants   ? 0
	                    : d->ordered ? d->classes
	                                 : 1;
	d->crossbar_arbiter_bytes = arbiter_bytes(d->crossbar_arbiter, row_ports);
	d->column_arbiter_bytes = arbiter_bytes(d->column_arbiter, rows);
	d->grant_arbiter_bytes = arbiter_bytes(d->grant_arbiter, row_ports);
	d->grant_column_arbiter_bytes = arbiter_bytes(d->grant_column_arbiter, rows);
	place_in(&b, sw_account_words(&d->account), 4); /* tiled_account_of() */
	d->in_used = place_in(&b, d->lanes, 4);
	d->in_kept = d->hold.stop ? place_in(&b, d->lanes, 4) : 0;
	d->in_crossbar_arbiters = place_in(&b, (uint64_t)d->levels * d->rows, d->crossbar_arbiter_bytes);
	if (d->levels * d->column_arbiter_bytes <= sizeof(uint32_t))
		d->in_column_arbiter = offsetof(struct tiled_port, column_turn);
	else
		d->in_column_arbiter = place_in(&b, d->levels, d->column_arbiter_bytes);
	d->in_holders = place_in(&b, d->reserves ? d->lanes : 0, 2);
	d->in_contend = place_in(&b, (uint64_t)d->front_lanes * d->row_words, 8);
	d->in_asked = place_in(&b, d->grants ? (uint64_t)d->lanes * d->words : 0, 8);
	d->in_grant_arbiters = place_in(&b, (uint64_t)granting * d->rows, d->grant_arbiter_bytes);
	d->in_grant_column_arbiter = place_in(&b, granting, d->grant_column_arbiter_bytes);
	d->in_buckets = place_in(&b, d->ordered ? d->classes : 0, sizeof(struct sw_class_buckets));
	d->in_waiting = place_in(&b, d->claims && !d->row_buffered ? sw_set_words(d->ports) : 0, 8);
	d->in_rest = place_in(&b, 1, sizeof(struct tiled_port_rest));
	d->port_bytes = (b + 63) & ~63u;
	base_check(d->in_contend % 8 == 0 && d->in_asked % 8 == 0);
}

/* The layout per (output, input): within a cache line if possible. */
static void lay_out_pair(struct tiled_derived *d)
{
	uint32_t b = 0;
	if (!d->row_buffered && d->front_lanes == 1)
		b += (uint32_t)sizeof(struct tiled_front);
	d->in_pair_voqs = b;
	if (d->grants)
		b += d->lanes * (uint32_t)sizeof(struct tiled_voq);
	d->pair_bytes = b <= 32 ? b : b <= 64 ? 64 : (b + 15) & ~15u;
}

/* Numbers in the agenda. */
static void lay_out_agenda(struct tiled_derived *d)
{
	uint32_t n = d->ports, of[TILED_DUES] = {
		[TILED_DUE_ASKS] = d->grants ? n : 0,
		[TILED_DUE_GRANTS] = d->direct ? n : 0,
		[TILED_DUE_GRANT] = d->grants ? n : 0,
		[TILED_DUE_BUS] = d->row_buffered ? n : 0,
		[TILED_DUE_CROSSBAR] = d->column_buffered ? n * d->geometry.rows : 0,
		[TILED_DUE_MUX] = n,
	};
	for (int k = 0; k < TILED_DUES; k++)
		d->first[k + 1] = d->first[k] + of[k];
	d->at_agenda = place_array(d, 1, sw_agenda_bytes(d->first[TILED_DUE_MUX]));
	d->at_muxes = place_array(d, 1, sw_agenda_bytes(n));
}

#define BLOCK_PACKETS 1024u /* maximum packets in the block */

static void lay_out(struct tiled_derived *d, bool depths, bool acks)
{
	uint64_t n = d->ports, rows = d->geometry.rows, columns = d->geometry.columns, fronts = tiled_fronts(d);
	lay_out_port(d);
	place_array(d, n, d->port_bytes);
	if (d->direct) {
		/* a saturated switch has more packets, and its pairs occupy more memory than they do */
		d->packets = (uint32_t)tiled_min(tiled_max(n * 8, n * n / 4), BLOCK_PACKETS);
		d->at_packets = place_array(d, d->packets, sizeof(struct tiled_packet));
	}
	lay_out_pair(d);
	d->at_pairs = place_array(d, n * n, d->pair_bytes);
	d->at_voqs = d->at_pairs + d->in_pair_voqs;
	d->pairs_bytes = (uint32_t)n * d->pair_bytes;
	bool in_pairs = !d->row_buffered && d->front_lanes == 1;
	d->at_fronts = in_pairs ? d->at_pairs : place_array(d, n * fronts, sizeof(struct tiled_front));
	d->front_bytes = in_pairs ? d->pair_bytes : (uint32_t)sizeof(struct tiled_front);
	if (depths)
		d->at_depths = place_array(d, n, sizeof(struct tiled_depth));
	d->ages =
	    d->grants && (sw_arbiter_takes_age(d->grant_arbiter) || sw_arbiter_takes_age(d->grant_column_arbiter));
	if (d->ages)
		d->at_ages = place_array(d, n * d->lanes * d->places, 8);
	if (!d->plain)
		d->at_turns = place_array(d, n * TILED_TAKERS * d->places, d->turns);
	if (d->row_buffered) {
		d->queues = d->grants ? d->classes : d->fifo ? d->lanes : d->ports * d->lanes;
		d->at_spaces = place_array(d, n * fronts, 4);
		d->at_queues = place_array(d, n * d->queues, sizeof(struct tiled_list));
		d->queue_words = sw_set_words(d->queues);
		d->at_busy_queues = place_array(d, n * d->queue_words, 8);
		d->at_tile_free = place_array(d, n * columns, 8);
		d->bus_arbiter_bytes = arbiter_bytes(d->bus_arbiter, d->queues);
		d->at_bus_arbiters = place_array(d, n * d->levels, d->bus_arbiter_bytes);
	}
	if (d->column_buffered) {
		d->at_crossings = place_array(d, n * rows, sizeof(struct tiled_crossing));
		d->at_columns = place_array(d, n * rows * d->lanes, sizeof(struct tiled_column));
		d->at_column_heads = place_array(d, n * d->lanes, 8);
	}
	if (acks)
		d->at_acks = place_array(d, n, sizeof(struct tiled_ack_port));
	lay_out_agenda(d);
}

static void set_times(const struct sw_common *c, struct tiled_derived *d, const struct tiled_params *p)
{
	d->width = (uint32_t)p->width;
	d->width_reciprocal = ((1ull << 32) + d->width - 1) / d->width;
	d->period = p->clock;
	if (p->speedup > 0) {
		double port_ps = (double)c->link[c->fastest].ps_per_byte_q16 * (double)p->width / 65536.0;
		d->period = (uint64_t)(port_ps / p->speedup + 0.5);
		d->period = d->period ? d->period : 1;
	}
	d->request_spacing = d->period / (uint64_t)p->request_width;
	d->grant_spacing = d->period / (uint64_t)p->grant_width;
	if (c->ack_bytes)
		d->ack_spacing = (c->ack_bytes + p->ack_width - 1) / p->ack_width * d->period;
	d->ingress = p->serdes + p->mac + p->route;
	d->ask = d->grants ? p->request : 0;
	d->grant = d->grants ? p->grant : 0;
	d->row = p->row;
	d->column = p->column;
	d->egress = p->egress;
	d->credit = p->credit;
	d->edge_reciprocal = p->align && d->period > 1 ? UINT64_MAX / d->period + 1 : 0;
	d->column_pitch = p->column_pitch;
	d->row_pitch = p->row_pitch;
	d->pipeline = d->ingress + d->ask + d->grant + d->row + d->column + d->egress;
	d->lead = tiled_min(d->egress + (p->column_buffer ? 0 : d->column), d->credit);
	d->slack = d->lead / 4;
	d->bytes_per_ps_q32 = (((uint64_t)d->width << 32) + d->period - 1) / d->period;
	d->publish = p->publish;
	d->publish_reciprocal = p->publish > 1 ? UINT64_MAX / p->publish + 1 : 0;
	if (p->publish == 1)
		d->publish = 0;
	for (int k = 0; k <= SW_LINK_CLASSES; k++) {
		const struct sw_link *l = &c->link[k];
		if (!l->ps_per_byte_q16)
			continue;
		d->link[k].link = *l;
		d->link[k].space = (uint64_t)((unsigned __int128)p->output_buffer * l->ps_per_byte_q16 >> 16);
		d->link[k].grants = (uint64_t)((unsigned __int128)p->grant_limit * l->ps_per_byte_q16 >> 16);
		d->link[k].max_packet = sw_serialisation(l, c->max_packet);
		d->link[k].ahead = (int64_t)(d->link[k].space - d->link[k].max_packet);
		d->trails |= d->link[k].max_packet > d->ask + d->grant || c->wires;
		uint64_t most = sw_most_per_ps_q32(l, c->min_packet);
		unsigned __int128 granted = ((unsigned __int128)d->link[k].grants * most >> 32) + 1;
		if (!most || granted > UINT32_MAX)
			d->grant_bytes = SIM_NEVER;
		else if (k < SW_LINK_CLASSES && granted > d->grant_bytes)
			d->grant_bytes = (uint64_t)granted;
		d->link[k].bytes_per_ps_q32 =
		    ((1ull << 48) + l->ps_per_byte_q16 - 1) / l->ps_per_byte_q16; /* a whole number of bytes is exact */
	}
}

/* The places of ports, and the places in use. */
static void set_places(const struct sw_common *c, struct tiled_derived *d, const struct tiled_params *p,
                       struct base_errors *errors)
{
	struct tiled_geometry *g = &d->geometry;
	d->ports = c->max_ports;
	d->rows = d->places = 1;
	tiled_geometry_set(g, (uint32_t)p->rows, (uint32_t)p->columns, (uint32_t)p->ports_per_tile);
	if (tiled_geometry_place(g, p, d->ports, errors))
		return;
	for (uint32_t i = 0; i < d->ports; i++) {
		d->rows = (uint32_t)tiled_max(d->rows, g->row[i] + 1u);
		d->places = (uint32_t)tiled_max(d->places, g->place[i] + 1u);
	}
	d->words = sw_set_words(d->places);
	d->row_words = d->rows * g->row_words;
}

static uint32_t weight_of(const struct tiled_params *p, uint32_t i)
{
	return p->weights.n ? (uint32_t)p->weights.v[i % p->weights.n] : 1;
}

static void set_lanes(const struct sw_common *c, struct tiled_derived *d)
{
	d->account = c->lanes;
	d->vcs = c->vcs;
	d->lanes = c->lanes.n;
	d->classes = c->lanes.classes;
	d->share = c->lanes.reserve;
	d->most_of_lane = c->lanes.reserve + c->lanes.pool;
	sw_class_order_init(c, &d->order);
	d->ordered = d->order.used;
	d->levels = !d->ordered ? 1 : d->grants ? d->order.levels / d->order.steps : d->order.levels;
	d->turns = d->ordered && d->grants && d->classes > d->levels ? d->classes : d->levels;
	d->plain = !d->ordered && d->classes == 1;
	for (uint32_t j = 0; d->classes > 1 && j < 256; j++)
		d->first_lane[j] = (uint8_t)(c->class_of_job[j] * d->vcs);
	base_checkf(d->lanes == d->classes * d->vcs && d->most_of_lane <= INT32_MAX, "%u lanes of %u bytes", d->lanes,
	            d->most_of_lane);
}

/* Decides how many credits inputs may withhold. Credits are due `credit` after a packet's last byte has left the input,
 * which the packet leaves without interruption. A grant is decided at most grant + row + slack late (tiled_arm()).
 * During that time an output grants at most the bytes that may be in flight (grant_bytes, and one packet above it) plus
 * those that its multiplexer can carry. */
static void choose_hold(struct sw_common *c, struct tiled_derived *d)
{
	uint64_t crosses = (c->max_packet + d->width - 1) / d->width * d->period;
	if (!c->may_hold || c->framed || !d->direct || d->fault || c->bubble || d->account.pool || d->lanes > 8 ||
	    d->grant_bytes == SIM_NEVER || d->flows)
		return;
	for (unsigned k = 0; k <= SW_LINK_CLASSES; k++)
		crosses = tiled_max(crosses, d->link[k].max_packet);
	const struct sw_takes takes = { d->grant_bytes + 2ull * c->max_packet, d->bytes_per_ps_q32 };
	d->hold_delay = d->grant + d->row + d->lead;
	d->hold = sw_hold_of(c, &takes, d->share / 8 * 5, d->credit + crosses + 1, d->hold_delay);
	c->hold_within = d->hold.stop ? d->credit + crosses + 1 : 0;
}

static bool is_by_packet(const struct base_plugin *arbiter)
{
	enum sw_arbiter_key key = sw_arbiter_key(arbiter);
	return key == SW_KEY_BYTES || key == SW_KEY_HOPS;
}

static void choose_arbiters(struct tiled_derived *d, const struct tiled_params *p)
{
	bool by_bytes = d->mixed && !d->grants;
	d->grant_arbiter = sw_arbiter_chosen(&p->grant_arbiter, false);
	d->grant_column_arbiter = p->grant_column_arbiter.plugin ? p->grant_column_arbiter.plugin : d->grant_arbiter;
	d->grant_by_age = d->grant_arbiter == &sw_arbiter_age && d->grant_column_arbiter == &sw_arbiter_age;
	d->grant_by_packet = is_by_packet(d->grant_arbiter) || is_by_packet(d->grant_column_arbiter);
	d->bus_arbiter = sw_arbiter_chosen(&p->bus_arbiter, by_bytes);
	d->crossbar_arbiter = sw_arbiter_chosen(&p->crossbar_arbiter, by_bytes);
	d->column_arbiter = sw_arbiter_chosen(&p->column_arbiter, by_bytes);
}

int tiled_build(struct sw_common *c, struct base_errors *errors)
{
	struct tiled_params p;
	size_t before = errors->errors;
	tiled_resolve(&p, c->params);
	if (check_tiled(c, &p, errors) || check_flows(c, &p, errors))
		return -1;
	struct tiled_derived *d = base_calloc(1, sizeof *d);
	set_places(c, d, &p, errors);
	check_effects(c, &p, d, errors);
	if (errors->errors > before) {
		free(d);
		return -1;
	}
	d->grants = p.grants == TILED_FIRST;
	set_lanes(c, d);
	d->group = c->route_vcs && c->vcs >= c->route_vcs ? c->vcs / c->route_vcs : 1;
	for (uint32_t v = 0; v < c->vcs; v++)
		d->class_of[v] = (uint8_t)(v / d->group);
	d->fifo = p.queues == TILED_SECOND;
	d->row_buffered = p.row_buffer > 0;
	d->column_buffered = p.column_buffer > 0;
	d->direct = d->plain && d->grants && !d->row_buffered && !d->column_buffered;
	d->claims = d->ordered && d->grants;
	d->front_lanes = d->row_buffered ? d->lanes : d->classes;
	/* equal packets all fit or none does; with the bubble rule, packets on a ring must pass those that enter it */
	d->mixed = c->min_packet < c->max_packet;
	d->alike = !d->mixed && !c->bubble;
	d->reserves = d->mixed && !c->bubble;
	d->row_space = (uint32_t)p.row_buffer;
	d->column_space = (uint32_t)p.column_buffer;
	d->terminal_share = (uint32_t)p.buffer;
	d->max_packet = c->max_packet;
	d->requests = (uint32_t)p.requests;
	d->age = (enum sw_age)p.age;
	d->created_mask = c->framed ? SW_CREATED_MASK : UINT64_MAX;
	d->quantum = p.quantum ? (uint32_t)p.quantum : c->max_packet;
	d->by_packet = p.spread == TILED_BY_PACKET;
	d->flows = has_flows(c, &p);
	d->flow_route = d->flows && c->track_queues ? p.flow_route : 0;
	d->fault = (enum tiled_fault)p.fault;
	choose_arbiters(d, &p);
	uint32_t queues_per_port = d->grants || d->fifo ? 1 : d->lanes; /* else queues are of lanes or classes */
	for (uint32_t i = 0; i < TILED_PORTS; i++) {
		d->weight[i] = 1;
		d->bus_weight[i] = weight_of(&p, i / queues_per_port);
	}
	for (uint32_t i = 0; i < d->ports; i++)
		d->weight[d->geometry.place[i]] = weight_of(&p, i);
	for (uint32_t r = 0; r < TILED_ROWS; r++)
		d->row_weight[r] = weight_of(&p, r);
	set_times(c, d, &p);
	d->most_beats = tiled_beats(d, c->max_packet);
	d->most_frees = d->credit + tiled_max(d->most_beats, d->row + 1) - d->row;
	d->uniform = d->alike && !d->trails && !d->account.pool && d->geometry.row_words == 1;
	for (int k = 0; k <= SW_LINK_CLASSES; k++)
		d->uniform &= !c->link[k].ps_per_byte_q16 || d->link[k].max_packet >= d->most_beats;
	base_checkf(d->most_beats == (c->max_packet + d->width - 1) / d->width * d->period, "%u bytes in beats of %u",
	            c->max_packet, d->width);
	choose_hold(c, d);
	lay_out(d, c->track_queues, c->ack_bytes > 0);
	if (p.speedup <= 0) /* otherwise speedup sets it */
		sw_look_at_clock(c, "clock", d->period, (double)tiled_beats(d, c->max_packet), errors);
	c->impl = d;
	c->credit_delay = d->credit;
	c->flow_channels = d->flows;
	for (unsigned k = 0; k <= SW_LINK_CLASSES; k++)
		d->link[k].credit_loop = tiled_credit_loop(c, k, c->max_packet);
	return 0;
}

void tiled_destroy(struct sw_common *c)
{
	free(c->impl);
}
