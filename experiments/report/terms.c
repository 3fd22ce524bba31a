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
	{ "published", "Accepted load at the same point as a publication states it, read from its figure or table." },
	{ "expected", "The range that the experiment's file expects the accepted load in." },
	{ "saturation.low", "The largest value at which every run was stationary." },
	{ "saturation.high", "The least value at which a run was not stationary: the backlog of packets grew, or mean "
	                     "latency did, as long as the run went on." },
	{ "port.packets", "Packets sent by all output ports of the class over the whole run." },
	{ "port.utilization",
	  "The part of the whole run in which a link was busy; mean over the class's output ports." },
	{ "port.most", "The busiest link of the class: the part of the whole run in which it was busy." },
	{ "port.ports", "Output ports of the class." },
	{ "stage.mean", "Mean time of a packet in this stage, over the packets that left the switch." },
	{ "stage.share", "This stage's part of the time inside the switch." },
	{ "stage.packets", "Packets in this stage on average (Little's law)." },
	{ "compare.place",
	  "1 and the number of designs that are surely better: whose intervals lie above this one's." },
	{ "compare.design", "A network with its routing (and its congestion control, where the study has several)." },
	{ "compare.worth",
	  "What is delivered at saturation, over what the study makes equal: the money spent, the ports, watts or "
	  "cables; "
	  "with equal endpoints or throughput, or none, the cost, or without prices the ports of switches in use. Both "
	  "ends of the interval." },
	{ "compare.delivered", "Saturation times what all sending endpoints can inject. Both ends of the interval." },
	{ "compare.saturation",
	  "Share of what endpoints can inject, at which every job still gets 98 % of what it offers. The low end was "
	  "carried by a run; more than the high end was never delivered, with what longer runs are known to add." },
	{ "compare.watts",
	  "Watts of all ports of switches, by published figures, over what is delivered at the middle of "
	  "the interval." },
	{ "compare.bound",
	  "No run can carry more: where the fullest channel of this routing is full under this traffic "
	  "(1: the endpoints' own links). Adaptive routings have none of their own for permutations." },
	{ "compare.how",
	  "Bounds come first; short runs of what may be first; long ones where intervals overlap with the "
	  "first's." },
	{ "compare.load", "Share of what endpoints can inject that they offered." },
	{ "compare.half", "Half the width of the 95 % interval, of the value." },
	{ "net.name", "The family of topologies, or the name that the study gives." },
	{ "net.topology", "The member of the family that was chosen, with its parameters." },
	{ "net.endpoints", "Endpoints that it connects." },
	{ "net.switches", "Switches." },
	{ "net.cables", "Cables between switches, without those of endpoints." },
	{ "net.radix", "Ports that the largest switch uses." },
	{ "net.ports_per", "Ports of switches that are used, over endpoints." },
	{ "net.cables_per", "Cables, those of endpoints among them, over endpoints." },
	{ "net.optics_per", "Metres of optical cable between switches by the layout, over endpoints." },
	{ "net.watts_per",
	  "Published watts of the ports that are bought, over endpoints; a dash where none are published "
	  "for the rate." },
	{ "net.left", "What is left of the budget, as members of a family come in steps." },
	{ "net.cost_per", "Switches, all cables and, if the model has it, energy, over endpoints." },
	{ "objective.cost", "Switches, all cables and, if the model has it, energy, over endpoints. Less is better." },
	{ "objective.watts", "Published watts of the ports that are bought, over endpoints. Less is better." },
	{ "objective.cables", "Cables, those of endpoints among them, over endpoints. Less is better." },
	{ "objective.ports", "Ports of switches that are used, over endpoints. Less is better." },
	{ "objective.buffers", "Bytes of input buffers of all switches, over endpoints. Less is better." },
	{ "objective.saturation",
	  "Share of what endpoints can inject, at which every job still gets 98 % of what it offers; of a mix, whose "
	  "parts "
	  "are sent one after the other, 1 over the sum of share over saturation. More is better; both ends of the "
	  "interval." },
	{ "objective.mean", "Mean packet latency at that load of the first traffic, with its 95 % interval." },
	{ "objective.p99",
	  "99th percentile of packet latency at that load of the first traffic, with its 95 % interval." },
	{ "candidate.number", "The number that begins the candidate's name, and those of its files." },
	{ "candidate.variable", "The value that the candidate gives this variable of the study." },
	{ "candidate.file", "What tilefly run reads, in the results folder." },
	{ "candidate.fate",
	  "How far the candidate came: rejected by a limit or an error, beaten by bounds before it was "
	  "run, or in short or long runs." },
	{ "candidate.why",
	  "Which rule it breaks, or which candidate was surely no worse in every objective (or, when it "
	  "was run itself, not distinguishably so) and better in one." },
	{ "failures.median", "Cables are taken out one by one in random order: the share of them after which a switch "
	                     "with endpoints is cut off, in the median of the orders." },
	{ "failures.range", "The same share in the luckless and the lucky twentieth of the orders." },
	{ "failures.form", "The share f at which the sum of f to the number of a switch's cables, over switches with "
	                   "endpoints, is ln 2: single switches that fall off." },
	{ "failures.left",
	  "Uniform throughput by shortest paths of what remains, over what it was; mean over the draws "
	  "that cut no switch off." },
	{ "spent.what", "Short and long runs search for saturation; latency is measured until it is precise." },
	{ "spent.runs", "Simulations." },
	{ "spent.hops", "Packets times the links that they crossed." },
	{ "spent.events", "Events that were simulated." },
	{ "spent.simulated", "Time inside the simulations." },
	{ "spent.wall", "Time on the clock of all runs, added up." },
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
