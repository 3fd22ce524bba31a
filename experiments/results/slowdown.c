/* experiments/results/slowdown.c - see slowdown.h */
#include "experiments/results/slowdown.h"

#include "base/memory.h"
#include "experiments/results/reader.h"
#include "experiments/results/statistics.h"
#include "experiments/results/table.h"

#include <inttypes.h>

void xp_slowdown_members(struct base_json *j, const struct net_flow *f)
{
	if (!f->has_slowdown || (f->slowdown.n && !f->sizes)) /* of an isolated run there are none by size */
		return;
	base_json_array(j, "slowdown_by_size");
	for (uint32_t i = 0; i < f->sizes; i++) {
		const struct net_slowdown *s = &f->by_size[i].slowdown;
		base_json_object(j, NULL);
		base_json_uint(j, "from_bytes", f->by_size[i].from);
		base_json_uint(j, "below_bytes", 2 * f->by_size[i].from);
		base_json_uint(j, "messages", s->n);
		base_json_uint(j, "bytes", s->bytes);
		base_json_double(j, "mean", s->mean);
		base_json_double(j, "p50", s->p50);
		base_json_double(j, "p99", s->p99);
		base_json_double(j, "max", s->max);
		base_json_end(j);
	}
	base_json_end(j);
}

void xp_slowdown_read(struct net_flow *f, const json_t *list)
{
	size_t n = json_array_size(list);
	f->by_size = n ? base_calloc(n, sizeof *f->by_size) : NULL;
	f->sizes = (uint32_t)n;
	for (size_t i = 0; i < n; i++) {
		const json_t *in = json_array_get(list, i);
		f->by_size[i] = (struct net_slowdown_of_size){
			.from = xp_record_count(xp_number(in, "from_bytes", NULL), 1),
			.slowdown = { .n = xp_record_count(xp_number(in, "messages", NULL), 1),
			              .bytes = xp_record_count(xp_number(in, "bytes", NULL), 1),
			              .mean = xp_number(in, "mean", NULL),
			              .p50 = xp_number(in, "p50", NULL),
			              .p99 = xp_number(in, "p99", NULL),
			              .max = xp_number(in, "max", NULL) },
		};
	}
}

void xp_slowdown_text(FILE *out, const struct net_flow *f)
{
	struct xp_table t = { 0 };
	const struct net_slowdown *s = &f->slowdown;
	if (!f->has_slowdown)
		return;
	if (!s->n) {
		fprintf(out, "%-16s no message between nodes that began in the measured window was delivered\n",
		        "slowdown");
		return;
	}
	fprintf(out, "%-16s mean %.4f, median %.4f, p99 %.4f, max %.4f, of %" PRIu64 " messages\n", "slowdown", s->mean,
	        s->p50, s->p99, s->max, s->n);
	if (f->sizes < 2)
		return;
	xp_table_layout(&t, "from B:12:%.0f|below B:12:%.0f|messages:12:%.0f|mean:10:%.4f|median:10:%.4f|p99:10:%.4f|"
	                    "max:10:%.4f");
	for (uint32_t i = 0; i < f->sizes; i++) {
		const struct net_slowdown *k = &f->by_size[i].slowdown;
		xp_table_numbers(&t, (double)f->by_size[i].from, 2 * (double)f->by_size[i].from, (double)k->n, k->mean,
		                 k->p50, k->p99, k->max);
		xp_table_end(&t);
	}
	fprintf(out, "\n");
	xp_table_print(&t, out);
	fprintf(out, "\n");
}
