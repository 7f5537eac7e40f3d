/* A reader of one JSON value; its memory is a list of blocks that are freed together. */

#include "json.h"

#include <stdlib.h>
#include <string.h>

typedef struct Block {
    struct Block *next;
} Block;

/* Deeper nesting than any request has; it keeps the recursion short. */
enum { DEEPEST = 32 };

static Block *blocks;
static const char *at;

void *json_alloc(size_t size) {
    /* Two pointers in front keep what follows aligned for a double. */
    Block *block = malloc(2 * sizeof(void *) + size);
    if (!block) abort();
    block->next = blocks;
    blocks = block;
    return (char *)block + 2 * sizeof(void *);
}

void json_free(void) {
    while (blocks) {
        Block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

static void skip_blanks(void) { at += strspn(at, " \t\r\n"); }

static char *copy(const char *from, size_t length) {
    char *text = json_alloc(length + 1);
    memcpy(text, from, length);
    text[length] = '\0';
    return text;
}

/* Reads a string. Escapes are kept as they are: no name or number of the protocol has one, and an id goes
   back as it came. */
static char *read_string(void) {
    const char *begin = ++at;
    while (*at && *at != '"') at += *at == '\\' && at[1] ? 2 : 1;
    if (!*at) return NULL;
    return copy(begin, (size_t)(at++ - begin));
}

static int read_value(Json *value, int depth);

/* Reads the entries of a list or an object up to its closing bracket. */
static int read_entries(Json *value, char close, int depth) {
    size_t room = 0;
    at++;
    for (skip_blanks(); *at != close; skip_blanks()) {
        if (value->count && *at++ != ',') return 0;
        if (value->count == room) {
            Json *items = json_alloc((room = 2 * room + 8) * sizeof *items);
            char **names = json_alloc(room * sizeof *names);
            if (value->count) memcpy(items, value->items, value->count * sizeof *items);
            if (value->count) memcpy(names, value->names, value->count * sizeof *names);
            value->items = items;
            value->names = names;
        }
        skip_blanks();
        value->names[value->count] = NULL;
        if (close == '}') {
            if (*at != '"' || !(value->names[value->count] = read_string())) return 0;
            skip_blanks();
            if (*at++ != ':') return 0;
        }
        if (!read_value(&value->items[value->count++], depth + 1)) return 0;
    }
    at++;
    return 1;
}

static int read_word(Json *value, const char *word, JsonType type, double number) {
    size_t length = strlen(word);
    if (strncmp(at, word, length)) return 0;
    at += length;
    value->type = type;
    value->number = number;
    return 1;
}

static int read_number(Json *value) {
    char *end;
    value->type = JSON_NUMBER;
    value->number = strtod(at, &end);
    if (end == at || !strchr("-0123456789", *at)) return 0;
    value->text = copy(at, (size_t)(end - at));
    at = end;
    return 1;
}

static int read_value(Json *value, int depth) {
    memset(value, 0, sizeof *value);
    skip_blanks();
    if (depth > DEEPEST) return 0;
    switch (*at) {
    case '"': value->type = JSON_STRING; return (value->text = read_string()) != NULL;
    case '[': value->type = JSON_LIST; return read_entries(value, ']', depth);
    case '{': value->type = JSON_OBJECT; return read_entries(value, '}', depth);
    case 'n': return read_word(value, "null", JSON_NULL, 0);
    case 't': return read_word(value, "true", JSON_BOOLEAN, 1);
    case 'f': return read_word(value, "false", JSON_BOOLEAN, 0);
    default: return read_number(value);
    }
}

const Json *json_read(const char *line) {
    Json *value = json_alloc(sizeof *value);
    at = line;
    if (!read_value(value, 0)) return NULL;
    skip_blanks();
    return *at ? NULL : value;
}

const Json *json_get(const Json *object, const char *name) {
    for (size_t i = 0; object && object->type == JSON_OBJECT && i < object->count; i++)
        if (!strcmp(object->names[i], name)) return &object->items[i];
    return NULL;
}
