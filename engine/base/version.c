/* SPDX-License-Identifier: MIT
 *
 * The Makefile defines YOMI_VERSION, YOMI_COMMIT and YOMI_DATE. Only this file is compiled again when they
 * change.
 */
#include "engine/base/version.h"

#ifndef YOMI_VERSION
#define YOMI_VERSION "unknown"
#endif

#ifndef YOMI_COMMIT
#define YOMI_COMMIT "unknown"
#endif

#ifndef YOMI_DATE
#define YOMI_DATE ""
#endif

const char *version_number(void)
{
	return YOMI_VERSION;
}

const char *version_commit(void)
{
	return YOMI_COMMIT;
}

const char *version_date(void)
{
	return YOMI_DATE;
}

const char *version_text(void)
{
	return YOMI_VERSION "-" YOMI_COMMIT;
}
