/* experiments/config/classes.h - traffic classes of a configuration, see docs/classes.md. */
#ifndef EXPERIMENTS_CONFIG_CLASSES_H
#define EXPERIMENTS_CONFIG_CLASSES_H

#include "experiments/config/schema.h"
#include "network/config.h"
#include "switch/switch.h"

#define XP_PROFILES "none|ll-be-bd-et|ll-be-bd-et1-et2|hpc"
enum xp_profile { XP_PROFILE_NONE, XP_PROFILE_LL_BE_BD_ET, XP_PROFILE_LL_BE_BD_ET1_ET2, XP_PROFILE_HPC };

/* Adds the classes of the selected profile, or the default class if none is defined. */
void xp_classes_complete(struct net_config *net, struct base_errors *errors);
void xp_classes_check(const struct net_config *net, struct base_errors *errors);
/* Sets job->class_name of one job: the class given by name or by code point, otherwise the first class. `scope` is the
 * configuration path of the job, "traffic.[I]". */
void xp_classes_choose(const struct net_config *net, struct net_job *job, const char *scope,
                       struct base_errors *errors);
/* Removes the classes of a profile that no job uses. The result is the same as if the user had written only the
 * remaining classes. */
void xp_classes_prune(struct net_config *net, struct base_errors *errors);
/* Passes to the switch model which classes are lossless (classes[].lossless). Adds an error for each class whose value
 * the model does not support. */
void xp_classes_lossless(struct net_config *net, struct base_errors *errors);
/* Returns whether switches may drop packets of at least one class. */
bool xp_classes_lose(const struct net_config *net);
/* Adds errors for keys of section `classes` that have no effect, or that the switch model does not implement. */
void xp_classes_judge(const struct net_config *net, struct base_errors *errors);

#endif
