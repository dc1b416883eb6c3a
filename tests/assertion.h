/* SPDX-License-Identifier: MIT
 *
 * Check's assertions without the mark of their place. Check writes to a file for every assertion that holds; tests that compare
 * millions of values would spend half of their time with it. Here only assertions that fail say where they are.
 *
 * Include tests/suite.h instead.
 */
#ifndef TESTS_ASSERTION_H
#define TESTS_ASSERTION_H

#include <check.h>

/* As for Check's own macros, no warnings about what they expand to: gcc 12 takes some pointers for dangling. */
#pragma GCC system_header

#undef ck_assert_msg
#define ck_assert_msg(expression, ...)                                                             \
	((expression) ? (void)0                                                                    \
		      : _ck_assert_failed(__FILE__, __LINE__,                                      \
					  "Assertion '" #expression "' failed", ##__VA_ARGS__))

#endif
