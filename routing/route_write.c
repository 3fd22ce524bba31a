/* routing/route_write.c - writes a topology's own minimal routes as a file that the routing `table` reads: for every
 * switch it writes the ports that next() gives, in the same order, so that the same random draws lead to the same
 * routes as with minimal routing. */
#include "base/memory.h"
#include "routing/routes.h"

#include <stdlib.h>
#include <string.h>

/* Ports towards a destination. */
struct port_list {
	topo_port *v;
	uint32_t n, cap;
};

static void append_port(struct port_list *list, topo_port port)
{
	if (list->n == list->cap) {
		list->cap = list->cap ? 2 * list->cap : 64;
		list->v = base_realloc(list->v, list->cap * sizeof *list->v);
	}
	list->v[list->n++] = port;
}

static void list_ports_to(const struct topo *t, topo_switch here, topo_switch to, unsigned leg_hops,
                          struct port_list *list)
{
	list->n = 0;
	if (t->ops->run) {
		struct topo_run run = t->ops->run(t, here, to);
		for (uint32_t i = 0; i < run.n; i++)
			append_port(list, run.first + i);
		return;
	}
	topo_port out[TOPO_MAX_NEXT];
	int n = t->ops->next(t, here, to, leg_hops, out);
	for (int i = 0; i < n; i++)
		append_port(list, out[i]);
}

static bool same_ports(const struct port_list *a, const struct port_list *b)
{
	return a->n == b->n && !memcmp(a->v, b->v, a->n * sizeof *a->v);
}

/* Ports that follow each other are a range; one that is repeated has a weight. */
static void print_ports(const struct port_list *list, FILE *out)
{
	for (uint32_t i = 0, k; i < list->n; i = k) {
		uint32_t same = 1;
		while (i + same < list->n && list->v[i + same] == list->v[i])
			same++;
		k = i + same;
		if (same > 1) {
			fprintf(out, " p%u*%u", list->v[i], same);
			continue;
		}
		while (k < list->n && list->v[k] == list->v[k - 1] + 1 &&
		       (k + 1 == list->n || list->v[k + 1] != list->v[k]))
			k++;
		fprintf(out, k - i > 1 ? " p%u-%u" : " p%u", list->v[i], list->v[k - 1]);
	}
	fprintf(out, "\n");
}

static void print_line(bool first, topo_switch here, topo_switch lo, topo_switch hi, const struct port_list *list,
                       FILE *out)
{
	fprintf(out, lo < hi ? "%s%u %u-%u" : "%s%u %u", first ? "first " : "", here, lo, hi);
	print_ports(list, out);
}

/* Writes the lines of one switch; consecutive destinations with the same ports share a line. `first`: writes only lines
 * for packets that come from an endpoint of the switch, where their ports differ from those of other packets. */
static void write_switch(const struct topo *t, topo_switch here, bool first, struct port_list *list, FILE *out)
{
	struct port_list *run = &list[0], *now = &list[1], *later = &list[2];
	topo_switch lo = 0, hi = 0;
	bool open = false;
	for (topo_switch to = 0; to < t->switches - t->bare; to++) {
		if (to == here || !topo_endpoints_at(t, to))
			continue;
		list_ports_to(t, here, to, !first, now);
		if (first)
			list_ports_to(t, here, to, 1, later);
		bool wanted = !first || !same_ports(now, later);
		if (open && wanted && same_ports(run, now) && (!first || to == hi + 1)) {
			hi = to;
			continue;
		}
		if (open)
			print_line(first, here, lo, hi, run, out);
		open = wanted;
		lo = hi = to;
		struct port_list swap = *run;
		*run = *now;
		*now = swap;
	}
	if (open)
		print_line(first, here, lo, hi, run, out);
}

int rt_write_routes(const struct topo *topo, FILE *out)
{
	struct port_list list[3] = { 0 };
	fprintf(out, "# minimal routes of a %s of %u switches: SWITCH DESTINATIONS HOP ...\n", topo->kind,
	        topo->switches);
	for (topo_switch s = 0; s < topo->switches; s++) {
		write_switch(topo, s, false, list, out);
		if (topo_endpoints_at(topo, s))
			write_switch(topo, s, true, list, out);
	}
	for (int i = 0; i < 3; i++)
		free(list[i].v);
	return ferror(out) ? -1 : 0;
}
