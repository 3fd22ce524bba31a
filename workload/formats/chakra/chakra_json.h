/* workload/formats/chakra/chakra_json.h - Chakra traces as JSON. A JSON file is read as a whole and converted to
 * protobuf messages in a temporary file, which chakra_wire.h reads, so that there is only one reader of nodes. */
#ifndef WORKLOAD_FORMATS_CHAKRA_CHAKRA_JSON_H
#define WORKLOAD_FORMATS_CHAKRA_CHAKRA_JSON_H

#include "workload/formats/bytes.h"

#include <stdio.h>

/* Opens a file of a trace, .et or .json. -1 with errors. */
int chakra_open_file(struct wl_trace_file *f, const char *path, struct base_errors *errors);
bool chakra_is_json(const char *path);
/* The location of a node for error messages: "byte 17, node 3", or "node 3" for JSON. Returns out. */
const char *chakra_place(const char *path, uint64_t place, uint64_t id, char out[64]);

/* Converts the JSON text of a file to protobuf messages and writes them to `out`. Returns -1 with an error under `key`.
 */
int chakra_convert_json(const char *text, size_t bytes, FILE *out, const char *key, struct base_errors *errors);

#endif
