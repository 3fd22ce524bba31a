/* switch/tiled/agenda.c - the check of switch/tiled/agenda.h. */
#include "switch/tiled/agenda.h"

bool sw_agenda_is_sound(const struct sw_agenda *a)
{
	for (uint64_t i = 1; i <= a->nodes; i++)
		if (a->item[i] != sw_agenda_least(a->item + 4 * i - 2))
			return false;
	for (uint64_t i = a->nodes + 1; i < 4 * a->nodes + 2; i++)
		if (a->item[i] != SW_AGENDA_NEVER && a->leaf + sw_agenda_arbiter_of(a->item[i]) != i)
			return false;
	return a->item[0] == 0;
}
