/* SPDX-License-Identifier: MIT */
#include "tools/train/recipe.h"

#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/base/text.h"
#include "engine/base/version.h"
#include "engine/evaluation/weights.h"
#include "tools/lib/message.h"

#define FILE_MAX (1 << 26) /* most bytes that are read of a file */

void recipe_add(struct packet *file, const char *command, int rounds)
{
	struct text text = { 0 };
	text_printf(&text, "%s\nrounds: %d\nversion: %s\n", command, rounds, version_text());
	file->bytes = weights_add_recipe(file->bytes, &file->size, text.bytes);
	text_free(&text);
}

void recipe_show(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *bytes = xmalloc(FILE_MAX), *text = NULL;
	if (f) {
		text = weights_recipe(bytes, fread(bytes, 1, FILE_MAX, f));
		fclose(f);
	} else {
		message_exit_errno("read", path);
	}
	free(bytes);
	if (text)
		fputs(text, stdout);
	else
		message_exit("%s is not a file of weights, or does not say how they were made",
			     path);
	free(text);
}
