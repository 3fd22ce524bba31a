/* switch/links/pass.h - how a switch model with sw_ops.links.wires sends frames where links have lanes or link-level
 * retry: with common->wires it asks sw_pass() in place of adding a frame's time to its start. */
#ifndef SWITCH_LINKS_PASS_H
#define SWITCH_LINKS_PASS_H

#include "switch/links/wire.h"
#include "switch/switch.h"

/* Finds when a frame of p->bytes leaves by `out`, with p->ready, p->idle and p->whole given. link_class:
 * SW_LINK_TERMINAL for terminal ports, which have neither lanes nor retry. */
void sw_pass(struct sw_call *call, uint32_t out, unsigned link_class, struct sw_passage *p);

/* ps from the first to the last bit of a frame whose first bit arrives at in_port at `arrived`. */
uint64_t sw_comes(struct sw_call *call, uint32_t in_port, unsigned link_class, uint32_t bytes, uint64_t arrived);

#endif
