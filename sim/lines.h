/* sim/lines.h - measures the time that a cache line takes from one core to another. */
#ifndef SIM_LINES_H
#define SIM_LINES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* A line in memory that both threads or processes share, alone in a cache line; initially zero. */
struct sim_line {
	_Atomic uint32_t turn, over;
};

/* Two threads or processes, one of them `first`, write the line in turns. Returns to the first the nanoseconds of one
 * transfer (a line read here that the other has written, about to be written here), the median of rounds; 0 if the
 * other has not answered within 20 ms. Takes about a millisecond. */
double sim_line_ns(struct sim_line *line, bool first);

#endif
