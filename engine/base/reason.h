/* SPDX-License-Identifier: MIT
 *
 * Functions that fail say why in a text that they write for the caller.
 */
#ifndef ENGINE_BASE_REASON_H
#define ENGINE_BASE_REASON_H

#define REASON_MAX 160 /* longest reason with its NUL */

#endif
