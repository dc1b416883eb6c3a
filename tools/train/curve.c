/* SPDX-License-Identifier: MIT */
#include "tools/train/curve.h"

#include <math.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "tools/lib/message.h"
#include "tools/lib/plot.h"

struct curve {
	double *round, *value, *policy;
	int count;
	double most; /* the largest error */
};

static void read_log(const struct folder *f, struct curve *c)
{
	char path[FOLDER_PATH_MAX], line[256];
	folder_file_path(f, "log.tsv", path);
	FILE *log = fopen(path, "r");
	while (log && fgets(line, sizeof line, log)) {
		c->round = xgrow(c->round, (size_t)c->count, sizeof(double));
		c->value = xgrow(c->value, (size_t)c->count, sizeof(double));
		c->policy = xgrow(c->policy, (size_t)c->count, sizeof(double));
		if (sscanf(line, "%lf %*s %*s %lf %lf", &c->round[c->count], &c->value[c->count],
			   &c->policy[c->count]) != 3)
			continue;
		c->most = fmax(c->most, fmax(c->value[c->count], c->policy[c->count]));
		c->count++;
	}
	if (log)
		fclose(log);
}

void curve_draw(const struct folder *f)
{
	char path[FOLDER_PATH_MAX];
	struct curve c = { 0 };
	struct plot plot;
	struct text svg = { 0 };
	read_log(f, &c);
	folder_file_path(f, "error.svg", path);
	FILE *out = fopen(path, "w");
	if (!out)
		message_exit_errno("write", path);
	double last = c.count ? c.round[c.count - 1] : 0;
	plot_begin_file(&plot, &svg, 300, "Errors on held-out samples");
	plot_axes(&plot, 0, fmax(last, 1), "round", 0, c.most,
		  "error (value: root mean square; policy: nats)", "%g");
	plot_line(&plot, "s0", c.round, c.value, c.count);
	plot_line(&plot, "s1", c.round, c.policy, c.count);
	plot_key(&plot, "s0", 1, "value");
	plot_key(&plot, "s1", 0, "policy");
	plot_end(&plot);
	text_send(&svg, out);
	if (fclose(out) != 0)
		message_exit_errno("write", path);
	free(c.round);
	free(c.value);
	free(c.policy);
}
