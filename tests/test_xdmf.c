// XDMF files are XML whatever the names in them are: Python's parser (expat) reads them.
#include "folder.h"
#include "support.h"

#include <stdbool.h>
#include <string.h>

#include "record/xdmf.h"

enum { LONGEST = 300 };

// Names as file systems allow them: all bytes but 0 and '/'.
static int draw_name(pc_random *random, char *name, int trial)
{
  static const char *const parts[] = {"&",
                                      "<",
                                      ">",
                                      "\"",
                                      "'",
                                      "]]>",
                                      "-->",
                                      "\n",
                                      "\r",
                                      "\t",
                                      "\x01",
                                      "\x1f",
                                      "\x7f",
                                      "\xff",
                                      "\xc3\xa4",
                                      "\xc3",
                                      "\xe2\x82",
                                      "\xed\xa0\x80",
                                      "\xef\xbf\xbf",
                                      "\xf0\x9f\x98\x80",
                                      "\xc0\xaf",
                                      "&amp;",
                                      "&#10;",
                                      "<!--",
                                      "<![CDATA[",
                                      "%s%n",
                                      " ",
                                      "run",
                                      ".h5",
                                      "\xc2\x85"};
  enum { PARTS = sizeof parts / sizeof *parts };
  int length = 0, wanted = trial == 0 ? LONGEST : 1 + pc_random_below(random, 40);
  while (length < wanted) {
    const char *part = parts[pc_random_below(random, PARTS)];
    char byte[2] = {(char)(1 + pc_random_below(random, 255)), 0};
    if (pc_random_below(random, 2) == 0 && byte[0] != '/')
      part = byte;
    length += snprintf(name + length, 30, "%s", part);
  }
  return length;
}

static void write_names(const char *path, int count, const char (*names)[LONGEST + 30])
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  for (int i = 0; i < count; i++)
    fwrite(names[i], 1, strlen(names[i]) + 1, file);
  assert_int_equal(fclose(file), 0);
}

// Characters that XML cannot have, and bytes that are no UTF-8, become question marks; how many is
// not compared. The rest comes out as it went in, in texts and in attributes.
static const char script[] =
    "import re, sys, xml.etree.ElementTree as tree\n"
    "def clean(name):\n"
    "    bad = '[^\\t\\n\\r\\x20-\\x7e\\x80-\\ud7ff\\ue000-\\ufffc\\U00010000-\\U0010ffff]'\n"
    "    return re.sub(r'\\?+', '?', re.sub(bad, '?', name))\n"
    "folder = sys.argv[1]\n"
    "names = open(folder + '/names', 'rb').read().split(b'\\0')[:-1]\n"
    "for k, name in enumerate(names):\n"
    "    wanted = clean(name.decode('utf-8', 'replace'))\n"
    "    root = tree.parse('%s/%d.xdmf' % (folder, k)).getroot()\n"
    "    texts = [i.text for i in root.iter('DataItem') if i.get('Format') == 'HDF']\n"
    "    titles = [i.get('Name') for i in root.iter('Attribute')]\n"
    "    assert len(texts) == 6 and len(titles) == 2, (k, len(texts), len(titles))\n"
    "    for text in texts:\n"
    "        assert clean(text).startswith(clean(wanted + ':/')), (k, name, text)\n"
    "    for title in titles:\n"
    "        assert clean(title) == wanted, (k, name, title)\n"
    "print(len(names), 'names')\n";

static void test_any_name_gives_xml(void **state)
{
  static char names[2000][LONGEST + 30];
  int count = test_count(500);
  count = count > 2000 ? 2000 : count;
  pc_random random = test_random("names in XDMF");
  for (int i = 0; i < count; i++) {
    char file[30];
    draw_name(&random, names[i], i);
    snprintf(file, sizeof file, "%d.xdmf", i);
    pc_xdmf all = {.data = names[i],
                   .points = 3,
                   .frames = 2,
                   .times = (const double[]){0, 1},
                   .position = {"position", "frames/position", PC_RECORD_DOUBLE, 3, false},
                   .index = "bodies/index",
                   .attribute_count = 1,
                   .attributes = {{names[i], "frames/speed", PC_RECORD_DOUBLE, 1, false}}};
    assert_int_equal(pc_xdmf_write(in_folder(file), &all, NULL), PC_OK);
  }
  write_names(in_folder("names"), count, (const char(*)[LONGEST + 30]) names);
  write_file("check.py", script);
  char command[300];
  snprintf(command, sizeof command, "python3 %s %s", in_folder("check.py"), folder);
  assert_int_equal(system(command), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_any_name_gives_xml)};
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
