/* experiments/report/terms.c - see terms.h */
#include "experiments/report/terms.h"

#include "experiments/results/statistics.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *meaning;
} own[] = {
	{ "published", "Accepted load at the same point according to a publication, read from its figure or table." },
	{ "expected", "The range in which the experiment expects the accepted load." },
	{ "saturation.low", "The largest value at which every run was stationary." },
	{ "saturation.high", "The smallest value at which a run was not stationary, that is, the backlog of packets or "
	                     "the mean latency kept growing until the end." },
	{ "port.packets", "Packets sent by all output ports of the class over the whole run." },
	{ "port.utilization",
	  "Fraction of the run in which a link was busy; mean over the output ports of the class." },
	{ "port.most", "Fraction of the run in which the busiest link of the class was busy." },
	{ "port.ports", "Output ports of the class." },
	{ "stage.mean", "Mean time that a packet spends in this stage, over the packets that left the switch." },
	{ "stage.share", "Fraction of the time inside the switch that packets spend in this stage." },
	{ "stage.packets", "Mean number of packets in this stage (Little's law)." },
	{ "compare.place", "1 plus the number of designs that are significantly better, that is, whose intervals lie "
	                   "above this one's." },
	{ "compare.design", "A network with its routing, and with its congestion control if the study has several." },
	{ "compare.worth", "Throughput at saturation divided by the quantity that the study makes equal: cost, ports, "
	                   "watts or cables; with equal endpoints or throughput, or none, divided by the cost, or "
	                   "without prices by the switch ports in use. Both ends of the interval." },
	{ "compare.delivered",
	  "Saturation load times the injection bandwidth of all sending endpoints. Both ends of the interval." },
	{ "compare.saturation", "Load, as a fraction of injection bandwidth, up to which every job gets at least 98 % "
	                        "of what it offers. A run sustained the low end; no run delivered the high end, to "
	                        "which the known gain of longer runs is added." },
	{ "compare.watts",
	  "Power of all switch ports by published figures, divided by the throughput at the centre of the interval." },
	{ "compare.bound",
	  "Upper bound of the load: the fullest channel of this routing is fully used under this traffic (1: the "
	  "endpoints' own links). For permutations adaptive routings have no bound of their own." },
	{ "compare.how", "Stage of the comparison: bounds, then short runs of designs that may be first, then long "
	                 "runs of those whose intervals overlap with the best." },
	{ "compare.load", "Offered load as a fraction of the injection bandwidth." },
	{ "compare.half", "Half width of the 95 % confidence interval, relative to the value." },
	{ "net.name", "The family of topologies, or the candidate's name in the study." },
	{ "net.topology", "The selected member of the family, with its parameters." },
	{ "net.endpoints", "Number of endpoints." },
	{ "net.switches", "Switches." },
	{ "net.cables", "Cables between switches, without those to endpoints." },
	{ "net.radix", "Ports used by the switch that uses most." },
	{ "net.ports_per", "Switch ports in use, per endpoint." },
	{ "net.cables_per", "Cables, including those to endpoints, per endpoint." },
	{ "net.optics_per", "Metres of optical cable between switches according to the layout, per endpoint." },
	{ "net.watts_per",
	  "Published power of the ports that are bought, per endpoint; a dash if none is published for the rate." },
	{ "net.left", "Part of the budget that remains, because members of a family come in steps." },
	{ "net.cost_per", "Cost of switches, cables and, if the cost model includes it, energy, per endpoint." },
	{ "objective.cost",
	  "Cost of switches, cables and, if the cost model includes it, energy, per endpoint. Lower is better." },
	{ "objective.watts", "Published power of the ports that are bought, per endpoint. Lower is better." },
	{ "objective.cables", "Cables, including those to endpoints, per endpoint. Lower is better." },
	{ "objective.ports", "Switch ports in use, per endpoint. Lower is better." },
	{ "objective.buffers", "Bytes of the input buffers of all switches, per endpoint. Lower is better." },
	{ "objective.saturation",
	  "Load, as a fraction of injection bandwidth, up to which every job gets at least 98 % of what it offers. For "
	  "a mix, whose parts are sent one after the other: the reciprocal of the sum of each part's share divided by "
	  "its saturation load. Higher is better; both ends of the interval." },
	{ "objective.mean",
	  "Mean packet latency at that load of the first traffic, with its 95 % confidence interval." },
	{ "objective.p99",
	  "99th percentile of packet latency at that load of the first traffic, with its 95 % confidence interval." },
	{ "candidate.number", "The number at the beginning of the names of the candidate and of its files." },
	{ "candidate.variable", "The candidate's value of this variable of the study." },
	{ "candidate.file", "Configuration file for tilefly run in the results directory." },
	{ "candidate.fate", "Last stage that the candidate reached: rejected by a limit or an error, or eliminated by "
	                    "bounds, by short runs or by long runs." },
	{ "candidate.why", "The limit or error that rejected the candidate, or the candidate that is not worse in any "
	                   "objective (for simulated candidates: not significantly) and better in one." },
	{ "failures.median", "Cables are removed one by one in random order; the fraction after which a switch with "
	                     "endpoints is disconnected, as the median over orders." },
	{ "failures.range",
	  "The same fraction for the 5 % of orders that disconnect a switch earliest, and the 5 % that do so latest." },
	{ "failures.form", "The fraction f at which the sum of f to the power of a switch's degree, over all switches "
	                   "with endpoints, is ln 2: an estimate for single switches being disconnected." },
	{ "failures.left", "Uniform throughput of the remaining network by shortest paths, relative to the intact "
	                   "network; mean over the draws that disconnect no switch." },
	{ "spent.what", "Short and long runs search for the saturation load; latency runs measure until the latency is "
	                "precise enough." },
	{ "spent.runs", "Simulations." },
	{ "spent.hops", "Number of links crossed, summed over packets." },
	{ "spent.events", "Number of events simulated." },
	{ "spent.simulated", "Simulated time of the runs." },
	{ "spent.wall", "Wall time of the runs, summed." },
};

const char *xp_term(const char *term, char *out, size_t room)
{
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (!strcmp(own[i].name, term))
			return snprintf(out, room, "%s", own[i].meaning), out;
	for (const struct xp_statistic *s = xp_statistics; s->name; s++)
		if (!strcmp(s->name, term)) {
			bool unit = *s->unit && strlen(s->unit) > 3; /* "of injection bandwidth" says more */
			snprintf(out, room, "%s%s%s%s. In results: %s", s->meaning, unit ? " (" : "",
			         unit ? s->unit : "", unit ? ")" : "", s->name);
			out[0] = (char)toupper((unsigned char)out[0]);
			return out;
		}
	return NULL;
}
