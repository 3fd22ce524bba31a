/* experiments/config/builtin.c - the list of built-in plug-ins: adding one is one line here. */
#include "experiments/config/builtin.h"

#include "congestion/congestion.h"
#include "routing/routing.h"
#include "switch/switch.h"
#include "topo/cost.h"
#include "topo/topo.h"
#include "workload/process/process.h"
#include "workload/workload.h"

static const struct base_plugin *const builtin[] = {
	/* topologies */
	&topo_slimfly,
	&topo_dragonfly,
	&topo_dragonfly_plus,
	&topo_torus,
	&topo_hyperx,
	&topo_fattree,
	&topo_kary_ntree,
	&topo_xgft,
	&topo_polarfly,
	&topo_polarstar,
	&topo_bundlefly,
	&topo_spectralfly,
	&topo_oft,
	&topo_mlfm,
	&topo_hammingmesh,
	&topo_jellyfish,
	&topo_edges,
	&topo_single,
	/* switches */
	&sw_ideal,
	&sw_tiled,
	&sw_crossbar,
	&sw_output_queued,
	/* routings */
	&rt_minimal,
	&rt_minimal_adaptive,
	&rt_dimwar,
	&rt_omniwar,
	&rt_valiant,
	&rt_ugal_l,
	&rt_ugal_g,
	&rt_par,
	&rt_slimfly_adaptive,
	&rt_slingshot,
	/* congestion controls */
	&cc_none,
	&cc_window,
	&cc_slingshot,
	&cc_nscc,
	&cc_dctcp,
	&cc_dcqcn,
	&cc_swift,
	&cc_rccc,
	&cc_lasthop,
	/* processes */
	&wl_process_none,
	&wl_process_window,
	&wl_process_ping_pong,
	&wl_process_request_response,
	&wl_process_allreduce,
	&wl_process_all_to_all,
	&wl_process_barrier,
	&wl_process_broadcast,
	&wl_process_ring,
	&wl_process_halo,
	&wl_process_sweep,
	&wl_process_aspen,
	&wl_process_durango_rounds,
	&wl_process_goal,
	&wl_process_recorded,
	&wl_process_dumpi,
	&wl_process_otf2,
	&wl_process_chakra,
	/* traffic patterns */
	&wl_uniform,
	&wl_worst_case,
	&wl_worst_permutation,
	&wl_adversarial,
	&wl_neighbor,
	&wl_tornado,
	&wl_transpose,
	&wl_bit_complement,
	&wl_bit_reverse,
	&wl_shuffle,
	&wl_permutation,
	&wl_hotspot,
	&wl_diagonal,
	&wl_log_diagonal,
	&wl_incast,
	&wl_all_to_all,
	/* injection processes */
	&wl_poisson,
	&wl_bernoulli,
	&wl_periodic,
	&wl_on_off,
	/* cost models */
	&topo_cost_none,
	&topo_cost_linear,
	&topo_cost_prices,
};

void xp_register_builtin(struct base_registry *registry)
{
	struct base_errors errors = { 0 };
	for (size_t i = 0; i < sizeof builtin / sizeof *builtin; i++)
		base_register(registry, builtin[i], &errors); /* two of one name would be a mistake in this list */
	base_errors_free(&errors);
}
