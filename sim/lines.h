/* sim/lines.h - what a line of memory takes from a core to another. */
#ifndef SIM_LINES_H
#define SIM_LINES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* In memory that both see, in a cache line that nothing else is in; zeros at first. */
struct sim_line {
	_Atomic uint32_t turn, over;
};

/* Two threads or processes, one of them `first`, write the line by turns. Returns the nanoseconds it takes from one to
 * the other to the first of them: one that was read there, to be written here, the median of rounds; 0 if the other
 * gave no answer within 20 ms. About a millisecond. */
double sim_line_ns(struct sim_line *line, bool first);

#endif
