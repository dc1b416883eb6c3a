/* SPDX-License-Identifier: MIT
 * The one file that is compiled again when the commit changes.
 */
#include "protocol/version.h"

#include <event2/event.h>
#include <sqlite3.h>
#include <stdio.h>

#include "engine/kernel.h"

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

const char *version_text(void)
{
	return VERSION_NUMBER "-" YOMI_COMMIT;
}

void version_details(char text[VERSION_DETAILS_MAX])
{
	snprintf(text, VERSION_DETAILS_MAX,
		 VERSION_NAME " " VERSION_NUMBER "\ncommit: " YOMI_COMMIT
			      "\nkernel: %s, fastest: %s\n"
			      "libraries: libevent_core %s, sqlite %s\n",
		 kernel_names[kernel_used()], kernel_names[kernel_best()], event_get_version(),
		 sqlite3_libversion());
}
