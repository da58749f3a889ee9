// Reading files: every bad input gives one line with file, line and the offending word; good ones
// give the problem they state.
#include "support.h"

#include <hdf5.h>
#include <string.h>
#include <unistd.h>

#include "percuss/scene.h"
#include "scene/document.h"
#include "scene/names.h"

static char path[64]; // of the file that the tests write and read

static int make_path(void **state)
{
  strcpy(path, "/tmp/percuss-scene-XXXXXX");
  int file = mkstemp(path);
  return file < 0 ? -1 : close(file);
}

static int remove_path(void **state)
{
  return unlink(path);
}

static void write_bytes(const char *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void write_text(const char *text)
{
  write_bytes(text, strlen(text));
}

static void assert_one_line(const char *text)
{
  assert_true(strlen(text) > 0 && strlen(text) < 400);
  for (const char *c = text; *c; c++)
    assert_true((unsigned char)*c >= 0x20 && *c != 0x7f);
}

// Lines 1 to 4 are a good beginning; what follows starts on line 5.
#define HEAD                                                                                       \
  "kind: impact\n"                                                                                 \
  "bodies:\n"                                                                                      \
  "  - {id: a, dof: 3, mass: 2, inertia: 0.5, position: [0, 0], velocity: [1, 0, 0]}\n"            \
  "  - {id: b, dof: 3, mass: 2, inertia: 0.5, position: [1, 0], velocity: [0, 0, 0]}\n"
#define MORE                                                                                       \
  HEAD "  - {id: c, dof: 1, mass: 1, velocity: [0]}\n"                                             \
       "  - {id: d, dof: 6, mass: 1, inertia: 1, velocity: [0, 0, 0, 0, 0, 0]}\n"                  \
       "  - {id: e, dof: 2, mass: 1, velocity: [0, 0]}\n"                                          \
       "  - {id: f, dof: 6, mass: 1, inertia: 1, velocity: [0, 0, 0, 0, 0, 0]}\n"
#define BODIES "kind: impact\nbodies:\n"
#define CONTACT "type: contact, bodies: [a, b], point: [0.5, 0], normal: [-1, 0]"
#define INELASTIC "law: {normal: {kind: inelastic}}"

typedef struct bad_file {
  const char *text;
  int line;
  const char *word; // in the message
} bad_file;

static const bad_file bad_files[] = {
    // The file.
    {"", 1, "empty"},
    {"  \n\n", 1, "empty"},
    {"# only a comment\n", 0, "empty"},
    {"[1, 2]\n", 1, "mapping"},
    {"word\n", 1, "mapping"},
    {"kind: impact\nbodies:\n  - {id: a, dof: 1\n", 3, "YAML"},
    {"kind: impact\nbodies: [\n", 2, "YAML"},
    {"kind: impact\n\tbodies: []\n", 2, "YAML"},
    {"kind: \"imp", 1, "YAML"},
    {"kind: impact\nbodies: *nowhere\n", 2, "alias"},
    {BODIES "  - {id: a, dof: 1, mass: 1}\n---\nkind: impact\n", 4, "second document"},
    {"bodies: []\n", 1, "kind"},
    {"kind: impct\nbodies: []\n", 1, "did you mean 'impact'"},
    {"kind: [impact]\nbodies: []\n", 1, "kind"},
    {"kind: identification\nbodies: []\n", 1, "'percuss identify FILE'"},
    {"kind: necklace\nbodies: []\n", 1, "known: impact, identification"},
    {"kind: impact\n", 1, "bodies"},
    {"kind: impact\nbodies: []\n", 2, "at least one body"},
    {"kind: impact\nbodies: none\n", 2, "list"},
    {"kind: impact\nbodies: {a: 1}\n", 2, "list"},
    {"kind: impact\nkind: impact\nbodies: []\n", 2, "'kind' is given twice"},
    {"kind: impact\nbodys: []\n", 2, "did you mean 'bodies'"},
    {"kind: impact\n? [1, 2]\n: 3\n", 2, "unknown key"},
    {HEAD "interactions: 3\n", 5, "list"},
    {HEAD "quasi_static: yes\n", 5, "true or false"},
    {HEAD "title: [x]\n", 5, "text"},
    // Bodies.
    {BODIES "  - 3\n", 3, "a body must be a mapping"},
    {BODIES "  - {id: a, dof: 1, mass: 1, colour: red}\n", 3, "unknown key 'colour'"},
    {BODIES "  - {id: a, dof: 1, mas: 1}\n", 3, "did you mean 'mass'"},
    {BODIES "  - {id: a, dof: 1, velocity: [1]}\n", 3, "needs the key 'mass'"},
    {BODIES "  - {dof: 1, mass: 1}\n", 3, "needs the key 'id'"},
    {BODIES "  - {id: a, mass: 1}\n", 3, "needs the key 'dof'"},
    {BODIES "  - id: a\n    dof: 1\n    mass: 1\n    mass: 2\n", 6, "'mass' is given twice"},
    {BODIES "  - {id: , dof: 1, mass: 1}\n", 3, "name"},
    {BODIES "  - {id: \"\", dof: 1, mass: 1}\n", 3, "name"},
    {BODIES "  - {id: \"a\\nb\", dof: 1, mass: 1}\n", 3, "control"},
    {BODIES "  - {id: [a], dof: 1, mass: 1}\n", 3, "name"},
    {BODIES "  - {id: a, dof: 4, mass: 1}\n", 3, "'dof' must be 1, 2, 3 or 6 (got 4)"},
    {BODIES "  - {id: a, dof: 7, mass: 1}\n", 3, "'dof' must be from 1 to 6 (got 7)"},
    {BODIES "  - {id: a, dof: 1.5, mass: 1}\n", 3, "whole number"},
    {BODIES "  - {id: a, dof: one, mass: 1}\n", 3, "'one'"},
    {BODIES "  - {id: a, dof: 1, mass: 0}\n", 3, ": 'mass' must be positive (got 0)"},
    {BODIES "  - {id: a, dof: 1, mass: -2}\n", 3, "'mass' must be positive (got -2)"},
    {BODIES "  - {id: a, dof: 1, mass: heavy}\n", 3, "'heavy'"},
    {BODIES "  - {id: a, dof: 1, mass: \"1\"}\n", 3, "number"},
    {BODIES "  - {id: a, dof: 1, mass: 0x10}\n", 3, "0x10"},
    {BODIES "  - {id: a, dof: 1, mass: 1,\n     velocity: [1 2]}\n", 4, "'1 2'"},
    {BODIES "  - {id: a, dof: 1, mass: 1e400}\n", 3, "too large"},
    {BODIES "  - {id: a, dof: 1, mass: nan}\n", 3, "'nan'"},
    {BODIES "  - {id: a, dof: 1, mass: .NaN}\n", 3, "'.NaN'"},
    {BODIES "  - {id: a, dof: 1, mass: -.inf}\n", 3, "finite"},
    {BODIES "  - {id: a, dof: 1, mass: ~}\n", 3, "number"},
    {BODIES "  - {id: a, dof: 1, mass: $k}\n", 3, "'$k'"},
    {BODIES "  - {id: a, dof: 1, mass: 1, velocity: [.inf]}\n", 3,
     "'velocity' must be finite (got .inf)"},
    {BODIES "  - {id: a, dof: 1, mass: 1, velocity: [NaN]}\n", 3, "'NaN'"},
    {BODIES "  - {id: a, dof: 1, mass: 1, velocity: 1}\n", 3, "list of 1 number,"},
    {BODIES "  - {id: a, dof: 2, mass: 1, velocity: [1]}\n", 3, "list of 2 numbers, found 1"},
    {BODIES "  - {id: a, dof: 2, mass: 1, position: [1, 2, 3]}\n", 3, "found 3"},
    {BODIES "  - {id: a, dof: 2, mass: 1, percussion: [1]}\n", 3, "found 1"},
    {BODIES "  - {id: a, dof: 3, mass: 1}\n", 3, "inertia"},
    {BODIES "  - {id: a, dof: 6, mass: 1}\n", 3, "inertia"},
    {BODIES "  - {id: a, dof: 2, mass: 1, inertia: 1}\n", 3, "does not rotate"},
    {BODIES "  - {id: a, dof: 3, mass: 1, inertia: 0}\n", 3, "must be positive"},
    {BODIES "  - {id: a, dof: 3, mass: 1, inertia: [1, 1, 1]}\n", 3, "number"},
    {BODIES "  - {id: a, dof: 6, mass: 1, inertia: [1, 1]}\n", 3, "found 2"},
    {BODIES "  - {id: a, dof: 6, mass: 1, inertia: [1, -1, 1]}\n", 3, "-1"},
    {BODIES "  - {id: a, dof: 6, mass: 1, inertia: [1, 3.1, 2]}\n", 3, "3.1, exceeds"},
    // Moments 2, 2 and 4.1, turned by 45 degrees about y.
    {BODIES
     "  - id: a\n    dof: 6\n    mass: 1\n    inertia: [[3.05, 0, 1.05], [0, 2, 0], [1.05, 0, "
     "3.05]]\n",
     6, "4.1, exceeds the sum of the other two, 4"},
    {BODIES "  - {id: a, dof: 6, mass: 1, inertia: [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}\n", 3,
     "must be symmetric"},
    {BODIES "  - {id: a, dof: 6, mass: 1, inertia: [[1, 2, 0], [2, 1, 0], [0, 0, 1]]}\n", 3,
     "must be positive definite"},
    {BODIES "  - {id: a, dof: 6, mass: 1, inertia: [[1, 0], [0, 1], [0, 0]]}\n", 3, "found 2"},
    {HEAD "  - {id: a, dof: 1, mass: 1}\n", 5, "two bodies have the id 'a'"},
    {BODIES "  - {id: 1, dof: 1, mass: 1}\n  - {id: '1', dof: 1, mass: 1}\n", 4, "'1'"},
    // Interactions.
    {HEAD "interactions:\n  - contact\n", 6, "mapping"},
    {HEAD "interactions:\n  - {bodies: [a, b]}\n", 6, "needs the key 'type'"},
    {HEAD "interactions:\n  - {type: contakt, bodies: [a, b]}\n", 6, "did you mean 'contact'"},
    {HEAD "interactions:\n  - {" CONTACT ", " INELASTIC ", stiffness: 3}\n", 6, "'stiffness'"},
    {HEAD "interactions:\n  - {" CONTACT "}\n", 6, "needs the key 'law'"},
    {HEAD "interactions:\n  - {type: contact, bodies: [a, b], point: [0, 0], " INELASTIC "}\n", 6,
     "needs the key 'normal'"},
    {HEAD "interactions:\n  - {type: contact, bodies: [a, b], normal: [1, 0], " INELASTIC "}\n", 6,
     "'point'"},
    {HEAD "interactions:\n  - {type: contact, bodies: [a, z], point: [0, 0], normal: [1, "
          "0], " INELASTIC "}\n",
     6, "unknown body id 'z'"},
    {HEAD "interactions:\n  - {type: contact, bodies: [], point: [0, 0], normal: [1, 0], " INELASTIC
          "}\n",
     6, "one or two bodies"},
    {HEAD "interactions:\n  - {type: contact, bodies: [a, b, a], point: [0, 0], normal: [1, "
          "0], " INELASTIC "}\n",
     6, "(got 3)"},
    {HEAD "interactions:\n  - {type: contact, bodies: a, point: [0, 0], normal: [1, 0], " INELASTIC
          "}\n",
     6, "list"},
    {HEAD "interactions:\n  - {type: contact, bodies: [a, a], point: [0, 0], normal: [1, "
          "0], " INELASTIC "}\n",
     6, "itself"},
    {HEAD "interactions:\n  - {type: contact, bodies: [a, b], point: [0, 0], normal: [0, "
          "0], " INELASTIC "}\n",
     6, "must not be zero"},
    {HEAD "interactions:\n  - {type: contact, bodies: [a, b], point: [0, 0],\n     normal: [0, 0, "
          "1], " INELASTIC "}\n",
     7, "found 3"},
    {HEAD "interactions:\n  - {type: contact, bodies: [a, b], point: [0], normal: [1, "
          "0], " INELASTIC "}\n",
     6, "found 1"},
    {MORE "interactions:\n  - {type: contact, bodies: [a, c], point: [0, 0], normal: [1, "
          "0], " INELASTIC "}\n",
     10, ") have different dimensions and cannot interact"},
    {MORE "interactions:\n  - {type: contact, bodies: [e, d], point: [0, 0], normal: [1, "
          "0], " INELASTIC "}\n",
     10, ") have different dimensions and cannot interact"},
    {MORE "interactions:\n  - {type: contact, bodies: [c], normal: [2], " INELASTIC "}\n", 10,
     "[1] or [-1]"},
    {MORE "interactions:\n  - {type: contact, bodies: [c], point: [0], normal: [1], " INELASTIC
          "}\n",
     10, "no point"},
    {MORE "interactions:\n  - {type: contact, bodies: [c], normal: [1], law: {normal: {kind: "
          "inelastic}, tangential: {kind: viscous, k: 1}}}\n",
     10, "tangential"},
    {HEAD "interactions:\n  - {" CONTACT ", " INELASTIC ", bound: x}\n", 6, "'x'"},
    {HEAD "interactions:\n  - {" CONTACT ", " INELASTIC ", given: 1}\n", 6, "list of 2"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: penetrable, k: 1, k0: 1}},\n"
          "     bound: 0.1}\n",
     7, "bound"},
    {HEAD "interactions:\n  - {type: spin, bodies: [a, b], law: {kind: quadratic, k: 1},\n     "
          "bound: 0.1}\n",
     7, "bound"},
    {HEAD "interactions:\n  - {type: distance, bodies: [a, b], points: [[0, 0], [1, 0]],\n    law: "
          "{kind: quadratic, k: 1},\n    bound: -1}\n",
     8, "bound"},
    // Laws.
    {HEAD "interactions:\n  - {" CONTACT ", law: {kind: quadratic, k: 1}}\n", 6, "'kind'"},
    {HEAD "interactions:\n  - {" CONTACT ", law: quadratic}\n", 6, "mapping"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {tangential: {kind: none}}}\n", 6,
     "needs the key 'normal'"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: quadratic}}\n", 6, "mapping"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {k: 3}}}\n", 6, "needs the key 'kind'"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: quadratc, k: 3}}}\n", 6,
     "did you mean 'quadratic'"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: quadratic}}}\n", 6,
     "needs the key 'k'"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: quadratic, k: -1}}}\n", 6,
     "must not be negative"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: quadratic, k: inf}}}\n", 6,
     "finite"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: quadratic, k: 1, e: 0}}}\n", 6,
     "unknown key 'e'"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: power, k: 1, p: 1}}}\n", 6,
     "greater than 1"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: power, k: 1}}}\n", 6, "'p'"},
    {HEAD "interactions:\n  - {" CONTACT
          ", law: {normal: {kind: threshold, k: 1, k0: 1, u_lim: -1}}}\n",
     6, "-1"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: penetrable, k: 1}}}\n", 6, "'k0'"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: restitution, e: 1.1}}}\n", 6,
     "must be at most 1"},
    {HEAD "interactions:\n  - {" CONTACT ", law: {normal: {kind: restitution, e: -0.1}}}\n", 6,
     "'e' must not be negative (got -0.1)"},
    {HEAD "interactions:\n  - {" CONTACT
          ", law: {normal: {kind: inelastic},\n     tangential: {kind: coulomb, mu: -0.1}}}\n",
     7, "-0.1"},
    {HEAD "interactions:\n  - {" CONTACT
          ", law: {normal: {kind: inelastic}, tangential: {kind: coulomb}}}\n",
     6, "'mu'"},
    {HEAD "interactions:\n  - {" CONTACT
          ", law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 1, on: befor}}}\n",
     6, "mean, after, moreau"},
    {HEAD "interactions:\n  - {" CONTACT
          ", law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: [1, 2], axis: [1, 0, "
          "0]}}}\n",
     6, "dof 6"},
    {HEAD "interactions:\n  - {" CONTACT
          ", law: {normal: {kind: bilateral}, tangential: {kind: coulomb, mu: 1}}}\n",
     6, "bilateral"},
    {HEAD "interactions:\n  - {" CONTACT
          ", law: {normal: {kind: inelastic}, tangential: {kind: sticky}}}\n",
     6, "'sticky'"},
    {HEAD "interactions:\n  - {" CONTACT
          ", law: {normal: {kind: inelastic}, tangential: {kind: viscous}}}\n",
     6, "'k'"},
    {MORE "interactions:\n  - {type: contact, bodies: [d, f], point: [0, 0, 0], normal: [1, 0, 0], "
          "law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: [1, 2]}}}\n",
     10, "axis"},
    {MORE
     "interactions:\n  - {type: contact, bodies: [d, f], point: [0, 0, 0], normal: [1, 0, 0], "
     "law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: 1, axis: [0, 1, 0]}}}\n",
     10, "axis"},
    {MORE "interactions:\n  - {type: contact, bodies: [d, f], point: [0, 0, 0], normal: [1, 0, 0], "
          "law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: [1, 2], axis: [0, 0, "
          "0]}}}\n",
     10, "axis"},
    {MORE "interactions:\n  - {type: contact, bodies: [d, f], point: [0, 0, 0], normal: [1, 0, 0], "
          "law: {normal: {kind: inelastic}, tangential: {kind: coulomb, mu: [1, 2], axis: [1, 0, "
          "0]}}}\n",
     10, "axis"},
    // Distance and spin.
    {HEAD "interactions:\n  - {type: distance, bodies: [a, b], law: {kind: quadratic, k: 1}}\n", 6,
     "'points'"},
    {HEAD "interactions:\n  - {type: distance, bodies: [a, b], points: [[0, 0]], law: {kind: "
          "quadratic, k: 1}}\n",
     6, "two points"},
    {HEAD "interactions:\n  - {type: distance, bodies: [a, b], points: [[0, 0], [0]], law: {kind: "
          "quadratic, k: 1}}\n",
     6, "found 1"},
    {HEAD "interactions:\n  - {type: distance, bodies: [a, b], points: [[1, 2], [1, 2]], law: "
          "{kind: quadratic, k: 1}}\n",
     6, "the two points must differ"},
    {HEAD "interactions:\n  - {type: distance, bodies: [a, b], points: [[1, 2], [1, 3]], law: "
          "{kind: inelastic}}\n",
     6, "'inelastic'"},
    {HEAD "interactions:\n  - {type: distance, bodies: [a, b], points: [[1, 2], [1, 3]], law: "
          "{normal: {kind: quadratic, k: 1}}}\n",
     6, "'normal'"},
    {MORE "interactions:\n  - {type: spin, bodies: [c], law: {kind: quadratic, k: 1}}\n", 10,
     ") cannot rotate; a spin interaction needs dof 3 or 6"},
    {MORE "interactions:\n  - {type: spin, bodies: [a, e], law: {kind: quadratic, k: 1}}\n", 10,
     "'e'"},
    {HEAD "interactions:\n  - {type: spin, bodies: [a, b], law: {kind: power, k: 1, p: 3}}\n", 6,
     "'power'"},
    {HEAD
     "interactions:\n  - {type: spin, bodies: [a, b], normal: [1, 0], law: {kind: quadratic, k: "
     "1}}\n",
     6, "'normal'"},
};

static void assert_refused(const char *text, size_t size, int line, const char *word)
{
  write_bytes(text, size);
  pc_scene_impact scene;
  pc_error error = {.status = PC_OK};
  pc_status status = pc_scene_read_impact(path, &scene, &error);
  if (status == PC_OK)
    fail_msg("accepted: %.*s", (int)size, text);
  assert_int_equal(status, PC_ERROR_INPUT);
  assert_int_equal(error.status, PC_ERROR_INPUT);
  assert_one_line(error.text);
  assert_null(scene.problem);
  char start[100];
  if (line > 0)
    snprintf(start, sizeof start, "%s:%d: ", path, line);
  else
    snprintf(start, sizeof start, "%s:", path);
  if (strncmp(error.text, start, strlen(start)) != 0 || strstr(error.text, word) == NULL)
    fail_msg("'%s' should start with '%s' and have '%s'", error.text, start, word);
}

static void bad_files_are_named_with_their_line(void **state)
{
  for (size_t i = 0; i < sizeof bad_files / sizeof bad_files[0]; i++)
    assert_refused(bad_files[i].text, strlen(bad_files[i].text), bad_files[i].line,
                   bad_files[i].word);
}

static void bytes_that_are_no_text_are_refused(void **state)
{
  assert_refused("kind: imp\0act\n", 14, 1, "not a text file");
  assert_refused("kind: impact\nbodies: \033[31m\n", 28, 2, "not a text file");
  assert_refused("kind: impact\ntitle: \xff\xfe\n", 23, 2, "not a text file");
  assert_refused("\xff\xfek\0i\0n\0d\0", 10, 1, "in UTF-16; save it as UTF-8"); // UTF-16
  assert_refused("kind: impact\ntitle: \xc3", 21, 2, "not a text file");
}

static void what_is_echoed_is_short_and_clean(void **state)
{
  static char text[20000];
  // A very long unknown key, an escape sequence in a key, and one cut inside a UTF-8 character.
  strcpy(text, "kind: impact\n\"");
  memset(text + strlen(text), 'k', 900);
  strcat(text, "\": 1\n");
  assert_refused(text, strlen(text), 2, "unknown key 'kkk");
  const char *escape = "kind: impact\n\"red \\e[31m\\n\": 1\n";
  assert_refused(escape, strlen(escape), 2, "unknown key 'red  [31m '");
  strcpy(text, "kind: impact\n");
  for (int i = 0; i < 100; i++)
    strcat(text, "é");
  strcat(text, ": 1\n");
  assert_refused(text, strlen(text), 2, "é...'");
}

// Text that would make a reader slow or deep.
static void bombs_are_harmless(void **state)
{
  enum { SIZE = 1 << 20 };
  char *text = malloc(SIZE + 1);
  assert_non_null(text);
  memset(text, '[', SIZE);
  assert_refused(text, SIZE, 1, "nested too deeply");
  memset(text, '{', SIZE);
  assert_refused(text, SIZE, 1, "nested too deeply");
  for (int i = 0; i < SIZE; i++)
    text[i] = i % 2 ? ' ' : '-';
  assert_refused(text, SIZE, 1, "nested too deeply");
  size_t used = 0;
  for (int i = 0; i < 2000; i++)
    used += (size_t)sprintf(text + used, "k%d: &a%d 1\n", i, i);
  assert_refused(text, used, 1001, "too many anchors");
  const char *laughs = "kind: impact\n"
                       "title: &a [x, x, x, x, x, x, x, x, x, x]\n"
                       "bodies: &b [*a, *a, *a, *a, *a, *a, *a, *a]\n"
                       "interactions: [*b, *b, *b, *b, *b, *b, *b, *b]\n";
  assert_refused(laughs, strlen(laughs), 2, "text");
  const char *circle = "kind: impact\nbodies: &a [*a]\n";
  assert_refused(circle, strlen(circle), 2, "a body must be a mapping");
  free(text);
}

static void missing_and_unreadable_files_say_so(void **state)
{
  pc_scene_impact scene;
  pc_error error;
  assert_int_equal(pc_scene_read_impact("/tmp/no/such/file.yaml", &scene, &error), PC_ERROR_IO);
  assert_non_null(strstr(error.text, "file.yaml: cannot be opened"));
  assert_int_equal(pc_scene_read_impact("/tmp", &scene, &error), PC_ERROR_IO);
  assert_non_null(strstr(error.text, "it is a folder"));
  assert_int_equal(pc_scene_read_impact("/tmp/no/such/file.yaml", &scene, NULL), PC_ERROR_IO);
}

static pc_scene_impact read_good(const char *text)
{
  write_text(text);
  pc_scene_impact scene;
  pc_error error = {.status = PC_OK};
  assert_ok(pc_scene_read_impact(path, &scene, &error), &error);
  return scene;
}

static const char good_text[] =
    "# all that a file can have\n"
    "kind: impact\n"
    "title: 'A title: with a colon'\n"
    "quasi_static: false\n"
    "bodies:\n"
    "  - {id: 1, dof: 1, mass: 1, velocity: [1]}\n"
    "  - {id: two, dof: 1, mass: inf, velocity: [0]}\n"
    "  - {id: 'drei', dof: 2, mass: 2.5e0, velocity: [1, 0], percussion: [0, -1]}\n"
    "  - {id: d3, dof: 3, mass: .inf, inertia: \"inf\", position: [1, 1], velocity: [0, 0, 0]}\n"
    "  - {id: d4, dof: 3, mass: 1, inertia: 0.5}\n"
    "  - {id: s1, dof: 6, mass: 1, inertia: 0.4, position: [0, 0, 0], velocity: [1, 0, 0, 0, 0, "
    "0]}\n"
    "  - {id: s2, dof: 6, mass: 1, inertia: [1, 2, 3], position: [2, 0, 0]}\n"
    "  - id: s3\n"
    "    dof: 6\n"
    "    mass: 1\n"
    "    inertia: [[2, 0.5, 0], [0.5, 2, 0], [0, 0, 2]]\n"
    "    position: [4, 0, 0]\n"
    "interactions:\n"
    "  - {type: contact, bodies: [1, two], normal: [-1], law: {normal: {kind: power, k: 1, p: "
    "1.5}}}\n"
    "  - {type: contact, bodies: ['1'], normal: [1], law: {normal: {kind: threshold, k: 1, k0: 1, "
    "u_lim: 0}}, bound: 0.1, given: 0.5}\n"
    "  - {type: contact, bodies: [1], normal: [1], law: {normal: {kind: penetrable, k: 1, k0: 1}}, "
    "given: [0.5]}\n"
    "  - type: contact\n"
    "    bodies: [drei, d3]\n"
    "    point: [0, 0]\n"
    "    normal: [0, 3]\n"
    "    law: &steel {normal: {kind: quadratic, k: 4}, tangential: {kind: coulomb, mu: 0.3, on: "
    "mean}}\n"
    "  - {type: contact, bodies: [d4], point: [0, 0], normal: [0, 1], law: *steel, given: [0, 1]}\n"
    "  - {type: contact, bodies: [s1, s2], point: [1, 0, 0], normal: [-1, 0, 0], law: {normal: "
    "{kind: "
    "restitution, e: 0.5}, tangential: {kind: coulomb, mu: [0.3, 0.5], axis: [0, 1, 0], on: "
    "moreau}}}\n"
    "  - {type: contact, bodies: [s2, s3], point: [3, 0, 0], normal: [-1, 0, 0], law: {normal: "
    "{kind: "
    "bilateral}, tangential: {kind: bilateral}}}\n"
    "  - {type: contact, bodies: [s2, s3], point: [3, 0, 0], normal: [-1, 0, 0], law: {normal: "
    "{kind: "
    "inelastic}, tangential: {kind: none}}}\n"
    "  - {type: distance, bodies: [s1, s3], points: [[1, 0, 0], [3, 0, 0]], law: {kind: power, k: "
    "1, "
    "p: 3}, given: 0.1}\n"
    "  - {type: distance, bodies: [s1], points: [[1, 0, 0], [3, 0, 0]], law: {kind: bilateral}}\n"
    "  - {type: spin, bodies: [s1, s2], law: {kind: quadratic, k: 1}, given: [0, 0, 1]}\n"
    "  - {type: spin, bodies: [d4], law: {kind: bilateral}, given: 1}\n";

static void everything_a_file_can_have_is_read(void **state)
{
  pc_scene_impact scene = read_good(good_text);
  assert_string_equal(scene.title, "A title: with a colon");
  assert_false(scene.quasi_static);
  assert_false(scene.fclib);
  assert_int_equal(scene.bodies, 8);
  assert_int_equal(pc_impact_bodies(scene.problem), 8);
  assert_int_equal(pc_impact_interactions(scene.problem), 12);
  assert_string_equal(scene.body_ids[0], "1");
  assert_string_equal(scene.body_ids[2], "drei");
  assert_near(scene.before[5][0], 1, 0);
  assert_int_equal(scene.pairs[3][0], 2);
  assert_int_equal(scene.pairs[3][1], 3);
  assert_int_equal(scene.pairs[4][1], PC_OBSTACLE);
  assert_int_equal(pc_impact_interaction_type(scene.problem, 8), PC_DISTANCE);
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(scene.problem, NULL, &info), PC_OK);
  pc_scene_impact_free(&scene);
}

// A thin plate has its largest moment equal to the sum of the others, however it is turned.
static void the_inertia_of_a_plate_is_accepted(void **state)
{
  static const char *const plates[] = {
      "[1, 2, 3]",   "[1e-200, 1e-200, 2e-200]",          "[1e200, 2e200, 1e200]", "[1e-9, 1, 1]",
      "[1, 1, inf]", "[[3, 0, 1], [0, 2, 0], [1, 0, 3]]",
  };
  for (size_t i = 0; i < sizeof plates / sizeof plates[0]; i++) {
    char text[200];
    snprintf(text, sizeof text, BODIES "  - {id: a, dof: 6, mass: 1, inertia: %s}\n", plates[i]);
    pc_scene_impact scene = read_good(text);
    pc_scene_impact_free(&scene);
  }
}

static void json_is_read_as_it_is_written_by_machines(void **state)
{
  pc_scene_impact scene = read_good(
      "{\"kind\":\"impact\",\"bodies\":[{\"id\":\"a\",\"dof\":1,\"mass\":1,\"velocity\":[2]},"
      "{\"id\":\"b\",\"dof\":1,\"mass\":3.0,\"velocity\":[-1.0E0]}],\n\t\"interactions\":[\n\t\t{"
      "\"type\":\"contact\",\"bodies\":[\"a\",\"b\"],\"normal\":[-1],\"law\":{\"normal\":{"
      "\"kind\":\"quadratic\",\"k\":4.5}}}]}");
  pc_solve_info info;
  double v;
  assert_int_equal(pc_impact_solve(scene.problem, NULL, &info), PC_OK);
  pc_impact_velocity(scene.problem, 0, &v);
  assert_near(v, -1.375, 1e-9);
  pc_impact_velocity(scene.problem, 1, &v);
  assert_near(v, 0.125, 1e-9);
  pc_scene_impact_free(&scene);
}

// The three disks of figure 4.3, all three types of interaction in one answer.
static void three_disks_of_the_book(void **state)
{
  pc_scene_impact scene = read_good(
      "kind: impact\n"
      "bodies:\n"
      "  - {id: 1, dof: 3, mass: 1, inertia: 0.5, position: [0, 0], velocity: [1, 0, 1]}\n"
      "  - {id: 2, dof: 3, mass: 1, inertia: 0.5, position: [2, 0]}\n"
      "  - {id: 3, dof: 3, mass: 1, inertia: 0.5, position: [2, 2]}\n"
      "interactions:\n"
      "  - {type: contact, bodies: [1, 2], point: [1, 0], normal: [-1, 0], law: &k {normal: {kind: "
      "quadratic, k: 1}, tangential: {kind: viscous, k: 1}}}\n"
      "  - {type: contact, bodies: [2, 3], point: [2, 1], normal: [0, -1], law: *k}\n"
      "  - {type: distance, bodies: [1, 3], points: [[1, 0], [2, 1]], law: {kind: quadratic, k: "
      "1}}\n");
  static const double expected[3][3] = {{0.1712408195, -0.5040587553, -0.0081175106},
                                        {0.478546579, 0.1368380363, -0.3076923077},
                                        {0.3502126015, 0.367220719, 0.7004252029}};
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(scene.problem, NULL, &info), PC_OK);
  for (int i = 0; i < 3; i++) {
    double v[3];
    pc_impact_velocity(scene.problem, i, v);
    for (int c = 0; c < 3; c++)
      assert_near(v[c], expected[i][c], 1e-9);
  }
  pc_scene_impact_free(&scene);
}

static void parameters_stand_for_numbers(void **state)
{
  pc_error error;
  const char *text = "a: $k\nb: $nu\nc: [$k, 1]\n";
  pc_document *document = pc_document_parse("text", text, strlen(text), &error);
  pc_node root = pc_document_root(document);
  const char *names[] = {"k"};
  double values[] = {2.5}, vector[2];
  bool used[] = {false};
  pc_parameters parameters = {1, names, values, used};
  pc_document_set_parameters(document, &parameters);
  assert_near(pc_read_number_in(pc_get(root, "a"), (pc_limits){.kind = PC_ABOVE}), 2.5, 0);
  assert_int_equal(pc_read_vector_in(pc_get(root, "c"), 2, 2, pc_any(), vector), 2);
  assert_near(vector[0], 2.5, 0);
  assert_true(used[0]);
  assert_int_equal(pc_document_status(document, &error), PC_OK);
  pc_read_number_in(pc_get(root, "a"), (pc_limits){.kind = PC_ABOVE, .low = 3});
  assert_int_equal(pc_document_status(document, &error), PC_ERROR_INPUT);
  assert_string_equal(error.text, "text:1: 'a' must be greater than 3 (got $k = 2.5)");
  pc_document_forgive(document);
  pc_read_number_in(pc_get(root, "b"), pc_any());
  assert_int_equal(pc_document_status(document, &error), PC_ERROR_INPUT);
  assert_string_equal(error.text, "text:2: unknown parameter '$nu'");
  // The first complaint is kept, and later reads are harmless.
  assert_near(pc_read_number_in(pc_get(root, "a"), pc_any()), 0, 0);
  assert_false(pc_is_present(pc_item(root, 0)));
  assert_false(pc_is_present(pc_pair_key(root, 99)));
  assert_int_equal(pc_document_close(document, &error), PC_ERROR_INPUT);
  assert_string_equal(error.text, "text:2: unknown parameter '$nu'");
}

static void names_are_found_again(void **state)
{
  pc_names names = {0};
  char name[20];
  assert_int_equal(pc_names_find(&names, "0"), -1);
  for (int i = 0; i < 1000; i++) {
    snprintf(name, sizeof name, "%d", i * 7);
    assert_int_equal(pc_names_add(&names, name), i);
  }
  for (int i = 0; i < 1000; i++) {
    snprintf(name, sizeof name, "%d", i * 7);
    assert_int_equal(pc_names_find(&names, name), i);
    assert_int_equal(pc_names_add(&names, name), -1);
    snprintf(name, sizeof name, "%d", i * 7 + 1);
    assert_int_equal(pc_names_find(&names, name), -1);
  }
  pc_names_free(&names);
}

// Changes, drops, doubles and cuts pieces of a text. Returns the new size, at most `capacity`.
static size_t mutate(pc_random *random, const char *from, size_t size, char *to, size_t capacity)
{
  static const char alphabet[] = "{}[]:,-&*!|>%@`'\"#$.?~ \n\t0123456789einfa";
  static const char *const words[] = {"null",   ".inf", ".nan", "-1", "1e400", "[]", "{}", "$k",
                                      "*steel", "<<:",  "6",    "''", "[[",    "0",  ": ", "\n- "};
  memcpy(to, from, size);
  int changes = 1 + pc_random_below(random, 6);
  for (int k = 0; k < changes && size > 0; k++) {
    size_t place = (size_t)pc_random_below(random, (int)size);
    size_t length = 1 + (size_t)pc_random_below(random, 20);
    if (length > size - place)
      length = size - place;
    const char *word = words[pc_random_below(random, sizeof words / sizeof words[0])];
    switch (pc_random_below(random, 6)) {
    case 0:
      to[place] = alphabet[pc_random_below(random, sizeof alphabet - 1)];
      break;
    case 1:
      to[place] = (char)pc_random_below(random, 256);
      break;
    case 2:
      memmove(to + place, to + place + length, size - place - length);
      size -= length;
      break;
    case 3:
      if (size + length <= capacity) {
        memmove(to + place + length, to + place, size - place);
        size += length;
      }
      break;
    case 4:
      if (size + strlen(word) <= capacity) {
        memmove(to + place + strlen(word), to + place, size - place);
        memcpy(to + place, word, strlen(word));
        size += strlen(word);
      }
      break;
    default:
      if (pc_random_below(random, 4) == 0)
        size = place;
    }
  }
  return size;
}

static void check_reading(void)
{
  pc_scene_impact scene;
  pc_error error = {.status = PC_OK};
  if (pc_scene_read_impact(path, &scene, &error) == PC_OK) {
    assert_non_null(scene.problem);
    // What was accepted can be asked: an answer of finite numbers, or a failure that says so.
    pc_solve_options options = pc_solve_options_default();
    options.max_iterations = 100;
    pc_solve_info info;
    if (pc_impact_solve(scene.problem, &options, &info) == PC_OK && info.status != PC_FAILED)
      for (int i = 0; i < scene.bodies; i++) {
        double velocity[6];
        pc_impact_velocity(scene.problem, i, velocity);
        for (int c = 0; c < pc_impact_dof(scene.problem, i); c++)
          assert_true(isfinite(velocity[c]));
      }
    pc_scene_impact_free(&scene);
  } else {
    assert_one_line(error.text);
    assert_null(scene.problem);
    assert_int_equal(strncmp(error.text, path, strlen(path)), 0);
  }
}

static void mutated_files_are_refused_or_solved(void **state)
{
  pc_random random = test_random("mutated files");
  char text[2 * sizeof good_text];
  int count = test_count(4000);
  for (int i = 0; i < count; i++) {
    size_t size = mutate(&random, good_text, sizeof good_text - 1, text, sizeof text);
    write_bytes(text, size);
    check_reading();
  }
}

static void cut_files_are_refused_or_solved(void **state)
{
  for (size_t size = 0; size < sizeof good_text; size += 7) {
    write_bytes(good_text, size);
    check_reading();
  }
}

static void noise_is_refused(void **state)
{
  pc_random random = test_random("noise");
  char text[300];
  for (int i = 0; i < test_count(2000); i++) {
    size_t size = 1 + (size_t)pc_random_below(&random, sizeof text - 1);
    bool printable = i % 2;
    for (size_t k = 0; k < size; k++)
      text[k] =
          (char)(printable ? 32 + pc_random_below(&random, 95) : pc_random_below(&random, 256));
    write_bytes(text, size);
    pc_scene_impact scene;
    pc_error error;
    assert_int_equal(pc_scene_read_impact(path, &scene, &error), PC_ERROR_INPUT);
    assert_one_line(error.text);
  }
}

static void put(hid_t file, const char *name, hid_t type, hsize_t count, const void *values)
{
  hid_t links = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(links, 1);
  hid_t space = H5Screate_simple(1, &count, NULL);
  hid_t set = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
  assert_true(set >= 0);
  assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
  H5Dclose(set);
  H5Sclose(space);
  H5Pclose(links);
}

static void put_integers(hid_t file, const char *group, const char *name, int count,
                         const int *values)
{
  char place[100];
  snprintf(place, sizeof place, "%s/%s", group, name);
  put(file, place, H5T_NATIVE_INT, (hsize_t)count, values);
}

static void put_doubles(hid_t file, const char *group, const char *name, int count,
                        const double *values)
{
  char place[100];
  snprintf(place, sizeof place, "%s/%s", group, name);
  put(file, place, H5T_NATIVE_DOUBLE, (hsize_t)count, values);
}

// A dense matrix in one of the three formats: 0 triplets, -1 compressed columns, -2 rows.
static void put_matrix(hid_t file, const char *group, int rows, int columns, const double *dense,
                       int format)
{
  int i[200], p[200], nz = 0, lines = format == -2 ? rows : columns;
  double x[200];
  for (int line = 0; line < lines; line++) {
    if (format != 0)
      p[line] = nz;
    for (int k = 0; k < (format == -2 ? columns : rows); k++) {
      int row = format == -2 ? line : k, column = format == -2 ? k : line;
      double value = dense[row * columns + column];
      if (value == 0)
        continue;
      i[nz] = format == -2 ? column : row;
      if (format == 0)
        p[nz] = column;
      x[nz++] = value;
    }
  }
  if (format != 0)
    p[lines] = nz;
  put_integers(file, group, "m", 1, &rows);
  put_integers(file, group, "n", 1, &columns);
  put_integers(file, group, "nz", 1, format == 0 ? &nz : &format);
  put_integers(file, group, "nzmax", 1, &nz);
  put_integers(file, group, "i", nz, i);
  put_integers(file, group, "p", format == 0 ? nz : lines + 1, p);
  put_doubles(file, group, "x", nz, x);
}

// A point of mass 2 on a plane with mu = 0.5, three percussions: the answer is known.
//   f = (1, 0, -4): sticks? |f_T| = 1 <= mu 4: yes; f = (3, 0, -4): slides with (3 - 2)/2 = 0.5;
//   f = (1, 0, 4): leaves with f / 2.
static const struct {
  double f[3], u[3], r[3]; // f in x, y, z; u and r in N, T1, T2 with N = z, T1 = x, T2 = y
} points[] = {{{1, 0, -4}, {0, 0, 0}, {4, -1, 0}},
              {{3, 0, -4}, {0, 0.5, 0}, {4, -2, 0}},
              {{1, 0, 4}, {2, 0.5, 0}, {0, 0, 0}}};

static void check_points(const pc_scene_impact *scene)
{
  pc_solve_options options = pc_solve_options_default();
  options.tolerance = 1e-12;
  pc_solve_info info;
  assert_true(scene->fclib);
  assert_int_equal(pc_impact_interactions(scene->problem), 3);
  assert_int_equal(pc_impact_solve(scene->problem, &options, &info), PC_OK);
  assert_int_equal(info.status, PC_SOLVED);
  for (int c = 0; c < 3; c++) {
    pc_interaction_answer answer;
    pc_impact_answer(scene->problem, c, &answer);
    for (int i = 0; i < 3; i++) {
      assert_near(answer.after[i], points[c].u[i], 1e-9);
      assert_near(-answer.percussion[i], points[c].r[i], 1e-9);
    }
  }
}

static void write_global(int format, bool half)
{
  double mass[81] = {0}, h[81] = {0}, f[9], w[9] = {0}, mu[3] = {0.5, 0.5, 0.5};
  static const int axis[3] = {2, 0, 1}; // of N, T1 and T2
  int space = 3;
  for (int c = 0; c < 3; c++)
    for (int i = 0; i < 3; i++) {
      mass[(3 * c + i) * 10] = 2;
      h[(3 * c + axis[i]) * 9 + 3 * c + i] = 1;
      f[3 * c + i] = points[c].f[i];
    }
  // `half`: one triangle of a matrix that is not diagonal. The first point sticks, v = 0, so that
  // its answer is the same.
  if (half)
    mass[0 * 9 + 1] = 1;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_integers(file, "/fclib_global", "spacedim", 1, &space);
  put_matrix(file, "/fclib_global/M", 9, 9, mass, format);
  put_matrix(file, "/fclib_global/H", 9, 9, h, format);
  put_doubles(file, "/fclib_global/vectors", "f", 9, f);
  put_doubles(file, "/fclib_global/vectors", "w", 9, w);
  put_doubles(file, "/fclib_global/vectors", "mu", 3, mu);
  H5Fclose(file);
}

static void write_local(int format)
{
  double response[81] = {0}, q[9], mu[3] = {0.5, 0.5, 0.5};
  static const int axis[3] = {2, 0, 1};
  int space = 3;
  for (int k = 0; k < 9; k++) {
    response[k * 10] = 0.5;
    q[k] = points[k / 3].f[axis[k % 3]] / 2;
  }
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_integers(file, "/fclib_local", "spacedim", 1, &space);
  put_matrix(file, "/fclib_local/W", 9, 9, response, format);
  put_doubles(file, "/fclib_local/vectors", "q", 9, q);
  put_doubles(file, "/fclib_local/vectors", "mu", 3, mu);
  H5Fclose(file);
}

static void fclib_files_give_the_known_answer(void **state)
{
  for (int format = 0; format >= -2; format--)
    for (int kind = 0; kind < 3; kind++) {
      if (kind == 0)
        write_local(format);
      else
        write_global(format, kind == 2);
      pc_scene_impact scene;
      pc_error error;
      assert_ok(pc_scene_read_impact(path, &scene, &error), &error);
      check_points(&scene);
      pc_scene_impact_free(&scene);
    }
}

// Four nodes of a mesh in a chain: the mass matrix connects all, more than a body holds.
static void fclib_mass_may_couple_everything(void **state)
{
  enum { NODES = 4, DOF = 3 * NODES };
  double mass[DOF * DOF] = {0}, h[DOF * 3] = {0}, f[DOF] = {0}, w[3] = {0}, mu = 0;
  int space = 3;
  for (int i = 0; i < DOF; i++) {
    mass[i * (DOF + 1)] = 4;
    if (i + 3 < DOF)
      mass[i * DOF + i + 3] = mass[(i + 3) * DOF + i] = 1;
  }
  for (int i = 0; i < DOF; i++)
    mass[i * DOF + (i + 1) % DOF] += 0.5, mass[(i + 1) % DOF * DOF + i] += 0.5;
  h[0] = h[4] = h[8] = 1; // the first node, N = x
  f[0] = -1;
  f[3] = 2;
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_integers(file, "/fclib_global", "spacedim", 1, &space);
  put_matrix(file, "/fclib_global/M", DOF, DOF, mass, -1);
  put_matrix(file, "/fclib_global/H", DOF, 3, h, 0);
  put_doubles(file, "/fclib_global/vectors", "f", DOF, f);
  put_doubles(file, "/fclib_global/vectors", "w", 3, w);
  put_doubles(file, "/fclib_global/vectors", "mu", 1, &mu);
  H5Fclose(file);
  pc_scene_impact scene;
  pc_error error;
  assert_ok(pc_scene_read_impact(path, &scene, &error), &error);
  pc_solve_options options = pc_solve_options_default();
  options.tolerance = 1e-12;
  pc_solve_info info;
  assert_int_equal(pc_impact_solve(scene.problem, &options, &info), PC_OK);
  pc_interaction_answer answer;
  pc_impact_answer(scene.problem, 0, &answer);
  // M v = f + H r, with the v of the answer.
  double v[DOF];
  for (int b = 0, at = 0; b < pc_impact_bodies(scene.problem); b++) {
    pc_impact_velocity(scene.problem, b, v + at);
    at += pc_impact_dof(scene.problem, b);
  }
  for (int i = 0; i < DOF; i++) {
    double sum = -f[i] + (i < 3 ? answer.percussion[i] : 0);
    for (int j = 0; j < DOF; j++)
      sum += mass[i * DOF + j] * v[j];
    assert_near(sum, 0, 1e-9);
  }
  assert_near(answer.after[0], 0, 1e-9);
  assert_true(answer.percussion[0] < -1e-3);
  assert_near(answer.after[1], v[1], 1e-12);
  pc_scene_impact_free(&scene);
}

static void assert_fclib_refused(const char *word)
{
  pc_scene_impact scene;
  pc_error error = {.status = PC_OK};
  assert_int_equal(pc_scene_read_impact(path, &scene, &error), PC_ERROR_INPUT);
  assert_one_line(error.text);
  if (strncmp(error.text, path, strlen(path)) != 0 || strstr(error.text, word) == NULL)
    fail_msg("'%s' should have '%s'", error.text, word);
  assert_null(scene.problem);
}

static void replace(const char *name, hid_t type, int count, const void *values)
{
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  assert_true(file >= 0);
  H5Ldelete(file, name, H5P_DEFAULT);
  if (values != NULL)
    put(file, name, type, (hsize_t)count, values);
  H5Fclose(file);
}

static void malformed_fclib_files_are_refused(void **state)
{
  static const char *const global[] = {"/fclib_global/spacedim",   "/fclib_global/M/m",
                                       "/fclib_global/M/nz",       "/fclib_global/M/i",
                                       "/fclib_global/M/p",        "/fclib_global/H/x",
                                       "/fclib_global/vectors/f",  "/fclib_global/vectors/w",
                                       "/fclib_global/vectors/mu", "/fclib_global/H"};
  for (size_t k = 0; k < sizeof global / sizeof global[0]; k++) {
    write_global(-1, false);
    replace(global[k], 0, 0, NULL);
    assert_fclib_refused(global[k]);
  }
  const int negative = -1, four = 4, seven = 7;
  const double nan9[9] = {NAN}, two[2] = {1, 1}, minus[3] = {0.5, -1, 0.5};
  const int wild[9] = {0, 1, 2, 3, 4, 5, 6, 7, 9};
  const int down[10] = {0, 1, 2, 3, 4, 5, 6, 8, 7, 9},
            huge[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 1 << 30};
  const struct {
    const char *name;
    hid_t type;
    int count;
    const void *values;
    const char *word;
  } wrong[] = {
      {"/fclib_global/spacedim", H5T_NATIVE_INT, 1, &four, "2 or 3"},
      {"/fclib_global/M/m", H5T_NATIVE_INT, 1, &negative, "/fclib_global/M"},
      {"/fclib_global/M/n", H5T_NATIVE_INT, 1, &seven, "/fclib_global/M"},
      {"/fclib_global/M/i", H5T_NATIVE_INT, 9, wild, "out of range"},
      {"/fclib_global/M/i", H5T_NATIVE_INT, 2, wild, "fewer entries"},
      {"/fclib_global/M/i", H5T_NATIVE_DOUBLE, 9, nan9, "whole numbers"},
      {"/fclib_global/M/p", H5T_NATIVE_INT, 10, down, "the pointers must not decrease"},
      {"/fclib_global/M/p", H5T_NATIVE_INT, 10, huge, "fewer entries"},
      {"/fclib_global/M/x", H5T_NATIVE_DOUBLE, 9, nan9, "not finite"},
      {"/fclib_global/vectors/f", H5T_NATIVE_DOUBLE, 9, nan9, "not finite"},
      {"/fclib_global/vectors/f", H5T_NATIVE_DOUBLE, 2, two, "expected 9 numbers, found 2"},
      {"/fclib_global/vectors/w", H5T_NATIVE_DOUBLE, 2, two, "found 2"},
      {"/fclib_global/vectors/mu", H5T_NATIVE_DOUBLE, 3, minus, "negative"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    write_global(-1, false);
    replace(wrong[k].name, wrong[k].type, wrong[k].count, wrong[k].values);
    assert_fclib_refused(wrong[k].word);
  }
  write_local(-2);
  replace("/fclib_local/vectors/q", 0, 0, NULL);
  assert_fclib_refused("/fclib_local/vectors/q");
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  assert_fclib_refused("not an FCLIB problem");
  write_text("\211HDF\r\n\032\n and then nothing");
  assert_fclib_refused("damaged");
}

// Cut files, and arrays of the right type with anything in them. (Bytes changed at random would
// test the HDF5 library, not its reader.)
static void damaged_fclib_files_never_crash(void **state)
{
  pc_random random = test_random("damaged FCLIB files");
  static const char *const integers[] = {"/fclib_global/M/i", "/fclib_global/M/p",
                                         "/fclib_global/H/i", "/fclib_global/H/p"};
  static const char *const sizes[] = {
      "/fclib_global/M/m", "/fclib_global/M/n",  "/fclib_global/M/nz",    "/fclib_global/H/m",
      "/fclib_global/H/n", "/fclib_global/H/nz", "/fclib_global/spacedim"};
  static char bytes[1 << 16];
  for (int i = 0; i < test_count(200); i++) {
    write_global(-pc_random_below(&random, 3), false);
    int values[16], count = 1 + pc_random_below(&random, 16), kind = pc_random_below(&random, 3);
    for (int k = 0; k < 16; k++)
      values[k] = pc_random_below(&random, 4) ? pc_random_below(&random, 10)
                                              : (int)(uint32_t)pc_random_bits(&random);
    if (kind == 0) {
      replace(integers[pc_random_below(&random, 4)], H5T_NATIVE_INT, count, values);
    } else if (kind == 1) {
      replace(sizes[pc_random_below(&random, 7)], H5T_NATIVE_INT, 1, values);
    } else {
      FILE *file = fopen(path, "rb");
      size_t size = fread(bytes, 1, sizeof bytes, file);
      fclose(file);
      write_bytes(bytes, (size_t)pc_random_below(&random, (int)size));
    }
    pc_scene_impact scene;
    pc_error error = {.status = PC_OK};
    if (pc_scene_read_impact(path, &scene, &error) == PC_OK)
      pc_scene_impact_free(&scene);
    else
      assert_one_line(error.text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_files_are_named_with_their_line),
      cmocka_unit_test(bytes_that_are_no_text_are_refused),
      cmocka_unit_test(what_is_echoed_is_short_and_clean),
      cmocka_unit_test(bombs_are_harmless),
      cmocka_unit_test(missing_and_unreadable_files_say_so),
      cmocka_unit_test(everything_a_file_can_have_is_read),
      cmocka_unit_test(the_inertia_of_a_plate_is_accepted),
      cmocka_unit_test(json_is_read_as_it_is_written_by_machines),
      cmocka_unit_test(three_disks_of_the_book),
      cmocka_unit_test(parameters_stand_for_numbers),
      cmocka_unit_test(names_are_found_again),
      cmocka_unit_test(mutated_files_are_refused_or_solved),
      cmocka_unit_test(cut_files_are_refused_or_solved),
      cmocka_unit_test(noise_is_refused),
      cmocka_unit_test(fclib_files_give_the_known_answer),
      cmocka_unit_test(fclib_mass_may_couple_everything),
      cmocka_unit_test(malformed_fclib_files_are_refused),
      cmocka_unit_test(damaged_fclib_files_never_crash),
  };
  return cmocka_run_group_tests(tests, make_path, remove_path);
}
