/* SPDX-License-Identifier: MIT */
#include "protocol/gtp/log.h"

#include <sys/time.h>
#include <time.h>

bool log_line(FILE *log, int number, char direction, const char *line, size_t length)
{
	struct timeval now;
	struct tm tm;
	char stamp[32];
	if (!log || ferror(log))
		return true;
	gettimeofday(&now, NULL);
	time_t seconds = now.tv_sec; /* tv_sec is a long on some systems */
	localtime_r(&seconds, &tm);
	strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%S", &tm);
	fprintf(log, "%s.%03d ", stamp, (int)(now.tv_usec / 1000));
	if (number)
		fprintf(log, "%d", number);
	fprintf(log, "%c ", direction);
	fwrite(line, 1, length, log);
	fputc('\n', log);
	return !ferror(log);
}
