#include "app/json.h"

#include <math.h>
#include <stdlib.h>

static void separate(json_writer *json)
{
  if (json->comma)
    fputc(',', json->file);
  json->comma = true;
}

void json_open(json_writer *json, char bracket)
{
  separate(json);
  fputc(bracket, json->file);
  json->closing[json->depth++] = bracket == '{' ? '}' : ']';
  json->comma = false;
}

void json_close(json_writer *json)
{
  fputc(json->closing[--json->depth], json->file);
  json->comma = true;
  if (json->depth == 0)
    fputc('\n', json->file);
}

static void write_string(FILE *file, const char *value)
{
  fputc('"', file);
  for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
    if (*c == '"' || *c == '\\')
      fprintf(file, "\\%c", *c);
    else if (*c < 0x20)
      fprintf(file, "\\u%04x", *c);
    else
      fputc(*c, file);
  }
  fputc('"', file);
}

void json_key(json_writer *json, const char *key)
{
  separate(json);
  write_string(json->file, key);
  fputc(':', json->file);
  json->comma = false;
}

// The fewest digits that read back as the same number; 17 always do.
void json_number(json_writer *json, double value)
{
  if (!isfinite(value)) {
    json_null(json);
    return;
  }
  separate(json);
  char text[40];
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value)
      break;
  }
  fputs(text, json->file);
}

void json_integer(json_writer *json, long value)
{
  separate(json);
  fprintf(json->file, "%ld", value);
}

void json_boolean(json_writer *json, bool value)
{
  separate(json);
  fputs(value ? "true" : "false", json->file);
}

void json_string(json_writer *json, const char *value)
{
  if (value == NULL) {
    json_null(json);
    return;
  }
  separate(json);
  write_string(json->file, value);
}

void json_null(json_writer *json)
{
  separate(json);
  fputs("null", json->file);
}

void json_vector(json_writer *json, const double *values, int count)
{
  json_open(json, '[');
  for (int i = 0; i < count; i++)
    json_number(json, values[i]);
  json_close(json);
}
