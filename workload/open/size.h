/* workload/open/size.h - bytes of messages and packets. Inside workload/ only. */
#ifndef WORKLOAD_SIZE_H
#define WORKLOAD_SIZE_H

#include "base/error.h"
#include "base/param.h"
#include "workload/open/distribution.h"

#include <stdbool.h>
#include <stdint.h>

/* Packet sizes, fixed or a mix drawn per message, and the size of a message. A message longer than its packet size is
 * sent as packets of that size and a last one with the rest. */
struct wl_sizes {
	uint32_t message; /* bytes; 0: one packet, or as `drawn` says */
	uint32_t packet;  /* bytes; 0: a mix of which `message` is cut */
	uint32_t n;
	uint32_t *bytes;     /* [n] */
	uint32_t *threshold; /* [n] a draw below threshold[i], and not below the previous one, selects size i; the last
	                        is 2^32 - 1 */
	uint64_t mean_packet_bits, mean_message_bits; /* 16 binary places; of the quantised probabilities */
	uint32_t min_packet, max_packet;              /* none is smaller, none larger */
	bool multi_packet;
	struct wl_distribution drawn; /* n 0: none */
};

struct net_job;
/* Checks a job's sizes: adds errors at the keys "packet", "weight", "message", "sizes". Returns -1 if there are any. */
int wl_sizes_check(const struct net_job *job, struct base_errors *errors);
/* weights: one for each size, or none for equal weights. Adds the errors of wl_sizes_check(), and those of a file. */
int wl_sizes_build(struct wl_sizes *out, const struct net_job *job, struct base_errors *errors);
void wl_sizes_free(struct wl_sizes *sizes);
/* The fraction of all bytes in packets of each size; a size may occur twice. */
void wl_sizes_each(const struct wl_sizes *sizes, void (*visit)(void *arg, uint32_t bytes, double share), void *arg);

/* Packet size for a draw. O(n). */
static inline uint32_t wl_packet_bytes(const struct wl_sizes *z, uint32_t bits)
{
	uint32_t i = 0;
	while (i + 1 < z->n && bits >= z->threshold[i])
		i++;
	return z->bytes[i];
}

static inline uint32_t wl_message_bytes(const struct wl_sizes *z, uint32_t bits)
{
	return z->message ? z->message : wl_packet_bytes(z, bits);
}

#endif
