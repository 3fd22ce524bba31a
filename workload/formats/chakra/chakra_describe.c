/* workload/formats/chakra/chakra_describe.c - see chakra_describe.h */
#include "workload/formats/chakra/chakra_describe.h"

#include "base/text.h"

#include <inttypes.h>

static const char *const node_name[CHAKRA_TYPES] = { "invalid_nodes", "metadata", "loads",    "stores",
	                                             "computations",  "sends",    "receives", "collectives" };

static struct wl_chakra_npu add_up_npus(const struct wl_chakra *c)
{
	struct wl_chakra_npu sum = { 0 };
	for (uint32_t i = 0; i < c->npus; i++) {
		const struct wl_chakra_npu *n = &c->npu[i];
		for (unsigned k = 0; k < CHAKRA_TYPES; k++)
			sum.nodes[k] += n->nodes[k];
		sum.data_needs += n->data_needs;
		sum.control_needs += n->control_needs;
		sum.send_bytes += n->send_bytes;
		sum.receive_bytes += n->receive_bytes;
		sum.collective_bytes += n->collective_bytes;
		sum.compute_us += n->compute_us;
	}
	return sum;
}

static void write_npu(struct base_json *j, const struct wl_chakra_npu *n)
{
	for (unsigned k = CHAKRA_INVALID; k < CHAKRA_TYPES; k++)
		base_json_uint(j, node_name[k], n->nodes[k]);
	base_json_uint(j, "data_dependencies", n->data_needs);
	base_json_uint(j, "control_dependencies", n->control_needs);
	base_json_uint(j, "send_bytes", n->send_bytes);
	base_json_uint(j, "receive_bytes", n->receive_bytes);
	base_json_uint(j, "collective_bytes", n->collective_bytes);
	base_json_uint(j, "compute_us", n->compute_us);
}

static void write_unused(struct base_json *j, const struct wl_chakra *c)
{
	const struct chakra_unused *u = &c->unused;
	base_json_uint(j, "host_launches", u->launches);
	base_json_uint(j, "dropped_control_dependencies", u->controls + u->stacks);
	base_json_uint(j, "computations_without_time", u->untimed);
	base_json_uint(j, "mismatched_sizes", c->sizes.mismatched);
	base_json_object(j, "unused_attributes");
	for (uint32_t i = 0; i < u->names.n; i++)
		base_json_uint(j, u->names.v[i].name, u->names.v[i].count);
	base_json_end(j);
	base_json_uint(j, "other_unused_attributes", u->names.others);
}

void chakra_describe_json(const struct wl_trace *t, const struct wl_play *p, struct base_json *j)
{
	const struct wl_chakra *c = t->data;
	struct wl_chakra_npu sum = add_up_npus(c);
	base_json_string(j, "version", c->version);
	base_json_uint(j, "ranks", c->npus);
	write_npu(j, &sum);
	base_json_object(j, "collectives_by_name");
	for (unsigned i = 0; i < CHAKRA_COLLECTIVES; i++)
		if (c->collectives[i])
			base_json_uint(j, chakra_collective_name[i], c->collectives[i]);
	base_json_end(j);
	base_json_uint(j, "process_groups", c->groups);
	write_unused(j, c);
	base_json_uint(j, "unmatched_messages", c->lost);
	base_json_uint(j, "unmatched_receives", c->left_receives);
	wl_trace_write_left(p, j);
	base_json_array(j, "per_rank");
	for (uint32_t i = 0; i < c->npus; i++) {
		base_json_object(j, NULL);
		write_npu(j, &c->npu[i]);
		base_json_end(j);
	}
	base_json_end(j);
}

void chakra_describe_text(const struct wl_trace *t, struct base_buffer *out)
{
	const struct wl_chakra *c = t->data;
	struct wl_chakra_npu sum = add_up_npus(c);
	char version[CHAKRA_TEXT];
	base_buffer_printf(out, "%-13s chakra %s, %" PRIu32 " ranks\n", "trace",
	                   base_harmless_copy(c->version, version, sizeof version), c->npus);
	for (unsigned k = CHAKRA_INVALID; k < CHAKRA_TYPES; k++)
		if (sum.nodes[k])
			base_buffer_printf(out, "%-13s %" PRIu64 "\n", node_name[k], sum.nodes[k]);
	base_buffer_printf(out, "%-13s %" PRIu64 " of data, %" PRIu64 " of control\n", "dependencies", sum.data_needs,
	                   sum.control_needs);
	base_buffer_printf(out, "%-13s %" PRIu64 " sent, %" PRIu64 " received, %" PRIu64 " in collectives\n", "bytes",
	                   sum.send_bytes, sum.receive_bytes, sum.collective_bytes);
	for (unsigned i = 0; i < CHAKRA_COLLECTIVES; i++)
		if (c->collectives[i])
			base_buffer_printf(out, "  %-20s %12" PRIu64 "\n", chakra_collective_name[i],
			                   c->collectives[i]);
	base_buffer_printf(out, "%-13s %" PRIu64 " us in total\n", "computation", sum.compute_us);
	const struct chakra_unused *u = &c->unused;
	if (u->launches)
		base_buffer_printf(out, "%-13s %" PRIu64 " calls of collectives, counted as computations\n", "host",
		                   u->launches);
	for (uint32_t i = 0; i < u->names.n; i++)
		base_buffer_printf(out, "%-13s %-24s %12" PRIu64 "\n", i ? "" : "not used",
		                   base_harmless_copy(u->names.v[i].name, version, sizeof version),
		                   u->names.v[i].count);
	if (u->names.others)
		base_buffer_printf(out, "%-13s %-24s %12" PRIu64 "\n", "", "of more names", u->names.others);
}
