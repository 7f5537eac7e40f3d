/* A reader of one JSON value, as small as an adapter needs it. What it makes lives until json_free(). */

#ifndef JSON_H
#define JSON_H

#include <stddef.h>

typedef enum { JSON_NULL, JSON_BOOLEAN, JSON_NUMBER, JSON_STRING, JSON_LIST, JSON_OBJECT } JsonType;

typedef struct Json {
    JsonType type;
    double number;      /* of a number; 0 or 1 of a boolean */
    char *text;         /* of a string, without its quotes; of a number, as it was written */
    size_t count;       /* entries of a list or an object */
    struct Json *items; /* their values */
    char **names;       /* and, of an object, their names */
} Json;

/* Reads `line`; answers NULL where it is not JSON. */
const Json *json_read(const char *line);
/* The value of a name of an object; NULL where there is none. */
const Json *json_get(const Json *object, const char *name);
void *json_alloc(size_t size); /* memory that json_free() takes back too */
void json_free(void);

#endif
