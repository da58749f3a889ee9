#include "chain/picture.h"

#include "core/error.h"
#include "record/csv.h"

const pc_own pc_picture_table_own = {"the table of a picture",
                                     {{"item,name,line,gamma_1", NULL},
                                      {"time,ball_1", NULL},
                                      {"time [s],ball_1", NULL}, // earlier versions
                                      {NULL, ",cke_min,cke_max,gap_min,gap_max\n"}}};

pc_status pc_picture_begin(pc_picture *p, const pc_chain_picture *files, pc_error *error)
{
  *p = (pc_picture){.files = files};
  if (files->svg != NULL && pc_replace_check(files->svg, &pc_svg_own, error) != PC_OK)
    return error->status;
  if (files->csv != NULL)
    p->table = pc_replace_begin(files->csv, &pc_picture_table_own, error);
  return files->csv != NULL && p->table == NULL ? error->status : PC_OK;
}

void pc_picture_row(const pc_picture *p, const char *labels, int count, const double *number)
{
  if (p->table == NULL)
    return;
  pc_replace_print(p->table, "%s", labels);
  for (int k = 0; k < count; k++) {
    char text[PC_CSV_NUMBER];
    pc_csv_number(number[k], text);
    pc_replace_print(p->table, "%s%s", k > 0 || *labels != 0 ? "," : "", text);
  }
  pc_replace_print(p->table, "\n");
}

pc_status pc_picture_end(pc_picture *p, pc_status status, pc_error *error)
{
  if (p->files->title != NULL)
    p->plot.title = p->files->title;
  if (status == PC_OK && p->plot.arena.failed)
    status = pc_fail(error, PC_ERROR_MEMORY, "out of memory");
  if (status == PC_OK && p->files->svg != NULL)
    status = pc_svg_write(&p->plot, p->files->svg, error);
  if (p->table != NULL && status == PC_OK)
    status = pc_replace_end(p->table, error);
  else if (p->table != NULL)
    pc_replace_discard(p->table);
  pc_svg_free(&p->plot);
  return status;
}
