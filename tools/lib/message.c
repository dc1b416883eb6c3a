/* SPDX-License-Identifier: MIT */
#include "tools/lib/message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int message_end_output(int status)
{
	bool flushed = fflush(stdout) == 0;
	if (flushed && !ferror(stdout))
		return status;
	message("the output could not be written%s%s", flushed ? "" : ": ",
		flushed ? "" : strerror(errno));
	return EXIT_FAILURE;
}
