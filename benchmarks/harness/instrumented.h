/* instrumented.h - is this build watched by a sanitiser, or not optimised, as one that counts what
 * the tests reach? Its time is then no measure, and what watches has an allocator of its own, or
 * allocates at the end of a program. */
#ifndef INSTRUMENTED_H
#define INSTRUMENTED_H

#if defined(__SANITIZE_ADDRESS__) || !defined(__OPTIMIZE__)
#define INSTRUMENTED 1
#endif
#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||                         \
    __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED 0
#endif

#endif
