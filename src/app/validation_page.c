// The rows of a validation as a Markdown page.
#include <math.h>
#include <stdio.h>

#include "app/validation_rows.h"

// A bar would end the cell.
static void print_cell(const char *text)
{
  fputs(" ", stdout);
  for (; *text; text++)
    if (*text == '|')
      fputs("\\|", stdout);
    else
      fputc(*text == '\n' ? ' ' : *text, stdout);
  fputs(" |", stdout);
}

// What the row came to: pass or FAIL, by how much a criterion is missed, nothing otherwise.
static validation_number verdict_of(const pc_validation *row)
{
  validation_number out = {"-"};
  if (row->verdict == PC_FAIL)
    snprintf(out.text, sizeof out.text, "FAIL");
  else if (row->verdict == PC_PASS)
    snprintf(out.text, sizeof out.text, "pass");
  else if (row->kind == PC_ROW_MISSED)
    snprintf(out.text, sizeof out.text, "by %+.3g", row->computed - row->expected);
  return out;
}

static void print_row(const pc_validation *row)
{
  validation_number published = validation_number_of(row->published),
                    expected = validation_number_of(row->expected),
                    computed = validation_number_of(row->computed),
                    tolerance = validation_tolerance_of(row), verdict = verdict_of(row);
  const char *const cells[] = {
      row->id,        row->source,   row->quantity, pc_row_kind_name(row->kind),
      published.text, expected.text, computed.text, row->unit,
      tolerance.text, verdict.text,  row->note};
  fputs("|", stdout);
  for (int i = 0; i < PC_COUNT(cells); i++)
    print_cell(cells[i]);
  fputs("\n", stdout);
}

static void print_table_head(void)
{
  fputs("\n| id | source | quantity | kind | published | expected | computed | unit | tolerance | "
        "verdict | note |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
        stdout);
}

// Means of some runs deserve no more digits.
static validation_number short_number_of(double value)
{
  validation_number number = {"-"};
  if (isfinite(value))
    snprintf(number.text, sizeof number.text, "%.4g", value);
  return number;
}

// The rows of one study, narrow: all have the same source and kind.
static void print_study(const validation_rows *rows, const char *prefix, const char *text)
{
  printf("\n### %s\n\n%s\n\n"
         "| id | changed | quantity | printed | computed | 95 %% interval | unit | note |\n"
         "|---|---|---|---|---|---|---|---|\n",
         prefix, text);
  for (int i = 0; i < rows->kept.count; i++) {
    const pc_validation *row = &rows->kept.at[i];
    if (!belongs_to_study(row, prefix))
      continue;
    validation_number published = short_number_of(row->published),
                      computed = short_number_of(row->computed),
                      interval = validation_tolerance_of(row);
    const char *const cells[] = {row->id,       row->changed,  row->quantity, published.text,
                                 computed.text, interval.text, row->unit,     row->note};
    fputs("|", stdout);
    for (int c = 0; c < PC_COUNT(cells); c++)
      print_cell(cells[c]);
    fputs("\n", stdout);
  }
}

static void print_counts(const validation_rows *rows)
{
  fputs("| kind | rows | pass | fail |\n|---|---|---|---|\n", stdout);
  for (int k = 0; k < PC_ROW_KINDS; k++) {
    int passed = rows->count[k] - rows->failed[k];
    printf("| %s | %d | ", pc_row_kind_name((pc_row_kind)k), rows->count[k]);
    if (is_shown_apart((pc_row_kind)k))
      printf("- | %d |\n", rows->failed[k]);
    else
      printf("%d | %d |\n", passed, rows->failed[k]);
  }
}

// Also those without rows: scripts/validation-page has their rows from another time.
static void print_studies(const validation_rows *rows)
{
  for (int i = 0; pc_validation_case(i) != NULL; i++)
    if (pc_validation_study(i) != NULL)
      print_study(rows, pc_validation_case(i), pc_validation_study(i));
}

static void print_rows_of(const validation_rows *rows, pc_row_kind kind)
{
  print_table_head();
  for (int i = 0; i < rows->kept.count; i++)
    if (rows->kept.at[i].kind == kind)
      print_row(&rows->kept.at[i]);
}

void validation_page_print(const validation_rows *rows)
{
  fputs("# Validation\n\n"
        "Percuss recomputes the results that its sources print, and compares.\n"
        "`scripts/validation-page` writes this page from the output of `percuss validate "
        "--markdown`.\nSlow rows keep their last computed value; `scripts/validation-page --all` "
        "computes every row.\n[Coverage](coverage.md) lists the sections, figures and tables of "
        "the sources.\n\n",
        stdout);
  print_counts(rows);
  fputs(
      "\n- **published**: compared with a number that the source prints, or with a printed "
      "formula at stated\n  parameters.\n"
      "- **derived**: compared with an oracle that the note names.\n"
      "- **property**: the number of violations of a claim; the expected number is 0.\n"
      "- **fitted, input, self-check, missed, untestable, varied**: these do not count as passes. "
      "They have\n  sections of their own below.\n"
      "- **an independent program, independent finite elements** (in notes): a second "
      "implementation, written\n  for the comparison from the equations alone. Its results are "
      "kept here; the program is not part\n  of Percuss.\n\n"
      "## Compared\n",
      stdout);
  print_table_head();
  for (int i = 0; i < rows->kept.count; i++)
    if (!is_shown_apart(rows->kept.at[i].kind))
      print_row(&rows->kept.at[i]);
  for (int s = 0; s < VALIDATION_SECTIONS; s++) {
    printf("\n## %s\n\n%s\n", validation_sections[s].title, validation_sections[s].about);
    if (validation_sections[s].kind == PC_ROW_VARIED)
      print_studies(rows);
    else
      print_rows_of(rows, validation_sections[s].kind);
  }
}
