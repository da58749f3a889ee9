// A page of a report as one HTML file: numbered sections of paragraphs, lists, tables and pictures.
// It needs no network and no scripts, prints on A4, and is well-formed XML too. Texts are escaped.
//
// Formats are those of pc_print; pc_page_number prints a dash for a number that is not finite.
// The first failure is kept and reported by pc_page_end.
#ifndef PERCUSS_RECORD_PAGE_H
#define PERCUSS_RECORD_PAGE_H

#include "record/own.h"
#include "record/svg.h"

typedef struct pc_page pc_page;

extern const pc_own pc_page_own;

// Creates the page under another name until its end. An older one is replaced if it is one of
// Percuss. `under` is a line below the title.
pc_page *pc_page_begin(const char *path, const char *title, const char *under, pc_error *error);
// Gives the page its name. Frees it also after a failure.
pc_status pc_page_end(pc_page *page, pc_error *error);
// Leaves the old page as it is, or none, and frees the page.
void pc_page_discard(pc_page *page);
// Keeps the failure of a caller who lacked memory for something on the page.
void pc_page_out_of_memory(pc_page *page);

void pc_page_section(pc_page *page, const char *title);
void pc_page_part(pc_page *page, const char *title); // of a section
void pc_page_text(pc_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pc_page_small(pc_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A paragraph that nobody should miss.
void pc_page_warning(pc_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Lines of a program or a file, as they are.
void pc_page_lines(pc_page *page, const char *text);
void pc_page_begin_list(pc_page *page);
void pc_page_item(pc_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pc_page_end_list(pc_page *page);

// The most important numbers, side by side: what it is, and the number.
void pc_page_begin_facts(pc_page *page);
void pc_page_fact(pc_page *page, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pc_page_end_facts(pc_page *page);

// A table. The heads are the first row, if there are any; a row begins with its name, and its cells
// follow. Columns are set to the right, for numbers, but for the first and those whose heads begin
// with PC_PAGE_WORDS.
#define PC_PAGE_WORDS "\x01"
void pc_page_begin_table(pc_page *page, int heads, const char *const *head);
void pc_page_row(pc_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void pc_page_cell(pc_page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A number with so many digits behind the point, or a dash.
void pc_page_number(pc_page *page, int digits, double value);
void pc_page_end_table(pc_page *page);

// Pictures side by side, as many as fit. The caption is below a picture; "": none.
void pc_page_begin_pictures(pc_page *page);
void pc_page_picture(pc_page *page, const pc_svg *svg, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void pc_page_end_pictures(pc_page *page);

#endif
