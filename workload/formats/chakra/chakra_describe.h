/* workload/formats/chakra/chakra_describe.h - output of `tilefly workload` for a Chakra trace: see struct wl_format. */
#ifndef WORKLOAD_FORMATS_CHAKRA_CHAKRA_DESCRIBE_H
#define WORKLOAD_FORMATS_CHAKRA_CHAKRA_DESCRIBE_H

#include "workload/formats/chakra/chakra.h"
#include "workload/formats/format.h"

void chakra_describe_json(const struct wl_trace *t, const struct wl_play *p, struct base_json *j);
void chakra_describe_text(const struct wl_trace *t, struct base_buffer *out);

#endif
