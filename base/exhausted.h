/* base/exhausted.h - what is done where memory has run out, before it ends the program (memory.h). */
#ifndef BASE_EXHAUSTED_H
#define BASE_EXHAUSTED_H

/* What is done first: nothing that allocates. One function, the last given. */
void base_exhausted_clean_by(void (*clean)(void));
/* Does that, where a signal's handler is to end the program. */
void base_exhausted_clean(void);
/* Ends the program as memory.h does: a call of a library failed with ENOMEM. */
_Noreturn void base_exhausted(void);

#endif
