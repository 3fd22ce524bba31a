/* routing/route_file.h - the state of the reader of a file of routes. Inside routing/ only: route_file.c reads lines,
 * route_check.c checks the routes as a whole. */
#ifndef ROUTING_ROUTE_FILE_H
#define ROUTING_ROUTE_FILE_H

#include "routing/routes.h"

struct rt_word {
	const char *v;
	size_t n;
};

/* A range of switches or endpoints, from number lo to number hi inclusive. */
struct rt_route_end {
	bool endpoint;
	uint32_t lo, hi;
};

struct rt_read_path {
	topo_switch from, to;
	uint32_t src, dst; /* endpoints, or RT_ANY_ENDPOINT */
	uint32_t step, hops, weight, line;
};

struct rt_route_reader {
	struct rt *rt;
	struct rt_routes *routes;
	struct rt_outlet_sets sets;
	struct rt_route_rules *rules;
	struct base_errors *errors;
	const char *text, *file;
	size_t bytes;
	const char *at, *end; /* what has not been read */
	uint32_t line, problems;
	struct rt_word *word; /* of the line */
	uint32_t words, words_cap;
	struct rt_outlet *outlet; /* of the hop; upto: its weight */
	uint32_t outlets, outlets_cap;
	struct rt_read_path *path;
	uint32_t paths, paths_cap, steps_cap;
};

/* Adds an error with the text "FILE:LINE: ..."; line 0: the error concerns the file as a whole. Only the first 20
 * errors are kept. */
void rt_route_problem(struct rt_route_reader *r, uint32_t line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* rt_route_rewind() starts again at the beginning of the text; rt_route_next_line() reads the next line that is not
 * blank, false: there is none. */
void rt_route_rewind(struct rt_route_reader *r);
bool rt_route_next_line(struct rt_route_reader *r);
/* Returns the number of the line that gives the next hops from switch s to a destination; 0: there is none. Cost:
 * O(bytes of the text). */
uint32_t rt_route_find_line(struct rt_route_reader *r, bool source, topo_switch s, bool endpoint, uint32_t number);

/* For a file of next hops without errors so far: completes the table, and follows all routes to verify that they reach
 * their destinations and do not go in circles. Cost: O(rows * hops given in the file). */
void rt_route_check_hops(struct rt_route_reader *r, uint32_t *longest);
/* For a file of paths: sorts the paths by source and destination, and checks that every source has a path to every
 * destination. */
void rt_route_sort_paths(struct rt_route_reader *r, uint32_t *longest);

#endif
