/* experiments/commands/launched.c - see launched.h */
#include "experiments/commands/launched.h"
#include "sim/sim.h"

#include <stddef.h>
#include <stdlib.h>

static int number_of(const char *const *names)
{
	for (size_t i = 0; names[i]; i++) {
		const char *text = getenv(names[i]);
		if (text && *text)
			return atoi(text);
	}
	return -1;
}

int xp_launched_rank(void)
{
	static const char *const names[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", NULL };
	return number_of(names);
}

static int here;

void xp_launched_unite(void)
{
	if (xp_launched_rank() >= 0)
		here = (int)sim_cores_unite();
}

int xp_launched_here(void)
{
	return here;
}
