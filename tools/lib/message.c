/* SPDX-License-Identifier: MIT */
#include "tools/lib/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

bool message(const char *format, ...)
{
	va_list args;
	flockfile(stderr);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs("\n", stderr);
	funlockfile(stderr);
	return false;
}
