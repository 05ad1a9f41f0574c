/* target.h - the file that a name leads to, be it there or not. */
#ifndef IMP_TARGET_H
#define IMP_TARGET_H

/* The path behind the symbolic links that the last part of a path is, where each may lead to
 * nothing. The caller frees it. NULL with errno: no memory, or links in a circle. */
char *imp_output_target(const char *path);

#endif
