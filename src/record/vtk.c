#include "record/vtk.h"

#include <string.h>

#include "record/replace.h"
#include "record/types.h"

#define HEAD "<?xml version=\"1.0\"?>\n<!-- written by Percuss -->\n<VTKFile type="
const pc_own pc_vtk_own = {"a VTK file of Percuss", {{HEAD "\"PolyData\" ", NULL}}};
const pc_own pc_vtk_series_own = {"a VTK collection of Percuss", {{HEAD "\"Collection\" ", NULL}}};

// Every array is a size (UInt64) and its bytes, one after the other; the XML says where each
// begins.
typedef struct layout {
  pc_replace *file;
  uint64_t offset;
} layout;

static const char *type_name(pc_record_type type)
{
  static const char *const names[] = {"Float64", "Float32", "Int32", "Int64", "UInt8"};
  return names[type];
}

static uint64_t bytes_of(const pc_vtk_array *array, int rows)
{
  return (uint64_t)rows * (uint64_t)array->components * pc_record_type_size(array->type);
}

static void declare(layout *l, const pc_vtk_array *array, int rows)
{
  pc_replace_print(l->file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" ",
                   type_name(array->type), array->name, array->components);
  pc_replace_print(l->file, "format=\"appended\" offset=\"%llu\"/>\n",
                   (unsigned long long)l->offset);
  l->offset += sizeof(uint64_t) + bytes_of(array, rows);
}

static void append(layout *l, const pc_vtk_array *array, int rows)
{
  uint64_t bytes = bytes_of(array, rows);
  pc_replace_write(l->file, &bytes, sizeof bytes);
  if (bytes > 0)
    pc_replace_write(l->file, array->data, bytes);
}

typedef void visit(layout *l, const pc_vtk_array *array, int rows);

static void visit_cells(layout *l, const pc_vtk_cells *cells, visit *what)
{
  int listed = cells->count > 0 ? cells->end[cells->count - 1] : 0;
  what(l, &(pc_vtk_array){"connectivity", PC_RECORD_INT, 1, cells->point}, listed);
  what(l, &(pc_vtk_array){"offsets", PC_RECORD_INT, 1, cells->end}, cells->count);
}

static void declare_piece(layout *l, const pc_vtk *data)
{
  pc_replace_print(l->file,
                   "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"%d\" NumberOfLines=\"%d\" "
                   "NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n<PointData",
                   data->points, data->verts.count, data->lines.count, data->polys.count);
  if (data->scalars != NULL)
    pc_replace_print(l->file, " Scalars=\"%s\"", data->scalars);
  pc_replace_print(l->file, ">\n");
  for (int i = 0; i < data->arrays; i++)
    declare(l, &data->array[i], data->points);
  pc_replace_print(l->file, "</PointData>\n<Points>\n");
  declare(l, &data->place, data->points);
  pc_replace_print(l->file, "</Points>\n<Verts>\n");
  visit_cells(l, &data->verts, declare);
  pc_replace_print(l->file, "</Verts>\n<Lines>\n");
  visit_cells(l, &data->lines, declare);
  pc_replace_print(l->file, "</Lines>\n<Polys>\n");
  visit_cells(l, &data->polys, declare);
  pc_replace_print(l->file, "</Polys>\n</Piece>\n");
}

pc_status pc_vtk_write(const char *path, const pc_vtk *data, pc_error *error)
{
  layout l = {.file = pc_replace_begin(path, &pc_vtk_own, error)};
  if (l.file == NULL)
    return error->status;
  pc_replace_print(l.file, HEAD "\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                                "header_type=\"UInt64\">\n<PolyData>\n<FieldData>\n<DataArray "
                                "type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
                                "format=\"ascii\">");
  pc_replace_number(l.file, data->time, '<');
  pc_replace_print(l.file, "/DataArray>\n</FieldData>\n");
  declare_piece(&l, data);
  pc_replace_print(l.file, "</PolyData>\n<AppendedData encoding=\"raw\">\n_");
  for (int i = 0; i < data->arrays; i++)
    append(&l, &data->array[i], data->points);
  append(&l, &data->place, data->points);
  visit_cells(&l, &data->verts, append);
  visit_cells(&l, &data->lines, append);
  visit_cells(&l, &data->polys, append);
  pc_replace_print(l.file, "\n</AppendedData>\n</VTKFile>\n");
  return pc_replace_end(l.file, error);
}

pc_status pc_vtk_write_series(const char *path, int count, const double *times,
                              const char *const *files, pc_error *error)
{
  pc_replace *file = pc_replace_begin(path, &pc_vtk_series_own, error);
  if (file == NULL)
    return error->status;
  pc_replace_print(file, HEAD "\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
                              "<Collection>\n");
  for (int i = 0; i < count; i++) {
    pc_replace_print(file, "<DataSet timestep=\"");
    pc_replace_number(file, times[i], '"');
    pc_replace_print(file, " part=\"0\" file=\"");
    pc_replace_xml(file, files[i], strlen(files[i]));
    pc_replace_print(file, "\"/>\n");
  }
  pc_replace_print(file, "</Collection>\n</VTKFile>\n");
  return pc_replace_end(file, error);
}
