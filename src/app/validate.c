// percuss validate: the published results, recomputed, as a table, JSON or Markdown.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "core/array.h"
#include "core/json.h"
#include "percuss/validate.h"

typedef enum format { TABLE, JSON, MARKDOWN } format;

typedef struct report {
  format format;
  pc_json json;
  int rows, failed, untestable;
  PC_ARRAY(pc_validation) apart; // rows that cannot be tested, shown after the others
  pc_arena texts;                // of these rows
} report;

static const char *verdict_word(pc_verdict verdict)
{
  return verdict == PC_PASS ? "pass" : verdict == PC_FAIL ? "FAIL" : "-";
}

static void write_json(pc_json *json, const pc_validation *row)
{
  pc_json_open(json, '{');
  pc_json_key(json, "id"), pc_json_string(json, row->id);
  pc_json_key(json, "source"), pc_json_string(json, row->source);
  pc_json_key(json, "quantity"), pc_json_string(json, row->quantity);
  pc_json_key(json, "published"), pc_json_number(json, row->published);
  pc_json_key(json, "expected"), pc_json_number(json, row->expected);
  pc_json_key(json, "computed"), pc_json_number(json, row->computed);
  pc_json_key(json, "unit"), pc_json_string(json, row->unit);
  pc_json_key(json, "tolerance"), pc_json_number(json, row->tolerance);
  pc_json_key(json, "pass");
  if (row->verdict == PC_UNTESTABLE)
    pc_json_null(json);
  else
    pc_json_boolean(json, row->verdict == PC_PASS);
  pc_json_key(json, "note"), pc_json_string(json, row->note);
  pc_json_close(json);
}

static const char *number_or(const char *missing, double value, char *text, size_t size)
{
  if (isfinite(value))
    snprintf(text, size, "%.9g", value);
  else
    snprintf(text, size, "%s", missing);
  return text;
}

// A bar would end the cell.
static void print_cell(const char *text)
{
  fputs(" ", stdout);
  for (; text != NULL && *text; text++)
    if (*text == '|')
      fputs("\\|", stdout);
    else
      fputc(*text == '\n' ? ' ' : *text, stdout);
  fputs(" |", stdout);
}

// Strings of a row live until the sink returns, so a row to be shown later is copied.
static void keep_apart(report *to, const pc_validation *row)
{
  pc_validation *kept = pc_array_add(&to->apart);
  if (kept == NULL)
    return;
  *kept = *row;
  const char **texts[] = {&kept->id, &kept->source, &kept->quantity, &kept->unit, &kept->note};
  for (int i = 0; i < PC_COUNT(texts); i++) {
    const char *text = *texts[i] != NULL ? *texts[i] : "";
    const char *copy = pc_arena_copy(&to->texts, text, (int)strlen(text) + 1, 1);
    *texts[i] = copy != NULL ? copy : "";
  }
}

static void print_cells(const char *const *cells, int count)
{
  fputs("|", stdout);
  for (int i = 0; i < count; i++)
    print_cell(cells[i]);
  fputs("\n", stdout);
}

static void show_apart(report *to)
{
  if (to->apart.count > 0)
    printf(to->format == MARKDOWN
               ? "\n## Cannot be tested\n\nReported without a tolerance; the note "
                 "says why.\n\n| id | source | quantity | published | computed | "
                 "unit | note |\n|---|---|---|---|---|---|---|\n"
               : "\ncannot be tested:\n");
  for (int i = 0; i < to->apart.count; i++) {
    const pc_validation *row = &to->apart.at[i];
    char published[40], computed[40];
    number_or("-", row->published, published, sizeof published);
    number_or("-", row->computed, computed, sizeof computed);
    const char *const cells[] = {row->id,  row->source, row->quantity, published,
                                 computed, row->unit,   row->note};
    if (to->format == MARKDOWN)
      print_cells(cells, PC_COUNT(cells));
    else
      printf("%-46s %13s %13s %15s %s\n    %s: %s: %s\n", row->id, published, "-", computed,
             row->unit, row->source, row->quantity, row->note);
  }
  pc_array_free(&to->apart);
  pc_arena_free(&to->texts);
}

static void show(const pc_validation *row, void *context)
{
  report *to = context;
  char published[40], expected[40], computed[40], tolerance[40];
  if (to->rows == 0 && to->format == JSON)
    pc_json_open(&to->json, '[');
  else if (to->rows == 0 && to->format == MARKDOWN)
    printf(
        "# Validation\n\nPublished results, recomputed; this page is the output of `percuss "
        "validate "
        "--markdown` (`make docs`). Where\n`published` is empty the expected value is derived, and "
        "the note says how. A property row counts violations.\n\n"
        "| id | source | quantity | published | expected | computed | unit | tolerance | pass "
        "| note |\n|---|---|---|---|---|---|---|---|---|---|\n");
  else if (to->rows == 0)
    printf("%-46s %13s %13s %15s %-10s %9s  %s\n", "id", "published", "expected", "computed",
           "unit", "tolerance", "pass");
  to->rows++;
  to->failed += row->verdict == PC_FAIL;
  if (row->verdict == PC_UNTESTABLE) {
    to->untestable++;
    if (to->format == JSON)
      write_json(&to->json, row);
    else
      keep_apart(to, row);
    return;
  }
  number_or("-", row->published, published, sizeof published);
  number_or("-", row->expected, expected, sizeof expected);
  number_or("-", row->computed, computed, sizeof computed);
  snprintf(tolerance, sizeof tolerance, "%.1e", row->tolerance);
  if (to->format == JSON) {
    write_json(&to->json, row);
  } else if (to->format == MARKDOWN) {
    const char *const cells[] = {row->id,   row->source, row->quantity,
                                 published, expected,    computed,
                                 row->unit, tolerance,   verdict_word(row->verdict),
                                 row->note};
    print_cells(cells, PC_COUNT(cells));
  } else {
    printf("%-46s %13s %13s %15s %-10s %9s  %s\n", row->id, published, expected, computed,
           row->unit ? row->unit : "", tolerance, verdict_word(row->verdict));
    if (row->verdict != PC_PASS && row->note != NULL && *row->note)
      printf("    %s\n", row->note);
    app_flush();
  }
}

typedef struct validate_options {
  bool json, markdown, quick, list;
} validate_options;

static const app_option options[] = {
    {"--json", NULL, offsetof(validate_options, json), "print one JSON array of rows"},
    {"--markdown", NULL, offsetof(validate_options, markdown), "print a Markdown table"},
    {"--quick", NULL, offsetof(validate_options, quick), "leave out what takes long"},
    {"--list", NULL, offsetof(validate_options, list),
     "print the beginnings of ids, one per line, and compute nothing"},
    {NULL, NULL, 0, NULL},
};

static int print_cases(void)
{
  for (int i = 0; pc_validation_case(i) != NULL; i++)
    puts(pc_validation_case(i));
  return APP_OK;
}

static int validate(const void *given, int ids, char **id)
{
  const validate_options *o = given;
  if (o->json && o->markdown)
    return app_complain("percuss validate: --json or --markdown, not both");
  if (o->list && (o->json || o->markdown || o->quick || ids > 0))
    return app_complain("percuss validate: --list stands alone");
  if (o->list)
    return print_cases();
  report to = {.format = o->json ? JSON : o->markdown ? MARKDOWN : TABLE, .json.file = stdout};
  pc_error error = {.status = PC_OK};
  pc_status status = pc_validate((const char *const *)id, ids, o->quick, show, &to, &error);
  bool bad_id = status == PC_ERROR_ARGUMENT || status == PC_ERROR_INPUT;
  if (bad_id && to.rows == 0)
    return app_complain_error(&error, "percuss validate");
  if (to.format == JSON) {
    if (to.rows == 0)
      pc_json_open(&to.json, '[');
    pc_json_close(&to.json);
  }
  if (to.format != JSON)
    show_apart(&to);
  if (to.format == TABLE) {
    printf("\n%d rows: %d pass, %d fail, %d that cannot be tested\n", to.rows,
           to.rows - to.failed - to.untestable, to.failed, to.untestable);
  }
  if (status != PC_OK) {
    app_complain("percuss validate: %s", error.text);
    return bad_id ? APP_BAD_INPUT : APP_FAILED;
  }
  return to.failed > 0 ? APP_NOT_VALID : APP_OK;
}

const app_command app_validate = {
    "validate",
    "[ID...]",
    "recompute published results and compare",
    "ID is area.case.quantity, as in the first column, or a beginning of it such as 'fremond' or\n"
    "'fremond.diver' (default: all). Values have the SI unit of their row.\n",
    options,
    "Exit status: 0 every row that can be tested passes; 1 a problem could not be solved; 2 bad\n"
    "usage; 3 a row fails.\n",
    NULL,
    validate};
