#include "core/json.h"

#include <math.h>
#include <stdlib.h>

#include "core/plain.h"

static void separate(pc_json *json)
{
  if (json->comma)
    fputc(',', json->file);
  json->comma = true;
}

void pc_json_open(pc_json *json, char bracket)
{
  separate(json);
  fputc(bracket, json->file);
  json->closing[json->depth++] = bracket == '{' ? '}' : ']';
  json->comma = false;
}

void pc_json_close(pc_json *json)
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

void pc_json_key(pc_json *json, const char *key)
{
  separate(json);
  write_string(json->file, key);
  fputc(':', json->file);
  json->comma = false;
}

void pc_json_number(pc_json *json, double value)
{
  if (!isfinite(value)) {
    pc_json_null(json);
    return;
  }
  separate(json);
  char text[PC_EXACT_TEXT];
  pc_print_exact(value, text);
  fputs(text, json->file);
}

void pc_json_integer(pc_json *json, long value)
{
  separate(json);
  fprintf(json->file, "%ld", value);
}

void pc_json_boolean(pc_json *json, bool value)
{
  separate(json);
  fputs(value ? "true" : "false", json->file);
}

void pc_json_string(pc_json *json, const char *value)
{
  if (value == NULL) {
    pc_json_null(json);
    return;
  }
  separate(json);
  write_string(json->file, value);
}

void pc_json_null(pc_json *json)
{
  separate(json);
  fputs("null", json->file);
}

void pc_json_vector(pc_json *json, const double *values, int count)
{
  pc_json_open(json, '[');
  for (int i = 0; i < count; i++)
    pc_json_number(json, values[i]);
  pc_json_close(json);
}
