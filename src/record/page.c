#include "record/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/plain.h"
#include "record/replace.h"

enum { COLUMNS = 32 }; // that may hold words

struct pc_page {
  pc_replace *file;
  pc_error failure; // the first
  int sections, column;
  bool in_row, is_words[COLUMNS];
};

#define HEAD "<!DOCTYPE html>\n<html lang=\"en\"><!-- a report of Percuss -->\n"
const pc_own pc_page_own = {"a report of Percuss", {{HEAD, NULL}}};

// Black on white, on the screen and on paper; colours only where they say something.
static const char style[] =
    "@page{size:A4;margin:16mm 15mm}"
    "*{box-sizing:border-box}"
    "body{font:15px/1.5 'Liberation Sans',Helvetica,Arial,sans-serif;color:#1a1a1a;"
    "background:#fff;max-width:60em;margin:0 auto;padding:2em 1.5em}"
    "header{border-bottom:2px solid #1a1a1a;margin-bottom:1.5em;padding-bottom:.6em}"
    "h1{font-size:1.7em;line-height:1.2;margin:0 0 .2em}"
    "header p{margin:0;color:#555}"
    "h2{font-size:1.25em;margin:2em 0 .6em;border-bottom:1px solid #bbb;padding-bottom:.15em}"
    "h3{font-size:1em;margin:1.4em 0 .4em}"
    "h2,h3{break-after:avoid}"
    "p{margin:.5em 0}"
    ".small{color:#555;font-size:.87em}"
    ".warning{border-left:4px solid #d55e00;background:#fdf1e8;padding:.4em .8em;"
    "break-inside:avoid}"
    "dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5em,1fr));gap:.6em;"
    "margin:1em 0;break-inside:avoid}"
    "dl div{border:1px solid #bbb;padding:.45em .8em}"
    "dt{font-size:.82em;color:#555}"
    "dd{margin:0;font-size:1.2em;font-weight:bold;font-variant-numeric:tabular-nums}"
    "table{border-collapse:collapse;margin:.8em 0;font-variant-numeric:tabular-nums;"
    "font-size:.93em}"
    "th,td{padding:.25em .8em .25em 0;text-align:right;vertical-align:top}"
    "th:first-child,.words{text-align:left}"
    "thead th{border-bottom:1px solid #1a1a1a;font-weight:bold}"
    "tbody th{font-weight:normal}"
    "tbody tr{border-bottom:1px solid #e2e2e2;break-inside:avoid}"
    "thead{display:table-header-group}"
    "table.wide{display:block;overflow-x:auto}"
    "pre{background:#f5f5f5;padding:.6em .8em;font:.87em/1.4 'Liberation Mono',monospace;"
    "white-space:pre-wrap;overflow-wrap:anywhere}"
    ".pictures{display:flex;flex-wrap:wrap;gap:.8em 1.2em;align-items:flex-end}"
    ".pictures figure{flex:0 1 47%}"
    "figure{margin:.6em 0;break-inside:avoid;max-width:100%}"
    "figure svg{max-width:100%;height:auto;display:block}"
    "figcaption{font-size:.87em;color:#444;max-width:44em}"
    "figcaption:empty{display:none}"
    "@media print{body{padding:0;max-width:none;font-size:10.5pt}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}";

static void put(pc_page *page, const char *text)
{
  pc_replace_write(page->file, text, strlen(text));
}

static void put_escaped(pc_page *page, const char *text)
{
  pc_replace_xml(page->file, text, strlen(text));
}

static void keep(pc_page *page, pc_status status, const char *text)
{
  if (page->failure.status == PC_OK)
    pc_fail(&page->failure, status, "%s", text);
}

static void put_list(pc_page *page, const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  int length = pc_print_list(NULL, 0, format, arguments);
  char *text = malloc((size_t)(length > 0 ? length : 0) + 1);
  if (text == NULL) {
    pc_page_out_of_memory(page);
  } else if (length >= 0) {
    pc_print_list(text, (size_t)length + 1, format, again);
    put_escaped(page, text);
  }
  va_end(again);
  free(text);
}

#define PUT_BETWEEN(page, before, format, after)                                                   \
  do {                                                                                             \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    put(page, before);                                                                             \
    put_list(page, format, arguments);                                                             \
    put(page, after);                                                                              \
    va_end(arguments);                                                                             \
  } while (0)

pc_page *pc_page_begin(const char *path, const char *title, const char *under, pc_error *error)
{
  pc_page *page = calloc(1, sizeof *page);
  if (page == NULL) {
    pc_fail(error, PC_ERROR_MEMORY, "%s: out of memory", path);
    return NULL;
  }
  page->file = pc_replace_begin(path, &pc_page_own, error);
  if (page->file == NULL) {
    free(page);
    return NULL;
  }
  put(page, HEAD "<head>\n<meta charset=\"utf-8\"/>\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                 "<title>");
  put_escaped(page, title);
  put(page, "</title>\n<style>");
  put(page, style);
  put(page, "</style>\n</head>\n<body>\n<header>\n<h1>");
  put_escaped(page, title);
  put(page, "</h1>\n<p>");
  put_escaped(page, under);
  put(page, "</p>\n</header>\n");
  return page;
}

pc_status pc_page_end(pc_page *page, pc_error *error)
{
  pc_status status = page->failure.status;
  if (status != PC_OK) {
    if (error != NULL)
      *error = page->failure;
    pc_page_discard(page);
    return status;
  }
  put(page, page->sections > 0 ? "</section>\n</body>\n</html>\n" : "</body>\n</html>\n");
  status = pc_replace_end(page->file, error);
  free(page);
  return status;
}

void pc_page_discard(pc_page *page)
{
  if (page == NULL)
    return;
  pc_replace_discard(page->file);
  free(page);
}

void pc_page_out_of_memory(pc_page *page)
{
  keep(page, PC_ERROR_MEMORY, "out of memory");
}

void pc_page_section(pc_page *page, const char *title)
{
  if (page->sections++ > 0)
    put(page, "</section>\n");
  pc_replace_print(page->file, "<section>\n<h2>%d. ", page->sections);
  put_escaped(page, title);
  put(page, "</h2>\n");
}

void pc_page_part(pc_page *page, const char *title)
{
  put(page, "<h3>");
  put_escaped(page, title);
  put(page, "</h3>\n");
}

void pc_page_text(pc_page *page, const char *format, ...)
{
  PUT_BETWEEN(page, "<p>", format, "</p>\n");
}

void pc_page_small(pc_page *page, const char *format, ...)
{
  PUT_BETWEEN(page, "<p class=\"small\">", format, "</p>\n");
}

void pc_page_warning(pc_page *page, const char *format, ...)
{
  PUT_BETWEEN(page, "<p class=\"warning\"><b>Warning.</b> ", format, "</p>\n");
}

// Ends of lines stay: escaped as they are in attributes, they would be read as such, too.
void pc_page_lines(pc_page *page, const char *text)
{
  put(page, "<pre>");
  while (*text != 0) {
    size_t length = strcspn(text, "\n");
    pc_replace_xml(page->file, text, length);
    text += length;
    if (*text == '\n')
      put(page, "\n"), text++;
  }
  put(page, "</pre>\n");
}

void pc_page_begin_list(pc_page *page)
{
  put(page, "<ul>\n");
}

void pc_page_item(pc_page *page, const char *format, ...)
{
  PUT_BETWEEN(page, "<li>", format, "</li>\n");
}

void pc_page_end_list(pc_page *page)
{
  put(page, "</ul>\n");
}

void pc_page_begin_facts(pc_page *page)
{
  put(page, "<dl>\n");
}

void pc_page_fact(pc_page *page, const char *what, const char *format, ...)
{
  put(page, "<div><dt>");
  put_escaped(page, what);
  PUT_BETWEEN(page, "</dt><dd>", format, "</dd></div>\n");
}

void pc_page_end_facts(pc_page *page)
{
  put(page, "</dl>\n");
}

static void end_row(pc_page *page)
{
  if (page->in_row)
    put(page, "</tr>\n");
  page->in_row = false;
}

void pc_page_begin_table(pc_page *page, int heads, const char *const *head)
{
  put(page, heads > 6 ? "<table class=\"wide\">\n" : "<table>\n");
  for (int i = 0; i < COLUMNS; i++)
    page->is_words[i] = i < heads ? *head[i] == *PC_PAGE_WORDS : heads == 0;
  if (heads > 0)
    put(page, "<thead><tr>");
  for (int i = 0; i < heads; i++) {
    bool words = *head[i] == *PC_PAGE_WORDS;
    put(page, words ? "<th class=\"words\">" : "<th>");
    put_escaped(page, head[i] + words);
    put(page, "</th>");
  }
  put(page, heads > 0 ? "</tr></thead>\n<tbody>\n" : "<tbody>\n");
}

void pc_page_row(pc_page *page, const char *format, ...)
{
  end_row(page);
  PUT_BETWEEN(page, "<tr><th>", format, "</th>");
  page->in_row = true;
  page->column = 0;
}

void pc_page_cell(pc_page *page, const char *format, ...)
{
  bool words = ++page->column < COLUMNS && page->is_words[page->column];
  PUT_BETWEEN(page, words ? "<td class=\"words\">" : "<td>", format, "</td>");
}

void pc_page_number(pc_page *page, int digits, double value)
{
  if (isfinite(value))
    pc_page_cell(page, "%.*f", digits, value);
  else
    pc_page_cell(page, "\u2013");
}

void pc_page_end_table(pc_page *page)
{
  end_row(page);
  put(page, "</tbody>\n</table>\n");
}

void pc_page_begin_pictures(pc_page *page)
{
  put(page, "<div class=\"pictures\">\n");
}

void pc_page_picture(pc_page *page, const pc_svg *svg, const char *format, ...)
{
  pc_error error = {.status = PC_OK};
  put(page, "<figure>\n");
  if (pc_svg_put(svg, page->file, &error) != PC_OK)
    keep(page, error.status, error.text);
  PUT_BETWEEN(page, "<figcaption>", format, "</figcaption>\n</figure>\n");
}

void pc_page_end_pictures(pc_page *page)
{
  put(page, "</div>\n");
}
