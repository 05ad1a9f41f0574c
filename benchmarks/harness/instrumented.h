/* instrumented.h - is this build watched by a sanitiser? Its allocator is then its own, and its
 * time no measure. */
#ifndef INSTRUMENTED_H
#define INSTRUMENTED_H

#ifdef __SANITIZE_ADDRESS__
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
