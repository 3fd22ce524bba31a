/* topo/names.c - see names.h */
#include "topo/names.h"

#include "base/text.h"
#include "topo/import/import.h"
#include "topo/inner.h"

#include <stdlib.h>
#include <string.h>

const struct topo_names *topo_names_of(const struct topo *topo)
{
	while (topo->ops->destroy == topo_inner_destroy)
		topo = topo_inner_of(topo);
	return topo_import_names(topo);
}

const char *topo_switch_name(const struct topo *topo, topo_switch s)
{
	const struct topo_names *names = topo_names_of(topo);
	return names && names->of_switch ? names->text + names->of_switch[s] : NULL;
}

const char *topo_endpoint_name(const struct topo *topo, topo_endpoint e)
{
	const struct topo_names *names = topo_names_of(topo);
	return names && names->of_endpoint ? names->text + names->of_endpoint[e] : NULL;
}

static const char *call_part(const char *kind, uint32_t number, const char *name, char out[TOPO_CALLED])
{
	char harmless[TOPO_CALLED - 32];
	if (name)
		snprintf(out, TOPO_CALLED, "%s %u (%s)", kind, number,
		         base_harmless_copy(name, harmless, sizeof harmless));
	else
		snprintf(out, TOPO_CALLED, "%s %u", kind, number);
	return out;
}

const char *topo_call_switch(const struct topo *topo, topo_switch s, char out[TOPO_CALLED])
{
	return call_part("switch", s, topo_switch_name(topo, s), out);
}

const char *topo_call_endpoint(const struct topo *topo, topo_endpoint e, char out[TOPO_CALLED])
{
	return call_part("endpoint", e, topo_endpoint_name(topo, e), out);
}

void topo_names_free(struct topo_names *names)
{
	free(names->text);
	free(names->of_switch);
	free(names->of_endpoint);
	*names = (struct topo_names){ 0 };
}
