/* SPDX-License-Identifier: MIT
 *
 * The format of printf() in C17, for __attribute__((format(PRINTF, ...))). MinGW has another one, too.
 */
#ifndef ENGINE_BASE_FORMAT_H
#define ENGINE_BASE_FORMAT_H

#include <stdio.h>

#ifdef __MINGW_PRINTF_FORMAT
#define PRINTF __MINGW_PRINTF_FORMAT
#else
#define PRINTF printf
#endif

#endif
