/* sim/lines.h - measures the time that a cache line takes from one core to another. */
#ifndef SIM_LINES_H
#define SIM_LINES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Variables that two threads or processes share. They must be alone in their cache line and initially zero. */
struct sim_line {
	_Atomic uint32_t turn, over;
};

/* Called by two threads or processes at the same time, by one of them with `first`; they write the line in turns.
 * Returns to the first the median duration, in nanoseconds, of the transfer of a line that the other has written and
 * that is read and then written here; 0 if the other has not answered within 20 ms. Takes about a millisecond. */
double sim_line_ns(struct sim_line *line, bool first);

#endif
