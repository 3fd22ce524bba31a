/* experiments/sweep/ground.c - what the runs of an experiment, or of a comparison, start from: its base and plug-ins.
 */
#include "experiments/config/shipped.h"
#include "experiments/sweep/sweep.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *xp_experiment_base(const struct xp_experiment *e, struct base_errors *errors)
{
	char *path = NULL;
	const char *slash = strrchr(e->path, '/');
	if (e->base[0] != '/' && slash && asprintf(&path, "%.*s/%s", (int)(slash - e->path), e->path, e->base) < 0)
		path = NULL;
	if (path && !access(path, R_OK))
		return path;
	free(path);
	return xp_shipped_find(e->base, errors);
}

int xp_experiment_plugins(const struct xp_experiment *e, struct base_registry *registry, struct base_errors *errors)
{
	int status = 0;
	for (size_t i = 0; i < e->plugins.n; i++) {
		char *place = NULL;
		if (asprintf(&place, "@%s: plugins.[%zu]", e->path, i) < 0)
			return base_errorf(errors, NULL, "out of memory");
		errors->scope = place;
		status |= base_load_plugins(registry, e->plugins.v[i], errors);
		errors->scope = NULL;
		free(place);
	}
	return status;
}
