/* workload/formats/chakra/chakra_json.h - Chakra traces as JSON. Such a file is read whole and made protobuf messages
 * of in a temporary file, which chakra_wire.h reads: so there is one reader of nodes. */
#ifndef WORKLOAD_FORMATS_CHAKRA_CHAKRA_JSON_H
#define WORKLOAD_FORMATS_CHAKRA_CHAKRA_JSON_H

#include "workload/formats/bytes.h"

#include <stdio.h>

/* Opens a file of a trace, .et or .json. -1 with errors. */
int chakra_open_file(struct wl_trace_file *f, const char *path, struct base_errors *errors);
bool chakra_is_json(const char *path);
/* "byte 17, node 3", or of JSON "node 3". Returns out. */
const char *chakra_place(const char *path, uint64_t place, uint64_t id, char out[64]);

/* The text of a file as messages: written to `out`. -1 with an error for `key`. */
int chakra_convert_json(const char *text, size_t bytes, FILE *out, const char *key, struct base_errors *errors);

#endif
