/* workload/open/size.c - see size.h */
#include "workload/open/size.h"

#include "base/memory.h"
#include "network/config.h"

#include <inttypes.h>
#include <stdlib.h>

static bool is_drawn(const struct net_job *job)
{
	return job->sizes || (job->sizes_file && *job->sizes_file);
}

int wl_sizes_check(const struct net_job *job, struct base_errors *errors)
{
	const struct base_ints *packet = &job->packet, *weight = &job->weight;
	uint64_t message = job->message;
	int status = 0;
	if (job->sizes && job->sizes_file && *job->sizes_file)
		status = base_errorf(errors, "sizes_file", "sizes names a distribution, too: give one of both");
	if (message && is_drawn(job))
		status = base_errorf(errors, "message", "has no effect with %s, which says how long messages are",
		                     job->sizes ? "sizes" : "sizes_file");
	if (!packet->n)
		status = base_errorf(errors, "packet", "must have at least one packet size");
	if (packet->n > 1024)
		status = base_errorf(errors, "packet", "%zu sizes are too many: a mix may have 1024", packet->n);
	for (size_t i = 0; i < packet->n; i++)
		if (packet->v[i] < 1 || packet->v[i] > INT32_MAX)
			status = base_errorf(errors, "packet", "%" PRId64 " bytes are not between 1 and %d",
			                     packet->v[i], INT32_MAX);
	if (weight->n && weight->n != packet->n)
		status =
		    base_errorf(errors, "weight", "there are %zu weights for %zu packet sizes", weight->n, packet->n);
	int64_t sum = 0;
	for (size_t i = 0; i < weight->n; i++) {
		if (weight->v[i] < 0 || weight->v[i] > 1000000)
			status =
			    base_errorf(errors, "weight", "%" PRId64 " is not between 0 and 1000000", weight->v[i]);
		else
			sum += weight->v[i];
	}
	if (weight->n && !status && !sum)
		status = base_errorf(errors, "weight", "at least one weight must be above zero");
	if (message > UINT32_MAX)
		status = base_errorf(errors, "message", "%" PRIu64 " bytes are too many: a message may have %u",
		                     message, UINT32_MAX);
	return status;
}

/* Sizes of weight zero are left out. */
static void set_thresholds(struct wl_sizes *z, const struct base_ints *packet, const struct base_ints *weight)
{
	uint64_t total = 0, sum = 0;
	for (size_t i = 0; i < packet->n; i++)
		total += weight->n ? (uint64_t)weight->v[i] : 1;
	z->bytes = base_calloc(packet->n, sizeof *z->bytes);
	z->threshold = base_calloc(packet->n, sizeof *z->threshold);
	for (size_t i = 0; i < packet->n; i++) {
		uint64_t w = weight->n ? (uint64_t)weight->v[i] : 1;
		if (!w)
			continue;
		sum += w;
		z->bytes[z->n] = (uint32_t)packet->v[i];
		z->threshold[z->n++] = sum == total ? UINT32_MAX : (uint32_t)((sum << 32) / total);
	}
}

int wl_sizes_build(struct wl_sizes *out, const struct net_job *job, struct base_errors *errors)
{
	const struct base_ints *packet = &job->packet, *weight = &job->weight;
	uint64_t message = job->message;
	*out = (struct wl_sizes){ 0 };
	if (wl_sizes_check(job, errors))
		return -1;
	if (is_drawn(job) && wl_distribution_build(&out->drawn, job->sizes, job->sizes_file, errors))
		return -1;
	set_thresholds(out, packet, weight);
	out->message = (uint32_t)message;
	uint32_t low = UINT32_MAX, high = 0;
	unsigned __int128 mean = 0; /* bytes, 32 binary places */
	uint64_t before = 0;
	for (uint32_t i = 0; i < out->n; i++) {
		uint64_t below = i + 1 == out->n ? (uint64_t)1 << 32 : out->threshold[i];
		mean += (unsigned __int128)(below - before) * out->bytes[i];
		before = below;
		low = out->bytes[i] < low ? out->bytes[i] : low;
		high = out->bytes[i] > high ? out->bytes[i] : high;
	}
	out->mean_packet_bits = (uint64_t)(mean >> 13); /* times 8, and 16 places fewer */
	out->mean_message_bits = message ? message << 19 : out->mean_packet_bits;
	/* A message of one packet needs no size but its own. */
	out->packet = out->n == 1 ? low : message ? 0 : UINT32_MAX;
	out->max_packet = message && message < high ? (uint32_t)message : high;
	out->multi_packet = message > low;
	out->min_packet = low;
	if (message) /* its last packet is what is left; of a mix that may be anything */
		out->min_packet = out->n > 1 ? 1 : message % low ? (uint32_t)(message % low) : low;
	if (!out->drawn.n)
		return 0;
	out->mean_message_bits = out->drawn.mean_bits;
	out->packet = out->n == 1 ? low : 0;
	out->multi_packet = true;
	out->min_packet = 1;
	return 0;
}

#define DRAWS 1024u /* places of a distribution that stand for it */

/* Of messages that are drawn, as many for each size of packet. */
static void each_of_drawn(const struct wl_sizes *z, void (*visit)(void *arg, uint32_t bytes, double share), void *arg)
{
	double sum = 0;
	uint64_t before = 0;
	for (uint32_t k = 0; k < DRAWS; k++)
		sum += wl_distribution_bytes(&z->drawn, k * (UINT32_MAX / DRAWS + 1) + UINT32_MAX / DRAWS / 2);
	for (uint32_t i = 0; i < z->n; i++) {
		uint64_t below = i + 1 == z->n ? (uint64_t)1 << 32 : z->threshold[i];
		double chance = (double)(below - before) * 0x1p-32 / sum;
		before = below;
		for (uint32_t k = 0; k < DRAWS; k++) {
			uint32_t whole =
			    wl_distribution_bytes(&z->drawn, k * (UINT32_MAX / DRAWS + 1) + UINT32_MAX / DRAWS / 2);
			uint32_t rest = whole % z->bytes[i];
			if (whole > rest)
				visit(arg, z->bytes[i], chance * (whole - rest));
			if (rest)
				visit(arg, rest, chance * rest);
		}
	}
}

void wl_sizes_each(const struct wl_sizes *z, void (*visit)(void *arg, uint32_t bytes, double share), void *arg)
{
	if (z->drawn.n) {
		each_of_drawn(z, visit, arg);
		return;
	}
	double mean = (double)z->mean_message_bits / 0x1p19;
	uint64_t before = 0;
	for (uint32_t i = 0; i < z->n; i++) {
		uint64_t below = i + 1 == z->n ? (uint64_t)1 << 32 : z->threshold[i];
		double chance = (double)(below - before) * 0x1p-32;
		uint32_t whole = z->message ? z->message : z->bytes[i], rest = whole % z->bytes[i];
		if (whole > rest)
			visit(arg, z->bytes[i], chance * (whole - rest) / mean);
		if (rest)
			visit(arg, rest, chance * rest / mean);
		before = below;
	}
}

void wl_sizes_free(struct wl_sizes *sizes)
{
	wl_distribution_free(&sizes->drawn);
	free(sizes->bytes);
	free(sizes->threshold);
	*sizes = (struct wl_sizes){ 0 };
}
