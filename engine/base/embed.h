/* SPDX-License-Identifier: MIT
 *
 * Links a file into the program. The bytes start at `symbol`, aligned to 64, and end before `symbol_end`.
 */
#ifndef ENGINE_BASE_EMBED_H
#define ENGINE_BASE_EMBED_H

/* `path` is relative to the top level of the source tree. The Makefile must list it as a dependency. */
#define EMBED(symbol, path)                                                                        \
	__asm__(".section .rodata\n.balign 64\n" #symbol ": .incbin \"" path "\"\n" #symbol        \
		"_end: .byte 0\n.previous\n");                                                     \
	extern const char symbol[], symbol##_end[] /* NOLINT(bugprone-macro-parentheses) */

#endif
