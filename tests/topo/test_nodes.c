/* tests/topo/test_nodes.c - nodes with several interfaces: which endpoints are whose. */
#include "topo/nodes.h"

#include <criterion/criterion.h>

static struct topo uniform(uint32_t switches, uint32_t bare, uint32_t endpoints)
{
	return (struct topo){ .switches = switches,
		              .bare = bare,
		              .max_endpoints = endpoints,
		              .endpoints = (switches - bare) * endpoints };
}

Test(nodes, every_endpoint_is_one_interface_of_one_node_each_at_a_switch_of_its_own)
{
	for (uint32_t nics = 1; nics <= 6; nics++)
		for (uint32_t blocks = 1; blocks <= 4; blocks++)
			for (uint32_t p = 1; p <= 5; p++) {
				struct base_errors errors = { 0 };
				struct topo t = uniform(blocks * nics + 3, 3, p);
				struct topo_nodes x;
				uint8_t seen[6 * 4 * 5] = { 0 };
				cr_assert_eq(topo_nodes_set(&x, &t, nics, "k", &errors), 0);
				cr_assert_eq(x.n * nics, t.endpoints);
				for (uint32_t i = 0; i < x.n; i++) {
					topo_endpoint home = topo_node_home(&x, i);
					cr_assert_eq(topo_node_of(&x, home), i);
					cr_assert(!i || home > topo_node_home(&x, i - 1));
					for (uint32_t k = 0; k < nics; k++) {
						topo_endpoint e = topo_nic_at(&x, home, k);
						cr_assert_lt(e, t.endpoints);
						cr_assert_eq(seen[e]++, 0);
						cr_assert_eq(topo_home_of(&x, e), home);
						cr_assert_eq(topo_nic_of(&x, e), k);
						cr_assert_eq(e / p, home / p + k, "one switch further");
					}
				}
			}
}

Test(nodes, switches_that_cannot_be_divided_are_refused)
{
	struct base_errors errors = { 0 };
	struct topo_nodes x;
	struct topo t = uniform(9, 1, 4);
	cr_assert_eq(topo_nodes_set(&x, &t, 3, "nic.per_node", &errors), -1);
	cr_assert_str_eq(errors.v[0].key, "nic.per_node");
	cr_assert(strstr(errors.v[0].text, "the number of switches with endpoints, 8, is not a multiple"));
	base_errors_free(&errors);
	static const uint32_t first[] = { 0, 2, 4, 5, 7 };
	t = (struct topo){ .switches = 4, .endpoints = 7, .max_endpoints = 2, .endpoint_first = first };
	cr_assert_eq(topo_nodes_set(&x, &t, 2, "nic.per_node", &errors), -1);
	cr_assert(strstr(errors.v[0].text, "this network has switches with 1 and with 2"), "%s", errors.v[0].text);
	base_errors_free(&errors);
}
