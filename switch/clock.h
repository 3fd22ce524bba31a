/* switch/clock.h - does a switch's clock carry what its links bring? */
#ifndef SWITCH_CLOCK_H
#define SWITCH_CLOCK_H

#include "switch/switch.h"

/* Sets c->clocked and warns, for the parameter `key` whose value is `period` ps, if the largest packet takes longer
 * inside the switch, `ps`, than on the fastest link of a port: then no more than the ratio of the two passes. One part
 * in a thousand is let pass, as a period is a whole number of ps. */
void sw_look_at_clock(struct sw_common *c, const char *key, uint64_t period, double ps, struct base_errors *errors);

#endif
