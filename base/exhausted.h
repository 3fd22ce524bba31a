/* base/exhausted.h - a last action when memory has run out, before the program ends (memory.h). */
#ifndef BASE_EXHAUSTED_H
#define BASE_EXHAUSTED_H

/* Sets the action to run first; it must not allocate. Only the function set last is called. */
void base_exhausted_clean_by(void (*clean)(void));
/* Runs the registered last action, for a signal handler that is about to end the program. */
void base_exhausted_clean(void);
/* Ends the program as memory.h does: a call of a library failed with ENOMEM. */
_Noreturn void base_exhausted(void);

#endif
