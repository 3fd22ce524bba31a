/* workload/rows/once.c - see once.h */
#include "workload/rows/once.h"

#include "base/check.h"

#include <stdlib.h>

int wl_once_read(struct wl_once *once, const struct wl_once_ops *ops, void *self, struct base_errors *errors)
{
	enum sim_maker maker = sim_tables_maker();
	struct sim_array arrays[WL_ONCE_ARRAYS];
	uint64_t said[WL_ONCE_WORDS + 1] = { 0 }, *at[WL_ONCE_WORDS];
	*once = (struct wl_once){ 0 };
	if (maker == SIM_MAKES_ITS_OWN)
		return ops->read(self, errors);
	said[WL_ONCE_WORDS] = maker == SIM_MAKES_FOR_ALL && ops->read(self, errors) != 0;
	size_t n = ops->words(self, at);
	base_check(n <= WL_ONCE_WORDS);
	for (size_t i = 0; i < n; i++)
		said[i] = *at[i];
	sim_tables_say(said, WL_ONCE_WORDS + 1);
	if (said[WL_ONCE_WORDS])
		return maker == SIM_WAITS ? ops->read(self, errors) : -1; /* the same errors */
	for (size_t i = 0; i < n; i++)
		*at[i] = said[i];
	size_t count = ops->arrays(self, arrays);
	if (sim_table_of_arrays(&once->table, arrays, count, maker) || maker == SIM_MAKES_FOR_ALL)
		return 0;
	for (size_t i = 0; i < n; i++)
		*at[i] = 0;
	return ops->read(self, errors);
}

void wl_once_free(struct wl_once *once, const struct wl_once_ops *ops, void *self)
{
	struct sim_array arrays[WL_ONCE_ARRAYS];
	size_t n = ops->arrays(self, arrays);
	if (once->table.v)
		sim_table_free(&once->table);
	else
		for (size_t i = 0; i < n; i++)
			free(*arrays[i].at);
	for (size_t i = 0; i < n; i++)
		*arrays[i].at = NULL;
}
