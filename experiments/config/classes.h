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
/* Sets job->class_name: the class given by name or by code point, otherwise the first one. scope: "traffic.[I]". */
void xp_classes_choose(const struct net_config *net, struct net_job *job, const char *scope,
                       struct base_errors *errors);
/* Removes classes of a profile that no job uses; the configuration is then as if the user had written the remaining
 * classes. */
void xp_classes_prune(struct net_config *net, struct base_errors *errors);
/* Configures in the switch which classes are lossless; errors if the switch cannot do it. */
void xp_classes_lossless(struct net_config *net, struct base_errors *errors);
/* May packets of some class be lost in switches? */
bool xp_classes_lose(const struct net_config *net);
/* Adds errors for keys of classes that have no effect, or that the switch does not implement. */
void xp_classes_judge(const struct net_config *net, struct base_errors *errors);

#endif
