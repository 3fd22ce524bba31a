/* topo/import/import.h - the plug-in `import`, a topology that is read from a file of another tool; included by
 * topo/names.c and by lists of plug-ins. */
#ifndef TOPO_IMPORT_IMPORT_H
#define TOPO_IMPORT_IMPORT_H

#include "topo/names.h"

extern const struct base_plugin topo_import;

/* The names of an imported topology. NULL if the topology is not an imported one or has no names. */
const struct topo_names *topo_import_names(const struct topo *topo);

#endif
