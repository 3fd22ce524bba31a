/* switch/clock.h - compares a switch's clock with the bandwidth of its links. */
#ifndef SWITCH_CLOCK_H
#define SWITCH_CLOCK_H

#include "switch/switch.h"

/* Sets c->clocked and warns, for the parameter `key` whose value is `period` ps, if the largest packet takes longer
 * inside the switch, `ps`, than on the fastest link of a port: then throughput is limited to the ratio of the two. A
 * difference of up to one part in a thousand is ignored, as a period is a whole number of ps. */
void sw_look_at_clock(struct sw_common *c, const char *key, uint64_t period, double ps, struct base_errors *errors);

#endif
