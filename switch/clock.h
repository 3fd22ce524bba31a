/* switch/clock.h - compares a switch's clock with the bandwidth of its links. */
#ifndef SWITCH_CLOCK_H
#define SWITCH_CLOCK_H

#include "switch/switch.h"

/* Compares the largest packet's time inside the switch, `ps`, with its time on the fastest link of a port. If the
 * switch takes longer, throughput is limited to the ratio of the two; the function then stores that in c->clocked and
 * warns about the parameter `key`, whose value is `period` ps. It ignores a difference of up to one part in a thousand,
 * as a period is a whole number of ps. */
void sw_look_at_clock(struct sw_common *c, const char *key, uint64_t period, double ps, struct base_errors *errors);

#endif
