/* public.h - the mark of what the shared library exports: declarations between the two words, of C
 * linkage in C++ too. All of lib is compiled with hidden symbols; what stands in no header of
 * impact.h stays between lib's own files. */
#ifndef IMP_PUBLIC_H
#define IMP_PUBLIC_H

#ifdef __cplusplus
#define IMP_PUBLIC_BEGIN                                                                           \
    extern "C" {                                                                                   \
    _Pragma("GCC visibility push(default)")
#define IMP_PUBLIC_END                                                                             \
    _Pragma("GCC visibility pop")                                                                  \
    }
#else
#define IMP_PUBLIC_BEGIN _Pragma("GCC visibility push(default)")
#define IMP_PUBLIC_END   _Pragma("GCC visibility pop")
#endif

#endif
