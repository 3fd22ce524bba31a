/* experiments/config/message.h - messages on standard error.
 *
 * A message about user input begins with its location, so that editors can jump to it: `FILE:LINE: key: text`, `--set
 * a=b: text`, `FILE: text`. Every other message begins with the command: `tilefly run: text`. */
#ifndef EXPERIMENTS_CONFIG_MESSAGE_H
#define EXPERIMENTS_CONFIG_MESSAGE_H

#include "base/error.h"

#include <stdarg.h>

/* Sets the command that later messages begin with, NULL for none. The text is not copied. */
void xp_message_command(const char *command);
/* Returns the text that begins messages: "tilefly run", or "tilefly" if no command is set. */
const char *xp_message_prefix(void);

/* Prints a line that begins with the name of the command. Control characters in the text are replaced. */
void xp_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void xp_message_v(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* Adds an error at a location, which is a file, FILE:LINE, or an option. Always returns -1. */
int xp_error_at(struct base_errors *errors, const char *place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints those errors that belong to no configuration file, one per line. */
void xp_message_errors(const struct base_errors *errors);

#endif
