/* experiments/config/classes.h - traffic classes of a configuration: see docs/classes.md. */
#ifndef EXPERIMENTS_CONFIG_CLASSES_H
#define EXPERIMENTS_CONFIG_CLASSES_H

#include "experiments/config/schema.h"
#include "network/config.h"
#include "switch/switch.h"

#define XP_PROFILES "none|ll-be-bd-et|ll-be-bd-et1-et2|hpc"
enum xp_profile { XP_PROFILE_NONE, XP_PROFILE_LL_BE_BD_ET, XP_PROFILE_LL_BE_BD_ET1_ET2, XP_PROFILE_HPC };

/* Classes of the profile chosen, or the one that there is if none is defined. */
void xp_classes_complete(struct net_config *net, struct base_errors *errors);
void xp_classes_check(const struct net_config *net, struct base_errors *errors);
/* Sets job->class_name, by name, by code point, or the first; scope: "traffic.[I]". */
void xp_classes_choose(const struct net_config *net, struct net_job *job, const char *scope,
                       struct base_errors *errors);
/* Of a profile only the classes that jobs use are kept, and the configuration is as if they had been written. */
void xp_classes_prune(struct net_config *net, struct base_errors *errors);
/* Tells the switch which classes are to be lossless or not; errors where that cannot be. */
void xp_classes_lossless(struct net_config *net, struct base_errors *errors);
/* May packets of some class be lost in switches? */
bool xp_classes_lose(const struct net_config *net);
/* Reports what has no effect, or is not implemented by the switch. */
void xp_classes_judge(const struct net_config *net, struct base_errors *errors);

#endif
