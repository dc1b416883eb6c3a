/* SPDX-License-Identifier: MIT */
#include "tools/lib/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/memory.h"
#include "engine/base/system.h"

__attribute__((format(PRINTF, 1, 0))) static void message_print(const char *format, va_list args)
{
	char *text = xvasprintf(format, args);
	/* One call, so that the lines of threads do not mix. */
	fprintf(stderr, "%s: %s\n", system_program(), text);
	free(text);
}

bool message(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	message_print(format, args);
	va_end(args);
	return false;
}

void message_exit(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	message_print(format, args);
	va_end(args);
	exit(EXIT_FAILURE);
}

void message_exit_errno(const char *what, const char *path)
{
	message_exit("cannot %s %s: %s", what, path, strerror(errno));
}
