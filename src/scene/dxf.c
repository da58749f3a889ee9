#include "scene/dxf.h"

#include <string.h>

#include "core/error.h"
#include "core/plain.h"
#include "scene/dxf_drawing.h"
#include "scene/text.h"

void pc_dxf_free(pc_dxf *dxf)
{
  pc_array_free(&dxf->layers);
  pc_array_free(&dxf->paths);
  pc_array_free(&dxf->points);
  pc_array_free(&dxf->texts);
  pc_arena_free(&dxf->arena);
}

int pc_dxf_find_layer(const pc_dxf *dxf, const char *name)
{
  pc_dxf_key wanted = pc_dxf_key_of(name);
  for (int i = 0; i < dxf->layers.count; i++)
    if (strcmp(pc_dxf_key_of(dxf->layers.at[i].name).text, wanted.text) == 0)
      return i;
  return -1;
}

typedef struct dxf_reader {
  pc_dxf_codes codes;
  pc_dxf_drawing drawing;
  pc_dxf *to;
  bool has_entities;
} dxf_reader;

// The present pair is the first of a section that nothing is read of.
static bool skip_section(dxf_reader *r)
{
  bool more = true;
  while (more && !pc_dxf_is(&r->codes, 0, "ENDSEC"))
    more = pc_dxf_next(&r->codes);
  return more;
}

static bool read_header(dxf_reader *r)
{
  pc_dxf_codes *codes = &r->codes;
  bool more = true;
  while (more && !pc_dxf_is(codes, 0, "ENDSEC")) {
    bool units = pc_dxf_is(codes, 9, "$INSUNITS");
    more = pc_dxf_next(codes);
    if (more && units && codes->code == 70)
      r->drawing.unit = pc_dxf_whole(codes);
  }
  return more && !codes->failed;
}

// Entities up to a word of code 0.
static bool read_entities(dxf_reader *r, const char *end)
{
  pc_dxf_codes *codes = &r->codes;
  while (!codes->failed && codes->at < codes->end && !pc_dxf_is(codes, 0, end)) {
    if (pc_dxf_is(codes, 0, "ENDSEC") || pc_dxf_is(codes, 0, "EOF"))
      pc_dxf_fail(codes, codes->line, "%s is where %s is expected", pc_dxf_value(codes).text, end);
    else if (codes->code != 0)
      pc_dxf_fail(codes, codes->line, "expected an entity (group code 0), found group code %d",
                  codes->code);
    else
      pc_dxf_read_entity(codes, &r->drawing, r->to);
  }
  return !codes->failed && pc_dxf_is(codes, 0, end);
}

static bool read_block(dxf_reader *r)
{
  pc_dxf_codes *codes = &r->codes;
  pc_dxf_block block = {.first = r->drawing.entities.count};
  const char *name = NULL;
  int line = codes->line;
  bool more = pc_dxf_next(codes);
  for (; more && codes->code != 0; more = pc_dxf_next(codes))
    if (codes->code == 2)
      name = pc_dxf_string(codes, &r->to->arena, false);
    else if (codes->code == 10 || codes->code == 20)
      block.base[codes->code / 10 - 1] = pc_dxf_number(codes);
  if (!more || !read_entities(r, "ENDBLK"))
    return false;
  block.count = r->drawing.entities.count - block.first;
  for (more = pc_dxf_next(codes); more && codes->code != 0;)
    more = pc_dxf_next(codes);
  if (name == NULL) {
    pc_dxf_fail(codes, line, "the block has no name (group code 2)");
    return false;
  }
  int added = pc_names_add(&r->drawing.names, pc_dxf_key_of(name).text);
  pc_dxf_block *own = added >= 0 ? pc_array_add(&r->drawing.blocks) : NULL;
  if (own != NULL)
    *own = block;
  else if (added != -1) {
    codes->failed = true;
    pc_fail(codes->error, PC_ERROR_MEMORY, "out of memory");
  }
  return more && !codes->failed; // of two blocks of one name the first counts
}

static bool read_blocks(dxf_reader *r)
{
  pc_dxf_codes *codes = &r->codes;
  bool more = true;
  while (more && !pc_dxf_is(codes, 0, "ENDSEC")) {
    if (pc_dxf_is(codes, 0, "BLOCK"))
      more = read_block(r);
    else {
      pc_dxf_fail(codes, codes->line, "expected BLOCK or ENDSEC, found group code %d, '%s'",
                  codes->code, pc_dxf_value(codes).text);
      more = false;
    }
  }
  return more;
}

static bool read_section(dxf_reader *r)
{
  pc_dxf_codes *codes = &r->codes;
  if (!pc_dxf_next(codes))
    return false;
  if (codes->code != 2) {
    pc_dxf_fail(codes, codes->line, "expected the name of the section (group code 2)");
    return false;
  }
  bool header = pc_dxf_is(codes, 2, "HEADER"), blocks = pc_dxf_is(codes, 2, "BLOCKS");
  bool entities = pc_dxf_is(codes, 2, "ENTITIES");
  if (!pc_dxf_next(codes))
    return false;
  if (!entities)
    return header ? read_header(r) : blocks ? read_blocks(r) : skip_section(r);
  int first = r->drawing.entities.count;
  r->has_entities = true;
  bool whole = read_entities(r, "ENDSEC");
  r->drawing.model = (pc_dxf_block){.first = first, .count = r->drawing.entities.count - first};
  return whole;
}

static void read_sections(dxf_reader *r)
{
  pc_dxf_codes *codes = &r->codes;
  while (pc_dxf_next(codes) && !pc_dxf_is(codes, 0, "EOF")) {
    int line = codes->line;
    if (!pc_dxf_is(codes, 0, "SECTION"))
      pc_dxf_fail(codes, line, "expected SECTION or EOF, found group code %d, '%s'", codes->code,
                  pc_dxf_value(codes).text);
    else if (!read_section(r))
      pc_dxf_fail(codes, codes->lines,
                  "the file ends within the section that starts in line %d: it "
                  "is cut off",
                  line);
  }
  if (!codes->failed && !r->has_entities)
    pc_dxf_fail(codes, 1, "the file has no section ENTITIES");
}

// Files of the same programs that are no text.
static bool check_text(dxf_reader *r, const char *text, size_t size)
{
  static const char binary[] = "AutoCAD Binary DXF";
  if (size >= sizeof binary && memcmp(text, binary, sizeof binary - 1) == 0)
    pc_dxf_fail(&r->codes, 1, "this is a binary DXF file; save it as ASCII DXF");
  else if (size > 6 && memcmp(text, "AC10", 4) == 0 &&
           memchr(text, 0, size < 64 ? size : 64) != NULL)
    pc_dxf_fail(&r->codes, 1,
                "this is a DWG file; save it as ASCII DXF, e.g. with dwg2dxf of "
                "LibreDWG or with the ODA File Converter");
  else if (memchr(text, 0, size) != NULL)
    pc_dxf_fail(&r->codes, 1,
                "this is no text: it contains a zero byte; save the plan as ASCII DXF");
  return !r->codes.failed;
}

pc_status pc_dxf_read(pc_dxf *dxf, const pc_dxf_def *def, const char *name, const char *text,
                      size_t size, pc_error *error)
{
  static const char mark[] = "\xef\xbb\xbf"; // of UTF-8
  pc_error own = {.status = PC_OK};
  dxf_reader r = {.codes = {.name = name, .at = text, .end = text + size, .error = &own},
                  .drawing = {.zero = -1},
                  .to = dxf};
  *dxf = (pc_dxf){0};
  if (size >= 3 && memcmp(text, mark, 3) == 0)
    r.codes.at += 3;
  if (check_text(&r, text, size))
    read_sections(&r);
  if (!r.codes.failed)
    pc_dxf_draw(&r.codes, &r.drawing, def, dxf);
  pc_array_free(&r.drawing.entities);
  pc_array_free(&r.drawing.vertices);
  pc_array_free(&r.drawing.blocks);
  pc_names_free(&r.drawing.names);
  pc_names_free(&r.drawing.layers);
  if (own.status != PC_OK && error != NULL)
    *error = own;
  return own.status;
}
