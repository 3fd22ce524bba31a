/* workload/process/aspen_model.h - Aspen models (workload/formats/aspen/) as parameters of a process. */
#ifndef WORKLOAD_PROCESS_ASPEN_MODEL_H
#define WORKLOAD_PROCESS_ASPEN_MODEL_H

#include "workload/formats/aspen/comm.h"

#define WL_ASPEN_SEED 1

struct wl_aspen_model {
	const char *model, *machine, *socket, *values; /* files; name; "n=277, k=3". Empty or NULL: none */
	uint64_t seed; /* another one than WL_ASPEN_SEED has to be drawn from: an error of "model_seed" */
	const char *model_key, *socket_key; /* of the job that say model and socket */
	double apart;                       /* as in struct aspen_run */
};

/* Reads and evaluates a model: its time, 0 without a machine, and the program of its ranks (NULL: not wanted; free it
 * in any case). Errors are at the keys model_key, "machine", "params" and socket_key. */
int wl_aspen_walk(const struct wl_aspen_model *q, struct aspen_program *program, double *seconds,
                  struct base_errors *errors);

/* Visits the files that a model's file includes and imports, in the order in which they are read. */
void wl_aspen_files(const char *model, void (*visit)(void *arg, const char *path), void *arg);

#endif
