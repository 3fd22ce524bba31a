/* base/check.h - checks of the program's internal invariants, made both where a value is written and where it is read.
 *
 * The checks are active in builds with TILEFLY_CHECK (presets debug, asan, ubsan and fuzz). In other builds the
 * condition is compiled, so that it stays valid code, but it is never evaluated and costs nothing. No layout of a
 * struct may depend on TILEFLY_CHECK, as plug-ins are built without it.
 *
 * Checks are for invariants of the program only. Mistakes of an input, a plug-in or a model are errors with a message
 * in every build. A speculative event may see an inconsistent state, so a condition on what such an event sees is not
 * an invariant either: see sim_violation() in sim/sim.h. */
#ifndef BASE_CHECK_H
#define BASE_CHECK_H

#ifdef TILEFLY_CHECK
#define BASE_CHECKING 1
#else
#define BASE_CHECKING 0
#endif

#define BASE_CHECK_STATUS 4 /* exit status of a program that a check has ended */

/* Prints the violated invariant on standard error and ends the program at once, without running exit handlers, just as
 * the program ends when memory is exhausted. */
void base_check_failed(const char *file, int line, const char *condition, const char *fmt, ...)
    __attribute__((format(printf, 4, 5), noreturn, cold));

/* Ends the program if `condition` does not hold. The condition must have no side effects. */
#define base_check(condition)                                              \
	(BASE_CHECKING && __builtin_expect(!(condition), 0)                \
	     ? base_check_failed(__FILE__, __LINE__, #condition, "%s", "") \
	     : (void)0)

/* As base_check(), with printf arguments after the condition that add values to the message. */
#define base_checkf(condition, ...)                                           \
	(BASE_CHECKING && __builtin_expect(!(condition), 0)                   \
	     ? base_check_failed(__FILE__, __LINE__, #condition, __VA_ARGS__) \
	     : (void)0)

#endif
