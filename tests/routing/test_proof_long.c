/* tests/routing/test_proof_long.c - test_proof with every large system. */
#define EVERY_CASE 1
#include "tests/routing/test_proof.c"
