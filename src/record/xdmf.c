#include "record/xdmf.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "record/replace.h"
#include "record/types.h"

#define HEAD                                                                                       \
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n"                 \
  "<Grid Name=\"run\" GridType=\"Collection\" CollectionType=\"Temporal\">\n"
const pc_own pc_xdmf_own = {"the XDMF file of a run", {{HEAD, NULL}}};

static const char *number_type(pc_record_type type)
{
  return type == PC_RECORD_BYTE                            ? "UChar"
         : type == PC_RECORD_INT || type == PC_RECORD_LONG ? "Int"
                                                           : "Float";
}

int pc_xdmf_cell(int dimension, int corners, int nodes, bool *counted)
{
  *counted = nodes == 2; // a polyline
  if (dimension == 3 && corners == 4)
    return nodes == 4 ? 6 : 38;
  if (dimension == 3)
    return nodes == 8 ? 9 : nodes == 20 ? 48 : 50;
  return corners == 2   ? (nodes == 2 ? 2 : 34)
         : corners == 3 ? (nodes == 3 ? 4 : 36)
         : nodes == 4   ? 5
         : nodes == 8   ? 37
                        : 35;
}

int pc_xdmf_node(int dimension, int corners, int nodes, int i)
{
  static const unsigned char tetrahedron[] = {0, 1, 2, 3, 4, 5, 6, 7, 9, 8};
  static const unsigned char hexahedron[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  11, 13, 9,  16, 18,
                                             19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25, 26};
  if (dimension < 3 || nodes == corners)
    return i;
  return corners == 4 ? tetrahedron[i] : hexahedron[i];
}

// Sizes of a dataset, dimensions of 1 dropped as in the record.
static int sizes_of(const pc_xdmf *all, const pc_xdmf_array *array, long size[3])
{
  int rank = 0;
  if (!array->fixed)
    size[rank++] = all->frames;
  if (array->fixed || all->points != 1)
    size[rank++] = all->points;
  if (array->components != 1)
    size[rank++] = array->components;
  return rank;
}

static void print_sizes(pc_replace *file, int rank, const long *size)
{
  for (int i = 0; i < rank; i++)
    pc_replace_print(file, "%s%ld", i > 0 ? " " : "", size[i]);
}

static void print_dataset(pc_replace *file, const char *data, const char *dataset,
                          pc_record_type type, int rank, const long *size)
{
  pc_replace_print(file, "<DataItem Dimensions=\"");
  print_sizes(file, rank, size);
  pc_replace_print(file, "\" NumberType=\"%s\" Precision=\"%d\" Format=\"HDF\">", number_type(type),
                   (int)pc_record_type_size(type));
  pc_replace_xml(file, data, strlen(data));
  pc_replace_print(file, ":/");
  pc_replace_xml(file, dataset, strlen(dataset));
  pc_replace_print(file, "</DataItem>\n");
}

// Frame k of a dataset: start, stride and count of each dimension.
static void print_array(pc_replace *file, const pc_xdmf *all, const pc_xdmf_array *array, long k)
{
  long size[3];
  int rank = sizes_of(all, array, size);
  if (array->fixed) {
    print_dataset(file, all->data, array->dataset, array->type, rank, size);
    return;
  }
  pc_replace_print(file, "<DataItem ItemType=\"HyperSlab\" Dimensions=\"%d", all->points);
  if (array->components != 1)
    pc_replace_print(file, " %d", array->components);
  pc_replace_print(file, "\">\n");
  pc_replace_print(file, "<DataItem Dimensions=\"3 %d\" Format=\"XML\">%ld", rank, k);
  for (int i = 1; i < rank; i++)
    pc_replace_print(file, " 0");
  for (int i = 0; i < rank; i++)
    pc_replace_print(file, " 1");
  pc_replace_print(file, " 1");
  for (int i = 1; i < rank; i++)
    pc_replace_print(file, " %ld", size[i]);
  pc_replace_print(file, "</DataItem>\n");
  print_dataset(file, all->data, array->dataset, array->type, rank, size);
  pc_replace_print(file, "</DataItem>\n");
}

static void print_attribute(pc_replace *file, const pc_xdmf *all, const pc_xdmf_array *array,
                            long k)
{
  const char *kind = array->components == 1   ? "Scalar"
                     : array->components == 3 ? "Vector"
                     : array->components == 9 ? "Tensor"
                                              : "Matrix";
  pc_replace_print(file, "<Attribute Name=\"");
  pc_replace_xml(file, array->name, strlen(array->name));
  pc_replace_print(file, "\" AttributeType=\"%s\" Center=\"Node\">\n", kind);
  print_array(file, all, array, k);
  pc_replace_print(file, "</Attribute>\n");
}

static void print_cell_number(pc_replace *file, const pc_xdmf *all)
{
  const pc_xdmf_array *array = &all->cell_number;
  pc_replace_print(file, "<Attribute Name=\"");
  pc_replace_xml(file, array->name, strlen(array->name));
  pc_replace_print(file, "\" AttributeType=\"Scalar\" Center=\"Cell\">\n");
  print_dataset(file, all->data, array->dataset, array->type, 1, (long[]){all->cells});
  pc_replace_print(file, "</Attribute>\n");
}

static void print_frame(pc_replace *file, const pc_xdmf *all, long k)
{
  pc_replace_print(file, "<Grid Name=\"frame %ld\" GridType=\"Uniform\">\n<Time Value=\"", k);
  pc_replace_number(file, all->times[k], '"');
  pc_replace_print(file, "/>\n");
  if (all->cells > 0)
    pc_replace_print(file, "<Topology TopologyType=\"Mixed\" NumberOfElements=\"%d\">\n",
                     all->cells);
  else
    pc_replace_print(file,
                     "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%d\" "
                     "NodesPerElement=\"1\">\n",
                     all->points);
  print_dataset(file, all->data, all->index, PC_RECORD_INT, 1,
                (long[]){all->cells > 0 ? all->listed : all->points});
  pc_replace_print(file, "</Topology>\n<Geometry GeometryType=\"%s\">\n",
                   all->position.components == 2 ? "XY" : "XYZ");
  print_array(file, all, &all->position, k);
  pc_replace_print(file, "</Geometry>\n");
  for (int i = 0; i < all->attribute_count; i++)
    print_attribute(file, all, &all->attributes[i], k);
  if (all->cells > 0)
    print_cell_number(file, all);
  pc_replace_print(file, "</Grid>\n");
}

pc_status pc_xdmf_write(const char *path, const pc_xdmf *description, pc_error *error)
{
  if (description->position.components != 2 && description->position.components != 3)
    return pc_fail(error, PC_ERROR_ARGUMENT, "%s: positions have 2 or 3 components", path);
  pc_replace *file = pc_replace_begin(path, &pc_xdmf_own, error);
  if (file == NULL)
    return error != NULL ? error->status : PC_ERROR_IO;
  pc_replace_print(file, "%s", HEAD);
  for (long k = 0; k < description->frames; k++)
    print_frame(file, description, k);
  pc_replace_print(file, "</Grid>\n</Domain>\n</Xdmf>\n");
  return pc_replace_end(file, error);
}
