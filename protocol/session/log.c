/* SPDX-License-Identifier: MIT */
#include "protocol/session/log.h"

#include <time.h>

bool log_line(FILE *log, int number, char direction, const char *line, size_t length)
{
	struct timespec now;
	struct tm tm;
	char stamp[32];
	if (!log || ferror(log))
		return true;
	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &tm);
	strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(log, "%s.%03d ", stamp, (int)(now.tv_nsec / 1000000));
	if (number)
		fprintf(log, "%d", number);
	fprintf(log, "%c ", direction);
	fwrite(line, 1, length, log);
	fputc('\n', log);
	return !ferror(log);
}
