/* switch/links/pass.c - frames on a switch's links. See pass.h. */
#include "switch/links/pass.h"

void sw_pass(struct sw_call *call, uint32_t out, unsigned link_class, uint32_t job, struct sw_passage *p)
{
	const struct sw_common *c = call->common;
	const struct sw_link *link = sw_link_for_job(c, link_class, job);
	base_check(c->passes && (c->wires || c->kinds));
	if (c->wires && link_class < SW_LINK_CLASSES && c->wires->of[link_class].on) {
		p->link_class = link_class;
		p->port = out;
		p->id = call->id;
		p->seed = c->seed;
		sw_wire_pass(call->ctx, c->wires, link, call->host_ops->wire(call, out), p);
		return;
	}
	uint64_t time = sw_serialisation(link, p->bytes);
	p->start = p->ready > p->idle ? p->ready : p->idle;
	if (p->start + time < p->whole)
		p->start = p->whole - time;
	p->finish = p->start + time;
	p->free_at = p->finish + link->gap;
}

uint64_t sw_comes(struct sw_call *call, uint32_t in_port, unsigned link_class, uint32_t bytes, uint64_t arrived)
{
	const struct sw_common *c = call->common;
	const struct sw_link *link = &c->incoming[link_class];
	if (c->wires && link_class < SW_LINK_CLASSES && c->wires->of[link_class].on)
		return sw_wire_comes(c->wires, link, link_class, call->host_ops->wire(call, in_port), bytes, arrived);
	return sw_serialisation(link, bytes);
}
