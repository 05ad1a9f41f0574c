/* name.c - what is printed of somebody's name. */
#include "outside/outside.h"
#include "io/json_write.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void outside_name(char name[OUTSIDE_NAME], const char *text, size_t most) {
    size_t length = strnlen(text, most);
    /* the rest of a character that is cut: four bytes at most, others are no UTF-8 */
    for (int k = 0; k < 3 && length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80; k++)
        length--;
    snprintf(name, OUTSIDE_NAME, "%.*s", (int)length, text);
    for (char *c = name; *c; c++)
        if (iscntrl((unsigned char)*c)) *c = ' ';
    json_t *plain = imp_json_of_text(name);
    if (plain) snprintf(name, OUTSIDE_NAME, "%s", json_string_value(plain));
    json_decref(plain);
}
