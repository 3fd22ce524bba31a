/* No experiment file crashes its reader. */
#include "experiments/sweep/experiment.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("experiment", 0);
	char path[64];
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	if (fd >= 0 && write(fd, data, size) == (ssize_t)size) {
		struct xp_experiment e;
		struct base_errors errors = { 0 };
		xp_experiment_read(&e, path, &errors);
		xp_experiment_free(&e);
		base_errors_free(&errors);
	}
	close(fd);
	return 0;
}
