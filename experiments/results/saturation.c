/* experiments/results/saturation.c - see saturation.h */
#include "experiments/results/saturation.h"

#include <math.h>

enum sim_stationarity xp_stationarity(const json_t *record)
{
	const json_t *said = json_object_get(record, "stationary");
	return json_is_true(said) ? SIM_STATIONARY : json_is_false(said) ? SIM_GROWING : SIM_UNDECIDED;
}

void xp_stationarity_member(struct base_json *j, enum sim_stationarity said)
{
	if (said == SIM_UNDECIDED)
		base_json_null(j, "stationary");
	else
		base_json_bool(j, "stationary", said == SIM_STATIONARY);
}

enum xp_load xp_load_of(enum sim_stationarity said, double share)
{
	if (said != SIM_UNDECIDED)
		return said == SIM_STATIONARY ? XP_LOAD_CARRIED : XP_LOAD_SATURATES;
	return isnan(share) ? XP_LOAD_UNKNOWN : share >= XP_CARRIED ? XP_LOAD_CARRIED : XP_LOAD_SATURATES;
}

enum xp_load xp_load_said(const json_t *record)
{
	return xp_load_of(xp_stationarity(record), NAN);
}
