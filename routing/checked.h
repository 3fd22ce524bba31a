/* routing/checked.h - checks of routings that come from shared objects. Inside routing/ only. */
#ifndef ROUTING_CHECKED_H
#define ROUTING_CHECKED_H

#include "routing/routing.h"

/* Does the routing define all required functions? Returns 0, or -1 with an error if it does not. */
int rt_check_ops(const struct base_plugin *plugin, struct base_errors *errors);
/* Checks the values that build() has set, and replaces rt->ops by wrappers that check every later result of route(),
 * turn() and foresee(). Returns 0, or -1 with errors. */
int rt_check(struct rt *rt, struct base_errors *errors);

#endif
