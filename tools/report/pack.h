/* SPDX-License-Identifier: MIT
 *
 * Packed games for the page's script, which unpacks a block when one of its games is opened. A page of thousands of
 * games stays small, and a browser shows it before it has read the blocks.
 *
 * A block is a script element that no browser runs:
 *
 *     <script type="application/octet-stream" class="block" data-match="M">BASE64</script>
 *
 * BASE64 is a JSON array of PACK_GAMES games (the last block of a match has fewer), compressed with deflate without a
 * header (RFC 1951), which browsers call "deflate-raw".
 */
#ifndef TOOLS_REPORT_PACK_H
#define TOOLS_REPORT_PACK_H

#include <jansson.h>

#include "engine/base/text.h"

#define PACK_GAMES 32

struct pack {
	struct text *out;
	int match;     /* written into the blocks */
	json_t *games; /* of the block that is not written yet; NULL at first */
};

/* Adds a game. Steals the reference. */
void pack_add(struct pack *, json_t *game);

/* Writes the last block. */
void pack_end(struct pack *);

#endif
