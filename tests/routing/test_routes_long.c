/* tests/routing/test_routes_long.c - test_routes in full. */
#define EVERY_CASE 1
#include "tests/routing/test_routes.c"
