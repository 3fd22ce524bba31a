/* tests/fuzz/read_back.h - a configuration that was accepted, written with every default and read again, is the same.
 */
#ifndef TESTS_FUZZ_READ_BACK_H
#define TESTS_FUZZ_READ_BACK_H

#include "base/memory.h"
#include "experiments/config/config.h"

#include <stdlib.h>
#include <string.h>

/* Ends the program if it is not. */
static inline void read_back(const struct net_config *net, struct base_registry *registry)
{
	struct base_buffer first = { 0 }, second = { 0 };
	struct xp_config again;
	struct base_errors errors = { 0 };
	xp_config_text(net, &first);
	if (xp_config_parse(&again, first.data, first.n, "again", NULL, NULL, XP_WHOLE, registry, &errors)) {
		xp_config_report(&again, &errors, stderr);
		abort();
	}
	xp_config_text(&again.net, &second);
	if (strcmp(first.data, second.data))
		abort();
	free(first.data);
	free(second.data);
	xp_config_free(&again);
	base_errors_free(&errors);
}

#endif
