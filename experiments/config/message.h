/* experiments/config/message.h - what the program says on standard error, and how it begins.
 *
 * A line about something that the user wrote begins with its place, so that editors find it: `FILE:LINE: key: text`,
 * `--set a=b: text`, `FILE: text`. Every other line begins with the command that speaks: `tilefly run: text`. */
#ifndef EXPERIMENTS_CONFIG_MESSAGE_H
#define EXPERIMENTS_CONFIG_MESSAGE_H

#include "base/error.h"

#include <stdarg.h>

/* The command that speaks from now on, NULL for none; the text is not copied. */
void xp_message_command(const char *command);
/* "tilefly run", or "tilefly" outside of a command. */
const char *xp_message_prefix(void);

/* One line after the prefix, control characters made harmless. */
void xp_message(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void xp_message_v(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* Adds an error at a place (a file, FILE:LINE, an option). Returns -1. */
int xp_error_at(struct base_errors *errors, const char *place, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints errors that belong to no configuration file, one a line. */
void xp_message_errors(const struct base_errors *errors);

#endif
