/* experiments/runs/keep.c - see keep.h */
#include "experiments/runs/keep.h"
#include "experiments/results/row.h"

#include "base/format.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Links of classes that are as links.default need not be named. */
static void forget_default_links(json_t *config)
{
	json_t *links = json_object_get(config, "links"), *usual = json_object_get(links, "default"), *link;
	const char *name;
	void *next;
	json_object_foreach_safe(links, next, name, link) if (strcmp(name, "default") && strcmp(name, "terminal") &&
	                                                      json_equal(link, usual)) json_object_del(links, name);
}

/* The first key that differs, into `key`; its path so far is there already. */
static void find_difference(const json_t *a, const json_t *b, char *key, size_t room)
{
	const char *name;
	json_t *value;
	size_t length = strlen(key), i;
	if (json_is_object(a) && json_is_object(b)) {
		json_t *all = json_copy((json_t *)a);
		json_object_update_missing(all, (json_t *)b);
		json_object_foreach(all, name, value)
		{
			const json_t *x = json_object_get(a, name), *y = json_object_get(b, name);
			if (x && y && json_equal(x, y))
				continue;
			snprintf(key + length, room - length, "%s%s", length ? "." : "", name);
			find_difference(x, y, key, room);
			break;
		}
		json_decref(all);
	} else if (json_is_array(a) && json_is_array(b) && json_array_size(a) == json_array_size(b)) {
		json_array_foreach (a, i, value) {
			if (json_equal(value, json_array_get(b, i)))
				continue;
			snprintf(key + length, room - length, "%s[%zu]", length ? "." : "", i);
			find_difference(value, json_array_get(b, i), key, room);
			break;
		}
	}
}

static char *compare_configs(const struct xp_run *run, json_t *have)
{
	json_t *want = json_loads(run->resolved, 0, NULL);
	json_object_del(want, "output"); /* where a result goes makes no difference to it */
	json_object_del(have, "output");
	forget_default_links(want);
	forget_default_links(have);
	char key[200] = "", *why = NULL;
	if (!json_equal(want, have)) {
		find_difference(want, have, key, sizeof key);
		why = base_format("its configuration changed (%s)", key);
	}
	json_decref(want);
	return why;
}

/* Only there a run that leaves applications unfinished has not failed: network.compat. */
static bool is_lenient(const json_t *manifest)
{
	const json_t *network = json_object_get(json_object_get(manifest, "config"), "network");
	return json_is_true(json_object_get(network, "compat"));
}

char *xp_keep(struct xp_run *run)
{
	bool unfinished = false;
	json_t *manifest = NULL, *row = xp_row_read(run->file, run->job, &manifest, &unfinished);
	char *why = NULL;
	if (!row)
		why = base_strdup(manifest ? "its result is damaged" : access(run->file, F_OK) ? "" : XP_UNREADABLE);
	else if (!json_is_true(json_object_get(row, "complete")))
		why = base_strdup("its result is incomplete");
	else if (unfinished && !is_lenient(manifest))
		why = base_strdup("its applications had not finished");
	if (!why)
		why = compare_configs(run, json_object_get(manifest, "config"));
	if (!why)
		why = xp_inputs_difference(&run->inputs, json_object_get(manifest, "inputs"));
	json_decref(manifest);
	if (why)
		json_decref(row);
	else
		run->row = row;
	return why ? base_harmless(why, false) : NULL; /* it may quote what the file holds */
}
