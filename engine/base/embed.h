/* SPDX-License-Identifier: MIT
 *
 * Links a file into the program. The bytes start at `symbol`, aligned to 64, and end before `symbol_end`, where a NUL stands.
 */
#ifndef ENGINE_BASE_EMBED_H
#define ENGINE_BASE_EMBED_H

/* `path` is relative to the top level of the source tree. The Makefile must list it as a dependency. */
#define EMBED(symbol, path)                                                                        \
	__asm__(EMBED_BEGIN(symbol) EMBED_NAME(symbol) ": .incbin \"" path                         \
						       "\"\n" EMBED_END(symbol));                  \
	extern const char symbol[], symbol##_end[] /* NOLINT(bugprone-macro-parentheses) */

/* The assemblers of the systems name sections and symbols in their own ways. */
#if defined __APPLE__
#define EMBED_NAME(symbol) "_" #symbol
#else
#define EMBED_NAME(symbol) #symbol
#endif
#if defined __wasm__
#define EMBED_BEGIN(symbol)                                                                        \
	".section .rodata." #symbol ",\"\",@\n.p2align 6\n.type " #symbol ", @object\n"
#define EMBED_END(symbol)                                                                          \
	"\n" #symbol "_end: .byte 0\n.size " #symbol ", " #symbol "_end-" #symbol "\n"             \
	".type " #symbol "_end, @object\n.size " #symbol "_end, 1\n"
#elif defined __APPLE__
#define EMBED_BEGIN(symbol) ".section __TEXT,__const\n.balign 64\n"
#define EMBED_END(symbol)   EMBED_NAME(symbol) "_end: .byte 0\n.text\n"
#elif defined _WIN32
#define EMBED_BEGIN(symbol) ".section .rdata,\"dr\"\n.balign 64\n"
#define EMBED_END(symbol)   #symbol "_end: .byte 0\n.text\n"
#else
#define EMBED_BEGIN(symbol) ".section .rodata\n.balign 64\n"
#define EMBED_END(symbol)   #symbol "_end: .byte 0\n.previous\n"
#endif

/* EMBED_LARGE does the same with a large file, whose bytes embedded() tells by the symbol; of any other file it returns the bytes
 * that it is given. A page links the path alone, and fetches the file when they are first asked for. Any thread. */
#ifdef __wasm__
#define EMBED_MARK                "embed:" /* no file begins so */
#define EMBED_LARGE(symbol, path) static const char symbol[] = EMBED_MARK path
const void *embedded(const void *file);
#else
#define EMBED_LARGE(symbol, path) EMBED(symbol, path)
static inline const void *embedded(const void *file)
{
	return file;
}
#endif

#endif
