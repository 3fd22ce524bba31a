/* experiments/config/message.c - see message.h */
#include "experiments/config/message.h"

#include "base/format.h"
#include "base/text.h"
#include "experiments/config/config.h"

#include <stdio.h>
#include <stdlib.h>

static char prefix[64] = "tilefly";

void xp_message_command(const char *command)
{
	snprintf(prefix, sizeof prefix, "tilefly%s%s", command ? " " : "", command ? command : "");
}

const char *xp_message_prefix(void)
{
	return prefix;
}

void xp_message_v(const char *fmt, va_list ap)
{
	char *text = base_vformat(fmt, ap); /* it may quote what a file or an argument holds */
	fprintf(stderr, "%s: %s\n", prefix, base_harmless(text, true));
	free(text);
}

void xp_message(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	xp_message_v(fmt, ap);
	va_end(ap);
}

int xp_error_at(struct base_errors *errors, const char *place, const char *fmt, ...)
{
	char *key = NULL, *text = NULL;
	const char *scope = errors->scope;
	va_list ap;
	va_start(ap, fmt);
	text = base_vformat(fmt, ap);
	va_end(ap);
	key = base_format("@%s", place);
	errors->scope = NULL;
	base_errorf(errors, key, "%s", text);
	errors->scope = scope;
	free(key);
	free(text);
	return -1;
}

void xp_message_errors(const struct base_errors *errors)
{
	xp_config_report(NULL, errors, stderr);
}
