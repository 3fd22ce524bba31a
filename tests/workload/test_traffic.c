/* tests/workload/test_traffic.c - sources: splitting, sizes, start and end, purity; jobs: their nodes. */
#include "tests/workload/fixture.h"

#include <math.h>

Test(traffic, packets_sum_up_to_the_message)
{
	const uint64_t messages[] = { 0, 1, 255, 256, 257, 1000, 4096, 1000000 };
	for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
		struct fixture f;
		fixture_flat(&f, 6, 1);
		fixture_job(&f, &wl_uniform, "")->message = messages[i];
		fixture_build(&f);
		uint64_t message = messages[i] ? messages[i] : 256;
		cr_assert_eq(f.traffic.job[0].multi_packet, message > 256);
		cr_assert_eq(f.traffic.job[0].max_packet, message < 256 ? message : 256);
		struct net_source s;
		struct sw_packet packet, first;
		uint32_t seq = 0, least = UINT32_MAX;
		f.traffic.ops->start(&f.traffic, 0, 3, &s);
		for (uint32_t n = 0; n < 20; n++) {
			uint64_t left = message;
			cr_assert_eq(s.message, n);
			while (left) {
				cr_assert_eq(s.left, left);
				f.traffic.ops->take(&f.traffic, 0, 3, &s, &packet);
				first = left == message ? packet : first;
				cr_assert_eq(packet.bytes, left < 256 ? left : 256);
				least = packet.bytes < least ? packet.bytes : least;
				cr_assert_eq(packet.seq, seq++);
				cr_assert_eq(packet.src, 3);
				cr_assert_eq(packet.dst, first.dst);
				cr_assert_eq(packet.created, first.created);
				left -= packet.bytes;
			}
		}
		cr_assert_eq(f.traffic.job[0].min_packet, least, "of a message of %lu", message);
		fixture_free(&f);
	}
}

/* What take() does not own stays as it was. */
Test(traffic, take_writes_its_fields_only)
{
	struct fixture f;
	fixture_flat(&f, 6, 1);
	fixture_job(&f, &wl_uniform, "");
	fixture_build(&f);
	struct net_source s;
	struct sw_packet packet;
	memset(&packet, 0x5a, sizeof packet);
	f.traffic.ops->start(&f.traffic, 0, 3, &s);
	f.traffic.ops->take(&f.traffic, 0, 3, &s, &packet);
	cr_assert_eq(packet.injected, 0x5a5a5a5a5a5a5a5a);
	cr_assert_eq(packet.via, 0x5a5a5a5a);
	cr_assert(packet.hops == 0x5a && packet.vc == 0x5a && packet.route == 0x5a);
	fixture_free(&f);
}

static void set_mix(struct net_job *job, const char *packet, const char *weight)
{
	static const struct base_param table[] = {
		{ .name = "packet", .type = BASE_SIZES, .offset = offsetof(struct net_job, packet) },
		{ .name = "weight", .type = BASE_INTS, .offset = offsetof(struct net_job, weight) },
	};
	struct base_errors errors = { 0 };
	cr_assert_eq(base_param_parse(&table[0], job, packet, &errors), 0);
	cr_assert(!weight || !base_param_parse(&table[1], job, weight, &errors));
}

Test(traffic, mixed_sizes_and_their_load)
{
	enum { N = 200000 };
	struct fixture f;
	fixture_flat(&f, 6, 1);
	struct net_job *job = fixture_job(&f, &wl_uniform, "");
	set_mix(job, "64B,512B,1500B,9000B", "5,3,2,0");
	fixture_injection(job, &wl_periodic, "");
	fixture_build(&f);
	cr_assert_not(f.traffic.job[0].multi_packet);
	cr_assert_eq(f.traffic.job[0].max_packet, 1500);
	struct net_source s;
	struct sw_packet packet;
	int count[3] = { 0 };
	f.traffic.ops->start(&f.traffic, 0, 2, &s);
	uint64_t first = s.created;
	for (int k = 0; k < N; k++) {
		f.traffic.ops->take(&f.traffic, 0, 2, &s, &packet);
		cr_assert(packet.bytes == 64 || packet.bytes == 512 || packet.bytes == 1500);
		count[packet.bytes == 64 ? 0 : packet.bytes == 512 ? 1 : 2]++;
	}
	const double p[] = { 0.5, 0.3, 0.2 };
	for (int i = 0; i < 3; i++)
		cr_assert_float_eq(count[i], N * p[i], 5 * sqrt(N * p[i]));
	/* mean 485.6 bytes at load 0.5 of 100 Gb/s: every 77696 ps */
	cr_assert_float_eq((double)(s.created - first) / N, 77696, 0.01);
	fixture_free(&f);
}

/* With a message size, the draw sets the packet size of the whole message. */
Test(traffic, mixed_packets_of_long_messages)
{
	struct fixture f;
	fixture_flat(&f, 6, 1);
	struct net_job *job = fixture_job(&f, &wl_uniform, "");
	set_mix(job, "100B,256B,700B", NULL);
	job->message = 600;
	fixture_build(&f);
	cr_assert(f.traffic.job[0].multi_packet);
	cr_assert_eq(f.traffic.job[0].max_packet, 600);
	struct net_source s;
	struct sw_packet packet;
	int kinds[3] = { 0 };
	f.traffic.ops->start(&f.traffic, 0, 2, &s);
	for (int n = 0; n < 3000; n++) {
		uint32_t size = 0, left = 600;
		for (; left; left -= packet.bytes) {
			f.traffic.ops->take(&f.traffic, 0, 2, &s, &packet);
			size = left == 600 ? packet.bytes : size;
			cr_assert_eq(packet.bytes, left < size ? left : size);
			cr_assert_geq(packet.bytes, f.traffic.job[0].min_packet);
		}
		cr_assert(size == 100 || size == 256 || size == 600);
		kinds[size == 100 ? 0 : size == 256 ? 1 : 2]++;
	}
	for (int i = 0; i < 3; i++)
		cr_assert_float_eq(kinds[i], 1000, 5 * sqrt(1000));
	fixture_free(&f);
}

/* A source is its few words: restoring an old copy repeats what followed, however many other calls came between. */
Test(traffic, rollback_repeats)
{
	const struct base_plugin *process[] = { &wl_poisson, &wl_bernoulli, &wl_periodic, &wl_on_off };
	const struct base_plugin *pattern[] = { &wl_uniform, &wl_hotspot, &wl_all_to_all, &wl_permutation };
	for (int i = 0; i < 16; i++) {
		struct fixture f;
		fixture_flat(&f, 8, 1);
		struct net_job *job = fixture_job(&f, pattern[i / 4], "");
		fixture_injection(job, process[i % 4], "");
		job->message = 700;
		fixture_build(&f);
		struct net_source s[8];
		struct sw_packet packet;
		memset(&packet, 0, sizeof packet);
		for (uint32_t e = 0; e < 8; e++)
			f.traffic.ops->start(&f.traffic, 0, e, &s[e]);
		struct net_source saved = s[5];
		struct sw_packet then[50];
		for (int k = 0; k < 50; k++) {
			then[k] = packet;
			f.traffic.ops->take(&f.traffic, 0, 5, &s[5], &then[k]);
			f.traffic.ops->take(&f.traffic, 0, (uint32_t)k % 5, &s[k % 5], &packet);
			packet = (struct sw_packet){ 0 };
		}
		for (int k = 0; k < 50; k++) {
			struct sw_packet again = { 0 };
			f.traffic.ops->take(&f.traffic, 0, 5, &saved, &again);
			cr_assert_eq(memcmp(&again, &then[k], sizeof again), 0);
		}
		cr_assert_eq(memcmp(&saved, &s[5], sizeof saved), 0);
		fixture_free(&f);
	}
}

/* Messages are created in [start, stop), and with drain before warmup + measure; the last one is sent whole. */
Test(traffic, start_stop_and_drain)
{
	const uint64_t end[] = { NET_NEVER, 90000000, 220000000, 90000000 };
	for (int i = 0; i < 4; i++) {
		struct fixture f;
		fixture_flat(&f, 4, 1);
		struct net_job *job = fixture_job(&f, &wl_uniform, "");
		job->start = 30000000;
		job->stop = i & 1 ? 90000000 : 0;
		job->message = 1000;
		f.config.time.drain = i >= 2;
		fixture_build(&f);
		double messages = 0;
		for (uint32_t e = 0; e < 4; e++) {
			struct net_source s;
			struct sw_packet packet;
			uint64_t bytes = 0, last = 0;
			f.traffic.ops->start(&f.traffic, 0, e, &s);
			while (s.created < 500000000) {
				f.traffic.ops->take(&f.traffic, 0, e, &s, &packet);
				cr_assert_geq(packet.created, job->start);
				cr_assert_lt(packet.created, end[i]);
				bytes += packet.bytes;
				last = packet.created;
			}
			cr_assert_eq(s.created == NET_NEVER, i != 0);
			cr_assert_eq(bytes % 1000, 0);
			uint64_t until = end[i] == NET_NEVER ? 500000000 : end[i];
			cr_assert_gt(last, until - 20 * 160000); /* P(a gap of 20 means) = 2e-9 */
			messages += (double)bytes / 1000;
		}
		double until = end[i] == NET_NEVER ? 500e6 : (double)end[i], want = 4 * (until - 30e6) / 160e3;
		cr_assert_float_eq(messages, want, 5 * sqrt(want));
		fixture_free(&f);
	}
}

/* In bursts of 5 us and pauses of 12 us, from 30 us on, message n is what it is without pauses, but created when the
 * job has been in bursts for as long as that was created after the start: for every process, with every draw. */
Test(traffic, bursts_cut_time_into_pieces)
{
	static const struct {
		const struct base_plugin *plugin;
		const char *params;
	} processes[] = {
		{ &wl_poisson, "" }, { &wl_bernoulli, "" }, { &wl_periodic, "" }, { &wl_on_off, "burst=4 duty=0.5" }
	};
	const uint64_t begin = 30000000, length = 5000000, pause = 12000000;
	for (size_t i = 0; i < sizeof processes / sizeof *processes; i++) {
		struct fixture f[2];
		uint64_t earliest = UINT64_MAX, latest = 0;
		for (int k = 0; k < 2; k++) {
			fixture_flat(&f[k], 64, 1);
			struct net_job *job = fixture_job(&f[k], &wl_uniform, "");
			fixture_injection(job, processes[i].plugin, processes[i].params);
			job->start = k ? begin : 0;
			job->burst_length = k ? length : 0;
			job->burst_pause = k ? pause : 0;
			job->message = 600;
			fixture_build(&f[k]);
		}
		cr_assert_eq(f[0].traffic.period, 0);
		cr_assert_eq(f[1].traffic.period, length + pause);
		cr_assert_float_eq(f[1].traffic.job[0].load, 0.5 * 5 / 17, 1e-12);
		for (uint32_t e = 0; e < 64; e++) {
			struct net_source s[2];
			struct sw_packet p[2];
			f[0].traffic.ops->start(&f[0].traffic, 0, e, &s[0]);
			f[1].traffic.ops->start(&f[1].traffic, 0, e, &s[1]);
			for (uint32_t n = 0; n < 2000; n++) {
				f[0].traffic.ops->take(&f[0].traffic, 0, e, &s[0], &p[0]);
				f[1].traffic.ops->take(&f[1].traffic, 0, e, &s[1], &p[1]);
				uint64_t bursts = p[0].created / length, rest = p[0].created % length;
				cr_assert_eq(p[1].created, begin + bursts * (length + pause) + rest);
				cr_assert_eq(p[1].dst, p[0].dst);
				cr_assert_eq(p[1].bytes, p[0].bytes);
				earliest = rest < earliest ? rest : earliest;
				latest = rest > latest ? rest : latest;
			}
		}
		cr_assert_lt(earliest, 100000, "some begin with the burst");
		cr_assert_gt(latest, length - 100000, "some end with it");
		fixture_free(&f[0]);
		fixture_free(&f[1]);
	}
}

Test(traffic, bursts_end_with_the_job)
{
	struct fixture f;
	fixture_flat(&f, 4, 1);
	struct net_job *job = fixture_job(&f, &wl_uniform, "");
	job->burst_length = 10000000;
	job->burst_pause = 10000000;
	job->stop = 25000000; /* within the second burst */
	fixture_build(&f);
	struct net_source s;
	struct sw_packet packet = { .created = 0 };
	f.traffic.ops->start(&f.traffic, 0, 1, &s);
	while (s.created != NET_NEVER) {
		f.traffic.ops->take(&f.traffic, 0, 1, &s, &packet);
		cr_assert(packet.created < 10000000 || (packet.created >= 20000000 && packet.created < 25000000));
	}
	cr_assert_gt(packet.created, 24000000);
	fixture_free(&f);
}

/* The least common multiple. */
Test(traffic, bursts_of_several_jobs_repeat_together)
{
	static const struct {
		uint64_t length[2], pause[2], period;
	} rows[] = { { { 4, 0 }, { 8, 0 }, 12 },
		     { { 4, 5 }, { 8, 13 }, 36 },
		     { { 10, 20 }, { 20, 10 }, 30 },
		     { { 1, 1 }, { (UINT64_C(1) << 61) - 2, 12 }, NET_NEVER } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fixture f;
		fixture_flat(&f, 4, 1);
		for (int k = 0; k < 2; k++) {
			struct net_job *job = fixture_job(&f, &wl_uniform, "");
			job->burst_length = rows[i].length[k];
			job->burst_pause = rows[i].pause[k];
		}
		fixture_build(&f);
		cr_expect_eq(f.traffic.period, rows[i].period, "row %zu: %lu", i, f.traffic.period);
		fixture_free(&f);
	}
}

Test(traffic, load_zero_is_silent)
{
	struct fixture f;
	fixture_flat(&f, 4, 1);
	fixture_job(&f, &wl_uniform, "")->load = 0;
	fixture_build(&f);
	cr_assert_eq(fixture_first(&f, 0, 1), WL_IDLE);
	cr_assert_eq(f.traffic.job[0].members, 4);
	fixture_free(&f);
}

Test(traffic, no_jobs)
{
	struct fixture f;
	fixture_flat(&f, 4, 1);
	fixture_build(&f);
	uint8_t list[1];
	cr_assert_eq(f.traffic.jobs, 0);
	cr_assert_eq(f.traffic.jobs_at(&f.traffic, 0, list), 0);
	fixture_free(&f);
}

Test(traffic, jobs_share_endpoints)
{
	struct fixture f;
	fixture_flat(&f, 12, 1);
	f.config.classes = (struct net_class[]){ { .name = (char *)"bulk" }, { .name = (char *)"urgent" } };
	f.config.nclasses = 2;
	fixture_job(&f, &wl_uniform, "")->nodes = "0-3";
	struct net_job *job = fixture_job(&f, &wl_incast, "target=3");
	job->nodes = "2-5";
	job->class_name = (char *)"urgent";
	job->name = (char *)"in";
	fixture_job(&f, &wl_uniform, "")->nodes = "2,11";
	fixture_build(&f);
	const uint32_t want[12] = { 1, 1, 7, 1, 2, 2, 0, 0, 0, 0, 0, 4 }; /* bit j: job j; 3 is the incast's target */
	for (uint32_t e = 0; e < 12; e++) {
		uint8_t list[3];
		uint32_t n = f.traffic.jobs_at(&f.traffic, e, list), bits = 0;
		for (uint32_t i = 0; i < n; i++) {
			cr_assert(i == 0 || list[i] > list[i - 1]);
			bits |= 1u << list[i];
		}
		cr_assert_eq(bits, want[e], "endpoint %u", e);
		for (uint32_t j = 0; j < 3; j++)
			cr_assert_eq(fixture_first(&f, j, e) != WL_IDLE, want[e] >> j & 1);
	}
	cr_assert_eq(f.traffic.max_jobs_per_endpoint, 3);
	cr_assert_eq(f.traffic.job[1].members, 3);
	cr_assert_eq(f.traffic.job[1].idle, 1);
	cr_assert_eq(f.traffic.job[0].class_index, 0);
	cr_assert_eq(f.traffic.job[1].class_index, 1);
	cr_assert_str_eq(f.traffic.job[1].name, "in");
	fixture_free(&f);
}

/* Ring neighbours show the rank order. */
static void expect_ranks(struct fixture *f, uint32_t job, const uint32_t *member, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		cr_assert_eq(fixture_first(f, job, member[i]), member[(i + 1) % n], "rank %u", i);
	cr_assert_eq(f->traffic.job[job].members, n);
}

Test(traffic, counts_are_allocated_apart)
{
	struct fixture f;
	fixture_flat(&f, 12, 1);
	fixture_job(&f, &wl_neighbor, "")->nodes = "3";
	struct net_job *job = fixture_job(&f, &wl_neighbor, "");
	job->nodes = "3";
	job->allocation = 1;
	job = fixture_job(&f, &wl_neighbor, "");
	job->nodes = "6";
	job->allocation = 2;
	fixture_build(&f);
	expect_ranks(&f, 0, (uint32_t[]){ 0, 1, 2 }, 3);
	expect_ranks(&f, 1, (uint32_t[]){ 3, 6, 9 }, 3);
	const uint32_t rest[] = { 4, 5, 7, 8, 10, 11 };
	uint32_t at = 4, steps = 0;
	for (int i = 0; i < 6; i++)
		cr_assert_neq(fixture_first(&f, 2, rest[i]), WL_IDLE);
	do
		at = fixture_first(&f, 2, at), steps++;
	while (at != 4 && steps < 10);
	cr_assert_eq(steps, 6);
	fixture_free(&f);
}

/* Each endpoint is as likely as any other to be chosen, and the seed decides. */
Test(traffic, random_allocation_is_fair)
{
	enum { SEEDS = 3000 };
	int count[10] = { 0 };
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct fixture f;
		fixture_flat(&f, 10, 1);
		struct net_job *job = fixture_job(&f, &wl_uniform, "");
		job->nodes = "4";
		job->allocation = 2;
		f.config.seed = seed;
		fixture_build(&f);
		for (uint32_t e = 0; e < 10; e++)
			count[e] += fixture_first(&f, 0, e) != WL_IDLE;
		fixture_free(&f);
	}
	for (int e = 0; e < 10; e++)
		cr_assert_float_eq(count[e], SEEDS * 0.4, 5 * sqrt(SEEDS * 0.4 * 0.6));
}

Test(traffic, ranges_keep_their_order)
{
	struct fixture f;
	fixture_flat(&f, 12, 1);
	fixture_job(&f, &wl_neighbor, "")->nodes = " 7 - 8 , 2,0-1 ";
	fixture_job(&f, &wl_neighbor, "")->nodes = "all";
	fixture_build(&f);
	expect_ranks(&f, 0, (uint32_t[]){ 7, 8, 2, 0, 1 }, 5);
	expect_ranks(&f, 1, (uint32_t[]){ 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 }, 12);
	fixture_free(&f);
}
