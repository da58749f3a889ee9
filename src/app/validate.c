// percuss validate: the published results, recomputed, as a table, JSON or Markdown.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/validation_rows.h"
#include "core/json.h"
#include "percuss/validate.h"

typedef enum format { TABLE, JSON, MARKDOWN } format;

enum { CASES_MOST = 1024 };

typedef struct report {
  format format;
  pc_json json;
  validation_rows rows;      // Markdown keeps all of them, a table those that are shown apart
  bool has_rows[CASES_MOST]; // by case
  char source[200];          // of the last row of a table
} report;

// The rows of a case have its id, or begin with it and a dot; so do ids that a user asks for.
static bool is_part_of(const char *id, const char *prefix)
{
  size_t length = strlen(prefix);
  return strncmp(id, prefix, length) == 0 && (id[length] == 0 || id[length] == '.');
}

static const char *verdict_word(pc_verdict verdict)
{
  return verdict == PC_PASS ? "pass" : verdict == PC_FAIL ? "FAIL" : "-";
}

static void write_json(pc_json *json, const pc_validation *row)
{
  pc_json_open(json, '{');
  pc_json_key(json, "id"), pc_json_string(json, row->id);
  pc_json_key(json, "kind"), pc_json_string(json, pc_row_kind_name(row->kind));
  pc_json_key(json, "source"), pc_json_string(json, row->source);
  pc_json_key(json, "quantity"), pc_json_string(json, row->quantity);
  if (row->kind == PC_ROW_VARIED)
    pc_json_key(json, "changed"), pc_json_string(json, row->changed);
  pc_json_key(json, "published"), pc_json_number(json, row->published);
  pc_json_key(json, "expected"), pc_json_number(json, row->expected);
  pc_json_key(json, "computed"), pc_json_number(json, row->computed);
  pc_json_key(json, "unit"), pc_json_string(json, row->unit);
  pc_json_key(json, "tolerance"), pc_json_number(json, row->tolerance);
  pc_json_key(json, "pass");
  if (row->verdict == PC_NOT_COUNTED)
    pc_json_null(json);
  else
    pc_json_boolean(json, row->verdict == PC_PASS);
  pc_json_key(json, "note"), pc_json_string(json, row->note);
  pc_json_close(json);
}

#define ROW "%-46s %-10s %13s  %-25s %13s %-10s %-5s %s\n"

static void print_heads(void)
{
  printf("expected: what the source prints, or what follows from it. allowed: where a row passes.\n"
         "measured: what Percuss computed. A row of kind property counts violations of a claim.\n");
}

// The range of `measured` in which a row passes.
static void write_range(const pc_validation *row, char *text, size_t size)
{
  validation_number tolerance = validation_tolerance_of(row);
  if (!isfinite(row->expected) || strcmp(tolerance.text, "-") == 0)
    snprintf(text, size, "-");
  else if (row->tolerance == 0)
    snprintf(text, size, "%.6g", row->expected);
  else if (!(row->tolerance > 1e-5 * fabs(row->expected))) // the ends would read the same
    snprintf(text, size, "%.6g \u00b1 %s", row->expected, tolerance.text);
  else
    snprintf(text, size, "%.6g to %.6g", row->expected - row->tolerance,
             row->expected + row->tolerance);
}

// Rows of one source stand below it, with the heads of their columns.
static void print_row(const pc_validation *row, char *source, size_t size)
{
  char range[64], expected[32] = "-", computed[32] = "-";
  if (isfinite(row->expected))
    snprintf(expected, sizeof expected, "%.7g", row->expected);
  if (isfinite(row->computed))
    snprintf(computed, sizeof computed, "%.7g", row->computed);
  write_range(row, range, sizeof range);
  if (strncmp(source, row->source, size - 1) != 0) {
    snprintf(source, size, "%s", row->source);
    printf("\n%s\n" ROW, row->source, "id", "kind", "expected", "allowed", "measured", "unit",
           "pass", "quantity");
  }
  printf(ROW, row->id, pc_row_kind_name(row->kind), expected, range, computed, row->unit,
         verdict_word(row->verdict), row->quantity);
}

// What the studies found out that have rows here.
static void print_findings(const validation_rows *rows)
{
  for (int i = 0; pc_validation_case(i) != NULL; i++) {
    const char *prefix = pc_validation_case(i), *study = pc_validation_study(i);
    bool has_rows = false;
    for (int r = 0; r < rows->kept.count && study != NULL; r++)
      has_rows = has_rows || belongs_to_study(&rows->kept.at[r], prefix);
    if (has_rows)
      printf("%s: %s\n", prefix, study);
  }
}

// The rows shown apart, with what their notes say; of self-checks those that fail.
static void print_apart(const validation_rows *rows)
{
  for (int s = 0; s < VALIDATION_SECTIONS; s++) {
    const validation_section *section = &validation_sections[s];
    bool some = section->kind == PC_ROW_SELF_CHECK ? rows->failed[section->kind] > 0
                                                   : rows->count[section->kind] > 0;
    char source[200] = "";
    if (some)
      printf("\n%s. %s\n", section->title, section->about);
    for (int i = 0; i < rows->kept.count; i++) {
      const pc_validation *row = &rows->kept.at[i];
      bool sound = row->kind == PC_ROW_SELF_CHECK && row->verdict != PC_FAIL;
      if (row->kind != section->kind || sound)
        continue;
      print_row(row, source, sizeof source);
      if (*row->changed || *row->note)
        printf("    %s%s%s%s\n", *row->changed ? "changed: " : "", row->changed,
               *row->changed && *row->note ? ": " : "", row->note);
    }
    if (section->kind == PC_ROW_VARIED)
      print_findings(rows);
  }
}

static void print_summary(const validation_rows *rows)
{
  printf("\n%d rows: %d pass, %d fail\n", validation_rows_total(rows), validation_rows_passed(rows),
         validation_rows_failed(rows));
  for (int k = 0; k < PC_ROW_KINDS; k++)
    printf("%s%d %s", k > 0 ? ", " : "", rows->count[k], pc_row_kind_name((pc_row_kind)k));
  printf("\n");
}

static bool is_asked(const char *name, int ids, char **id)
{
  for (int i = 0; i < ids; i++)
    if (is_part_of(name, id[i]) || is_part_of(id[i], name))
      return true;
  return ids == 0;
}

// What --quick left out, so that nobody takes the rows above for all of them.
static void print_left_out(const report *from, int ids, char **id)
{
  int count = 0, column = 0;
  for (int i = 0; pc_validation_case(i) != NULL && i < CASES_MOST; i++)
    count += !from->has_rows[i] && is_asked(pc_validation_case(i), ids, id);
  if (count == 0)
    return;
  printf("\nNot computed, because their rows are slow (without --quick they are):");
  for (int i = 0; pc_validation_case(i) != NULL && i < CASES_MOST; i++) {
    if (from->has_rows[i] || !is_asked(pc_validation_case(i), ids, id))
      continue;
    if (column == 0 || column > 80)
      column = printf("\n ") - 1;
    column += printf(" %s", pc_validation_case(i));
  }
  printf("\n");
}

static void show(const pc_validation *row, void *context)
{
  report *to = context;
  bool first = validation_rows_total(&to->rows) == 0;
  validation_rows_count(&to->rows, row);
  for (int i = 0; pc_validation_case(i) != NULL && i < CASES_MOST; i++)
    to->has_rows[i] = to->has_rows[i] || is_part_of(row->id, pc_validation_case(i));
  if (to->format == JSON) {
    if (first)
      pc_json_open(&to->json, '[');
    write_json(&to->json, row);
    return;
  }
  if (first && to->format == TABLE)
    print_heads();
  if (to->format == MARKDOWN || is_shown_apart(row->kind)) {
    validation_rows_keep(&to->rows, row);
    return;
  }
  print_row(row, to->source, sizeof to->source);
  if (row->verdict != PC_PASS && *row->note)
    printf("    %s\n", row->note);
  app_flush();
}

static void finish(report *to, bool quick, int ids, char **id)
{
  if (to->format == JSON && validation_rows_total(&to->rows) == 0)
    pc_json_open(&to->json, '[');
  if (to->format == JSON) {
    pc_json_close(&to->json);
  } else if (to->format == MARKDOWN) {
    validation_page_print(&to->rows);
  } else {
    print_apart(&to->rows);
    print_summary(&to->rows);
    if (quick)
      print_left_out(to, ids, id);
  }
  validation_rows_free(&to->rows);
}

typedef struct validate_options {
  bool json, markdown, quick, list;
} validate_options;

static const app_option options[] = {
    {"--json", NULL, offsetof(validate_options, json), "print one JSON array of rows"},
    {"--markdown", NULL, offsetof(validate_options, markdown), "print a Markdown table"},
    {"--quick", NULL, offsetof(validate_options, quick), "skip the slow rows"},
    {"--list", NULL, offsetof(validate_options, list),
     "print the ids and their prefixes, one per line, without computing"},
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
    return app_complain("percuss validate: choose either --json or --markdown");
  if (o->list && (o->json || o->markdown || o->quick || ids > 0))
    return app_complain("percuss validate: --list cannot be combined with other options");
  if (o->list)
    return print_cases();
  report to = {.format = o->json ? JSON : o->markdown ? MARKDOWN : TABLE, .json.file = stdout};
  pc_error error = {.status = PC_OK};
  pc_status status = pc_validate((const char *const *)id, ids, o->quick, show, &to, &error);
  bool bad_id = status == PC_ERROR_ARGUMENT || status == PC_ERROR_INPUT;
  if (bad_id && validation_rows_total(&to.rows) == 0)
    return app_complain_error(&error, "percuss validate");
  finish(&to, o->quick, ids, id);
  if (status != PC_OK) {
    app_complain("percuss validate: %s", error.text);
    return bad_id ? APP_BAD_INPUT : APP_FAILED;
  }
  if (to.rows.out_of_memory) {
    app_complain("percuss validate: out of memory");
    return APP_FAILED;
  }
  return validation_rows_failed(&to.rows) > 0 ? APP_NOT_VALID : APP_OK;
}

const app_command app_validate = {
    "validate",
    "[ID...]",
    "recompute published results and compare them",
    "ID is area.case.quantity, as in the first column, or a prefix of it such as 'fremond' or\n"
    "'fremond.diver' (default: all). Each row states its SI unit.\n",
    options,
    "Rows of kind published, derived and property pass or fail. Rows of kind fitted, input, "
    "missed\n"
    "and untestable are listed separately and never count as a pass. A missed row fails if its\n"
    "criterion turns out to hold. Varied rows belong to studies (ids 'study...'): they repeat a\n"
    "missed row with one input changed; their tolerance is half the 95 % interval. Studies are "
    "slow.\n"
    "\n"
    "Exit status: 0 no row fails; 1 a problem could not be solved; 2 wrong usage; 3 a row fails.\n",
    NULL,
    validate};
