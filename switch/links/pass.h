/* switch/links/pass.h - sends frames on links that have lanes or link-level retry (common->wires), or on which frames
 * differ by traffic class (common->kinds). A switch model calls sw_pass(), if common->passes is set, to find out when a
 * frame leaves, instead of adding the frame's time to its start. */
#ifndef SWITCH_LINKS_PASS_H
#define SWITCH_LINKS_PASS_H

#include "switch/links/wire.h"
#include "switch/switch.h"

/* Determines when a frame of p->bytes, of a packet of the job, leaves by port `out`: sets p->start, p->finish and
 * p->free_at; p->ready, p->idle and p->whole are given. link_class: SW_LINK_TERMINAL for terminal ports, whose links
 * have neither lanes nor retry. */
void sw_pass(struct sw_call *call, uint32_t out, unsigned link_class, uint32_t job, struct sw_passage *p);

/* Only with common->passes: returns the ps from the first to the last bit of a frame whose first bit arrives at in_port
 * at `arrived`. */
uint64_t sw_comes(struct sw_call *call, uint32_t in_port, unsigned link_class, uint32_t bytes, uint64_t arrived);

#endif
