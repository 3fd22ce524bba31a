/* experiments/config/builtin.c - registers the built-in plug-ins, which builtin.def lists. */
#include "experiments/config/builtin.h"

#define PLUGIN(descriptor) extern const struct base_plugin descriptor;
#include "experiments/config/builtin.def"
#undef PLUGIN

#define PLUGIN(descriptor) &(descriptor),
static const struct base_plugin *const builtin[] = {
#include "experiments/config/builtin.def"
};
#undef PLUGIN

void xp_register_builtin(struct base_registry *registry)
{
	struct base_errors errors = { 0 };
	for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
		base_register(registry, builtin[i], &errors); /* two of one name would be a mistake in the list */
	base_errors_free(&errors);
}
