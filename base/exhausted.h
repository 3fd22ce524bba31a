/* base/exhausted.h - registers an action that runs when memory has run out, before the program ends (memory.h). */
#ifndef BASE_EXHAUSTED_H
#define BASE_EXHAUSTED_H

/* Registers the function that runs before the program ends because memory has run out. It must not allocate memory.
 * Each call replaces the function of the previous call. */
void base_exhausted_clean_by(void (*clean)(void));
/* Runs the registered function. Called by signal handlers that are about to end the program. */
void base_exhausted_clean(void);
/* Ends the program in the same way as the functions of memory.h do when memory has run out. Called when a library
 * function has failed with ENOMEM. */
_Noreturn void base_exhausted(void);

#endif
