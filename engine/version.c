/* SPDX-License-Identifier: MIT
 * The one file that is compiled again when the commit changes.
 */
#include "engine/version.h"

#ifndef YOMI_COMMIT
#define YOMI_COMMIT "unknown"
#endif

#ifndef YOMI_DATE
#define YOMI_DATE ""
#endif

const char *version_date(void)
{
	return YOMI_DATE;
}

const char *version_commit(void)
{
	return YOMI_COMMIT;
}

const char *version_text(void)
{
	return VERSION_NUMBER "-" YOMI_COMMIT;
}
