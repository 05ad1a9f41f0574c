/* suggest.h - the known word nearest to a misspelt one. */
#ifndef IMP_SUGGEST_H
#define IMP_SUGGEST_H

/* text <- " (did you mean "NAME"?)" with the name (of a NULL-terminated list) that is nearest to
 * `word`, or "" where none is near. Returns text. */
const char *imp_suggest(const char *word, const char *const *names, char text[80]);

#endif
