/* switch/links/pass.h - sends frames on links that have lanes or link-level retry. A switch model with
 * sw_ops.links.wires calls sw_pass(), if common->wires is set, to find out when a frame leaves, instead of adding the
 * frame's time to its start. */
#ifndef SWITCH_LINKS_PASS_H
#define SWITCH_LINKS_PASS_H

#include "switch/links/wire.h"
#include "switch/switch.h"

/* Determines when a frame of p->bytes leaves by port `out`: sets p->start, p->finish and p->free_at; p->ready, p->idle
 * and p->whole are given. link_class: SW_LINK_TERMINAL for terminal ports, whose links have neither lanes nor retry. */
void sw_pass(struct sw_call *call, uint32_t out, unsigned link_class, struct sw_passage *p);

/* Returns the ps from the first to the last bit of a frame whose first bit arrives at in_port at `arrived`. */
uint64_t sw_comes(struct sw_call *call, uint32_t in_port, unsigned link_class, uint32_t bytes, uint64_t arrived);

#endif
