// Folders in which other things stand where the program writes. Every name that a job opens for
// writing, renames or removes is found by running it once in a clean folder, with the names written
// down by the preloaded object of tests/faults, so no name can be forgotten. Then each of them is,
// in turn, a link to a file of somebody else, a hard link, a FIFO, a folder, a foreign file, one
// that cannot be read, and the scene itself. After each
//
//   - the program has ended, with status 0, or with 1 or 2 and a message that names the file;
//   - what stood there stands there still, and what it leads to has not changed by a byte. Only a
//     file that the program has written itself may be replaced, and then only under its own name.
//
// `make test` takes some of the cases of each job, by chance; `make test-long` takes them all.
#define _GNU_SOURCE // PR_CAPBSET_DROP
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faults/program.h"
#include "percuss/chain_pictures.h"
#include "percuss/scene.h"
#include "record/csv.h"
#include "record/record.h"
#include "record/svg.h"
#include "record/xdmf.h"

// Stones that come to rest on a plane: maps of a deposit, and all other files of bodies.
#define HEAP                                                                                       \
  "kind: rigid\nduration: 0.004\nstep: 1e-3\nmaterials: [{name: rock, density: 2600}]\n"           \
  "obstacles: [{name: floor, shape: {type: plane}}]\n"                                             \
  "bodies:\n  - {name: 'a, \"b\"', shape: {type: box, size: [1, 1, 0.2]}, position: [0, 0, "       \
  "0.1]}\n"                                                                                        \
  "output: {every: 0.002, end: true, deposit: {spacing: 0.2}}\n"

// `before`, and until its so many-th operation on files, makes what the command finds.
static const struct job {
  const char *name, *before, *command, *scene;
  int until; // 0: to its end
} jobs[] = {
#define SCENE(name)                                                                                \
  {                                                                                                \
    name, NULL, "run " name ".yaml --threads 1 --quiet -o out.h5", name ".yaml", 0                 \
  }
    SCENE("rigid"),
    SCENE("heap"),
    SCENE("crowd"),
    SCENE("chain"),
    SCENE("collision"),
    SCENE("motion"),
    SCENE("large"),
    SCENE("flow"),
    SCENE("alloy"),
    SCENE("systems"),
    SCENE("sweep"),
    SCENE("figure"),
    {"kept sweep", NULL, "run sweep.yaml --threads 1 --quiet -o out.h5 --keep", "sweep.yaml", 0},
    {"replace", "run other.yaml --threads 1 --quiet -o out.h5",
     "run rigid.yaml --threads 1 --quiet -o out.h5", "rigid.yaml", 0},
    {"resume", "run rigid.yaml --threads 1 --quiet -o out.h5",
     "run rigid.yaml --threads 1 --quiet -o out.h5 --resume", "rigid.yaml", 900},
    {"resume early", "run rigid.yaml --threads 1 --quiet -o out.h5",
     "run rigid.yaml --threads 1 --quiet -o out.h5 --resume", "rigid.yaml", 20},
    {"longer", "run rigid.yaml --threads 1 --quiet -o out.h5 --steps 7",
     "run rigid.yaml --threads 1 --quiet -o out.h5 --resume", "rigid.yaml", 0},
    {"resumed sweep", "run sweep.yaml --threads 1 --quiet -o out.h5 --keep",
     "run sweep.yaml --threads 1 --quiet -o out.h5 --keep --resume", "sweep.yaml", 3000},
    {"problems", NULL,
     "run other.yaml --threads 1 --quiet -o out.h5 --dump-problems problems --dump-steps 2:3",
     "other.yaml", 0},
    {"render", NULL, "render chain.yaml -o picture.svg", "chain.yaml", 0},
    {"render again", "render chain.yaml -o picture.svg --picture bounds --points 5",
     "render chain.yaml -o picture.svg", "chain.yaml", 0},
    {"export vtk", "run rigid.yaml --threads 1 --quiet -o out.h5", "export out.h5 -o vtk", "out.h5",
     0},
    {"export gltf", "run rigid.yaml --threads 1 --quiet -o out.h5", "export out.h5 -o out.glb",
     "out.h5", 0},
    {"export csv", "run rigid.yaml --threads 1 --quiet -o out.h5", "export out.h5 -o bodies.csv",
     "out.h5", 0},
    {"report", "run crowd.yaml --threads 1 --quiet -o out.h5", "report out.h5 -o page.html",
     "out.h5", 0},
};
enum { JOBS = sizeof jobs / sizeof *jobs, NAMES = 60, NAME = 100 };

typedef enum obstacle {
  LINK,         // to a foreign file
  LINK_OWN,     // to a file of the kind that the program writes there
  LINK_NOWHERE, // to nothing
  LINK_DEVICE,
  LINK_FOLDER,
  HARD,      // another name of a foreign file
  HARD_OWN,  // of one of the kind
  HARD_MADE, // the file that is there has another name
  FIFO,
  FOLDER,
  FOREIGN,
  FOREIGN_HDF5, // which begins as a record does
  UNREADABLE,
  ITSELF, // the scene
  OBSTACLES
} obstacle;
static const char *const obstacle_names[] = {
    "it is a symbolic link",
    "a link to its like",
    "a dangling link",
    "a link to a device",
    "a link to a folder",
    "it has another hard link, whose file would change too",
    "a hard link to its like",
    "another name of the file",
    "a FIFO",
    "a folder",
    "a foreign file",
    "a foreign HDF5 file",
    "a file that cannot be read",
    "the scene"};

static const char foreign[] = "the only copy of something\nwith more than one line\n";
static const char hdf5[] = "\x89HDF\r\n\x1a\n and what else somebody keeps";

static struct known {
  bool prepared;
  char start[PATH], whole[PATH];
  int names;
  char name[NAMES][NAME];
} known[JOBS];
static char work[PATH], beyond[PATH];
static bool can_lock_out; // files can be made that the program cannot read

static int make_folders(void **state)
{
  folder_make(work);
  folder_make(beyond);
  // A superuser reads everything, unless what it starts may not.
  can_lock_out = geteuid() != 0 || (prctl(PR_CAPBSET_DROP, 1 /* DAC_OVERRIDE */, 0, 0, 0) == 0 &&
                                    prctl(PR_CAPBSET_DROP, 2 /* DAC_READ_SEARCH */, 0, 0, 0) == 0);
  return 0;
}

static int remove_folders(void **state)
{
  folder_remove(work);
  folder_remove(beyond);
  for (int i = 0; i < JOBS; i++)
    if (known[i].prepared) {
      folder_remove(known[i].start);
      folder_remove(known[i].whole);
    }
  return 0;
}

static void path_in(char path[2 * PATH], const char *where, const char *name)
{
  snprintf(path, (size_t)2 * PATH, "%s/%s", where, name);
}

static void write_bytes(const char *path, const void *bytes, size_t size)
{
  FILE *file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
    fail_msg("%s: %s", path, strerror(errno));
}

// NULL: it is no file that can be read.
static char *read_bytes(const char *path, size_t *size)
{
  struct stat there;
  FILE *file = stat(path, &there) == 0 && S_ISREG(there.st_mode) ? fopen(path, "rb") : NULL;
  if (file == NULL)
    return NULL;
  char *bytes = malloc((size_t)there.st_size + 1);
  assert_non_null(bytes);
  *size = fread(bytes, 1, (size_t)there.st_size, file);
  fclose(file);
  return bytes;
}

static bool has_bytes(const char *path, const void *bytes, size_t size)
{
  size_t there = 0;
  char *read = read_bytes(path, &there);
  bool same = read != NULL && there == size && memcmp(read, bytes, size) == 0;
  free(read);
  return same;
}

// Names relative to the folder, each once. The output of the test and what is not in the folder are
// left out.
static void add_name(struct known *k, const char *line)
{
  size_t length = strlen(k->whole);
  if (strncmp(line, k->whole, length) == 0 && line[length] == '/')
    line += length + 1;
  if (*line == '/' || strcmp(line, "stdout") == 0)
    return;
  for (int i = 0; i < k->names; i++)
    if (strcmp(k->name[i], line) == 0)
      return;
  assert_true(k->names < NAMES && strlen(line) < NAME);
  strcpy(k->name[k->names++], line);
}

static void find_names(const struct job *job, struct known *k)
{
  faults_report asked = {.kind = FAULTS_FILES};
  snprintf(asked.names, sizeof asked.names, "%.150s.names", k->whole);
  ending end = program_run(k->whole, job->command, &asked);
  if (end.status != 0)
    fail_msg("%s: status %d: %s", job->name, end.status, end.message);
  FILE *list = fopen(asked.names, "rb");
  assert_non_null(list);
  for (char line[PATH]; fgets(line, sizeof line, list) != NULL;) {
    line[strcspn(line, "\n")] = 0;
    add_name(k, line);
  }
  fclose(list);
  unlink(asked.names);
  if (k->names < 2)
    fail_msg("%s: %d names: is %s preloaded?", job->name, k->names, FAULTS_PRELOAD);
}

static void prepare(const struct job *job, struct known *k)
{
  char path[2 * PATH];
  folder_make(k->start);
  folder_make(k->whole);
  k->prepared = true;
  folder_copy(FAULTS_SCENES, k->start);
  path_in(path, k->start, "heap.yaml");
  write_bytes(path, HEAP, strlen(HEAP));
  faults_report kill = {.kind = FAULTS_FILES, .mode = FAULTS_KILL, .fail_at = job->until};
  if (job->before != NULL) {
    ending end = program_run(k->start, job->before, &kill);
    if (end.status != (job->until > 0 ? -SIGKILL : 0))
      fail_msg("%s: before: status %d: %s", job->name, end.status, end.message);
  }
  folder_copy(k->start, k->whole);
  find_names(job, k);
}

// A file of the kind that belongs under this name, from the undisturbed job. NULL: it leaves none.
static char *find_like(const struct known *k, const char *name, size_t *size)
{
  char path[2 * PATH];
  static const char *const endings[] = {"", ".tmp", ".new", ".journal", ".lock"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t length = strlen(name), more = strlen(endings[i]);
    if (length <= more || strcmp(name + length - more, endings[i]) != 0)
      continue;
    path_in(path, k->whole, name);
    path[strlen(path) - more] = 0;
    char *bytes = read_bytes(path, size);
    if (bytes != NULL)
      return bytes;
  }
  return NULL;
}

// What stands at the place, and what it leads to.
typedef struct scenery {
  char place[2 * PATH], victim[2 * PATH];
  struct stat before;
  char *bytes; // of the victim
  size_t size;
} scenery;

static void make_victim(scenery *s, const void *bytes, size_t size)
{
  s->size = size;
  s->bytes = malloc(size + 1);
  assert_non_null(s->bytes);
  memcpy(s->bytes, bytes, size);
  write_bytes(s->victim, bytes, size);
}

// Puts the obstacle there; false if there is no such case.
static bool set_up(const struct job *job, const struct known *k, const char *name, obstacle what,
                   scenery *s)
{
  char path[2 * PATH];
  size_t size = 0;
  folder_copy(k->start, work);
  folder_copy(FAULTS_SCENES, beyond); // any content: it must not change
  path_in(s->place, work, name);
  path_in(s->victim, beyond, "victim");
  bool there = access(s->place, F_OK) == 0, like = what == LINK_OWN || what == HARD_OWN;
  char *slash = strrchr(name, '/');
  if (slash != NULL) {
    snprintf(path, sizeof path, "%s/%.*s", work, (int)(slash - name), name);
    assert_true(mkdir(path, 0777) == 0 || errno == EEXIST);
  }
  if (what == HARD_MADE) {
    char *bytes = read_bytes(s->place, &size);
    if (bytes == NULL)
      return false;
    s->bytes = bytes;
    s->size = size;
    return link(s->place, s->victim) == 0;
  }
  if (what == UNREADABLE && !can_lock_out)
    return false;
  char *own = like ? find_like(k, name, &size) : NULL;
  if (like && own == NULL)
    return false;
  if (there && unlink(s->place) != 0)
    return false; // a folder
  bool made = true;
  if (what == ITSELF) {
    path_in(path, work, job->scene);
    char *scene = read_bytes(path, &size);
    snprintf(s->victim, sizeof s->victim, "%s", s->place);
    make_victim(s, scene, size);
    free(scene);
  } else if (what == FOREIGN || what == FOREIGN_HDF5 || what == UNREADABLE) {
    snprintf(s->victim, sizeof s->victim, "%s", s->place);
    make_victim(s, what == FOREIGN_HDF5 ? hdf5 : foreign,
                what == FOREIGN_HDF5 ? sizeof hdf5 : sizeof foreign);
    made = what != UNREADABLE || chmod(s->place, 0) == 0;
  } else if (like) {
    make_victim(s, own, size);
  } else if (what == LINK || what == HARD) {
    make_victim(s, foreign, sizeof foreign);
  }
  free(own);
  if (what == LINK || what == LINK_OWN)
    made = symlink(s->victim, s->place) == 0;
  else if (what == HARD || what == HARD_OWN)
    made = link(s->victim, s->place) == 0;
  else if (what == LINK_NOWHERE)
    made = symlink(s->victim, s->place) == 0;
  else if (what == LINK_DEVICE)
    made = symlink("/dev/null", s->place) == 0;
  else if (what == LINK_FOLDER)
    made = symlink(beyond, s->place) == 0;
  else if (what == FIFO)
    made = mkfifo(s->place, 0666) == 0;
  else if (what == FOLDER)
    made = mkdir(s->place, 0777) == 0;
  assert_true(made);
  return true;
}

// Where the record is written is named by the user, and a link of the user's own stands for what it
// leads to; so does a folder for problems.
static bool is_users_link(const struct job *job, const char *name, obstacle what)
{
  bool record = strcmp(name, "out.h5") == 0;
  return (record && (what == LINK_NOWHERE || what == LINK_OWN)) ||
         (what == LINK_FOLDER && strcmp(name, "problems") == 0);
}

// What is wrong afterwards; NULL: nothing.
static const char *find_harm(const struct job *job, const char *name, obstacle what,
                             const scenery *s)
{
  struct stat now;
  bool replaceable = what == HARD_OWN || what == HARD_MADE, users = is_users_link(job, name, what);
  if (lstat("/dev/null", &now) != 0 || !S_ISCHR(now.st_mode))
    return "/dev/null is gone";
  if (what == UNREADABLE)
    chmod(s->place, 0600);
  if (s->bytes != NULL && !users && !has_bytes(s->victim, s->bytes, s->size))
    return "a file of somebody else has changed";
  if (what == LINK_NOWHERE && !users && access(s->victim, F_OK) == 0)
    return "a link was written through";
  if (replaceable)
    return NULL;
  if (lstat(s->place, &now) != 0)
    return "what stood there is gone";
  if (now.st_ino != s->before.st_ino || (now.st_mode & S_IFMT) != (s->before.st_mode & S_IFMT))
    return "what stood there was replaced";
  return NULL;
}

static const char *last_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

// The message has the name, or that of the file that it stands for.
static bool is_named(const ending *end, const char *name)
{
  static const char *const endings[] = {"", ".tmp", ".new", ".journal", ".checkpoint", ".lock"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    char plain[NAME];
    snprintf(plain, sizeof plain, "%s", last_of(name));
    size_t length = strlen(plain), more = strlen(endings[i]);
    if (length > more && strcmp(plain + length - more, endings[i]) == 0) {
      plain[length - more] = 0;
      if (strstr(end->message, plain) != NULL)
        return true;
    }
  }
  return false;
}

static const char *find_fault(const struct job *job, const char *name, obstacle what,
                              const scenery *s, const ending *end)
{
  if (end->status == -SIGALRM)
    return "it hangs";
  const char *harm = find_harm(job, name, what, s);
  if (harm != NULL)
    return harm;
  if (end->status == 0)
    return NULL;
  if (end->status != 1 && end->status != 2)
    return "neither status 0, 1 nor 2";
  // A file of the kind from another moment of the run belongs to no other file there.
  bool like = what == LINK_OWN || what == HARD_OWN;
  return is_named(end, name) || (like && strstr(end->message, "out.") != NULL) ||
                 strstr(end->message, "victim") != NULL ||
                 strstr(end->message, last_of(beyond)) != NULL || what == ITSELF ||
                 (what == LINK_DEVICE && strstr(end->message, "/dev/null") != NULL)
             ? NULL
             : "the message does not name the file";
}

// The command, with the scene under this name.
static void name_command(const struct job *job, const char *name, obstacle what, char *command,
                         size_t size)
{
  const char *scene = strstr(job->command, job->scene);
  if (what == ITSELF)
    snprintf(command, size, "%.*s%s%s", (int)(scene - job->command), job->command, name,
             scene + strlen(job->scene));
  else
    snprintf(command, size, "%s", job->command);
}

typedef struct tally {
  int tried, refused, faults;
} tally;

static void try_case(const struct job *job, const struct known *k, const char *name, obstacle what,
                     tally *sum)
{
  scenery s = {.bytes = NULL};
  char command[300];
  if (set_up(job, k, name, what, &s)) {
    assert_int_equal(lstat(s.place, &s.before), 0);
    name_command(job, name, what, command, sizeof command);
    ending end = program_run(work, command, NULL);
    const char *fault = find_fault(job, name, what, &s, &end);
    sum->tried++;
    sum->refused += end.status != 0;
    if (fault != NULL) {
      sum->faults++;
      fprintf(stderr, "%s: '%s' is %s: %s\nstatus %d: %s\n", job->name, name, obstacle_names[what],
              fault, end.status, end.message);
    }
  }
  free(s.bytes);
}

static void whatever_stands_in_the_way_stays(void **state)
{
  pc_random random = test_random("hostile");
  const char *only = getenv("PERCUSS_HOSTILE_JOB");
  tally all = {0};
  for (int j = 0; j < JOBS; j++) {
    if (only != NULL && strcmp(only, jobs[j].name) != 0)
      continue;
    tally sum = {0};
    prepare(&jobs[j], &known[j]);
    int cases = known[j].names * OBSTACLES,
        taken = test_count_long(only != NULL ? cases : 8, cases);
    for (int i = 0; i < taken; i++) {
      int c = taken >= cases ? i % cases : pc_random_below(&random, cases);
      try_case(&jobs[j], &known[j], known[j].name[c / OBSTACLES], (obstacle)(c % OBSTACLES), &sum);
    }
    print_message("%s: %d names, %d cases, %d refused\n", jobs[j].name, known[j].names, sum.tried,
                  sum.refused);
    all.tried += sum.tried;
    all.refused += sum.refused;
    all.faults += sum.faults;
  }
  print_message("%d cases, %d refused, %d faults\n", all.tried, all.refused, all.faults);
  assert_int_equal(all.faults, 0);
  // Some names are of files that a job only removes or never needs. A small sample may have none.
  if (all.tried >= 100)
    assert_true(all.refused > 0 && all.refused < all.tried);
}

// A file under this name of which a killed process has left so many bytes: in the middle of writing
// them or, with all of them, of putting the first ones in their place.
static void leave_part(const char *path, const char *like, size_t size, size_t part)
{
  char *bytes = malloc(size + PC_OWN_MARK_SIZE);
  assert_non_null(bytes);
  memcpy(bytes, like, size);
  memcpy(bytes, PC_OWN_MARK, PC_OWN_MARK_SIZE);
  if (part == size)
    memcpy(bytes, like, PC_OWN_MARK_SIZE / 2);
  write_bytes(path, bytes, part);
  free(bytes);
}

static void run_over(const struct job *job, const struct known *k, const char *name, size_t part)
{
  size_t size = 0;
  char path[2 * PATH], *like = name != NULL ? find_like(k, name, &size) : NULL;
  folder_copy(k->whole, work);
  if (name != NULL) {
    path_in(path, work, name);
    leave_part(path, like, size, part < size ? part : size);
  }
  ending end = program_run(work, job->command, NULL);
  if (end.status != 0)
    fail_msg("%s, '%s' with %zu bytes: status %d: %s", job->name, name != NULL ? name : "again",
             part, end.status, end.message);
  free(like);
}

static bool is_temporary(const char *name)
{
  size_t length = strlen(name);
  return length > 4 &&
         (strcmp(name + length - 4, ".tmp") == 0 || strcmp(name + length - 4, ".new") == 0);
}

// What the program has left it replaces when it is run again: whole files of every kind, and those
// that were under way when it was killed.
static void own_files_are_replaced(void **state)
{
  static const size_t parts[] = {0, 1, 8, 15, 16, 17, 100, SIZE_MAX};
  enum { PARTS = sizeof parts / sizeof *parts };
  pc_random random = test_random("own");
  int count = 0;
  for (int j = 0; j < JOBS; j++) {
    struct known *k = &known[j];
    if (jobs[j].before != NULL)
      continue;
    if (!k->prepared)
      prepare(&jobs[j], k);
    run_over(&jobs[j], k, NULL, 0);
    int cases = k->names * PARTS, taken = test_count_long(4, cases);
    for (int i = 0; i < taken; i++) {
      int c = taken >= cases ? i : pc_random_below(&random, cases);
      size_t size;
      const char *name = k->name[c / PARTS];
      char *like = is_temporary(name) ? find_like(k, name, &size) : NULL;
      if (like != NULL)
        run_over(&jobs[j], k, name, parts[c % PARTS]);
      count += like != NULL;
      free(like);
    }
  }
  print_message("%d files under way\n", count);
  assert_true(count > 0);
}

// What C callers write, of a path with each obstacle.
static pc_status write_csv(const char *path, pc_error *error)
{
  static const pc_own own = {"a table of this test", {{"a\n", NULL}}};
  pc_csv *table = pc_csv_create(path, &own, 1, (const char *[]){"a"}, error);
  return table != NULL ? pc_csv_close(table, error) : error->status;
}

static pc_status write_checkpoint(const char *path, pc_error *error)
{
  return pc_checkpoint_write(path, 1, &(pc_blob){"a", "b", 1}, error);
}

static pc_status write_record(const char *path, pc_error *error)
{
  pc_record *record = pc_record_create(path, error);
  if (record == NULL)
    return error->status;
  pc_record_start(record);
  return pc_record_close(record, 1, error);
}

static pc_status write_xdmf(const char *path, pc_error *error)
{
  pc_xdmf xdmf = {.data = "a.h5", .position = {.components = 3}};
  return pc_xdmf_write(path, &xdmf, error);
}

static pc_status write_svg(const char *path, pc_error *error)
{
  pc_svg plot = {
      .title = "t", .description = "d", .x = {"x", 0, 1, false}, .y = {"y", 0, 1, false}};
  pc_status status = pc_svg_write(&plot, path, error);
  pc_svg_free(&plot);
  return status;
}

static pc_status write_problem(const char *path, pc_error *error)
{
  static const char text[] =
      "kind: rigid\nduration: 1\nstep: 1e-3\nobstacles: [{shape: {type: plane}}]\n"
      "bodies: [{shape: {type: sphere, radius: 1}, position: [0, 0, 1], mass: 1}]\n";
  pc_scene scene;
  assert_ok(pc_scene_parse("scene.yaml", text, &scene, error), error);
  assert_int_equal(pc_world_step(scene.world, 1e-3), PC_OK);
  pc_status status =
      pc_fclib_write(pc_world_problem(scene.world), PC_FCLIB_GLOBAL, "t", path, error);
  pc_scene_free(&scene);
  return status;
}

static void writers_of_the_library_spare_others(void **state)
{
  static const struct {
    const char *name;
    pc_status (*write)(const char *path, pc_error *error);
  } writers[] = {{"table", write_csv},     {"checkpoint", write_checkpoint},
                 {"record", write_record}, {"XDMF", write_xdmf},
                 {"picture", write_svg},   {"problem", write_problem}};
  static const char *const ways[] = {"", ".tmp", ".new", ".journal"};
  const struct job nothing = {.scene = ""};
  for (size_t w = 0; w < sizeof writers / sizeof *writers; w++)
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
      for (obstacle what = 0; what <= FOREIGN; what++) {
        struct known k = {.prepared = true};
        scenery s = {.bytes = NULL};
        pc_error error = {.text = ""};
        char name[20], path[2 * PATH];
        snprintf(k.start, sizeof k.start, "%s", FAULTS_SCENES);
        snprintf(k.whole, sizeof k.whole, "%s", FAULTS_SCENES);
        snprintf(name, sizeof name, "file%s", ways[i]);
        if (set_up(&nothing, &k, name, what, &s)) {
          assert_int_equal(lstat(s.place, &s.before), 0);
          path_in(path, work, "file");
          pc_status status = writers[w].write(path, &error);
          const char *harm = find_harm(&nothing, name, what, &s);
          if (harm != NULL || (i == 0 && status == PC_OK) ||
              (status != PC_OK && strstr(error.text, "file") == NULL))
            fail_msg("%s: '%s' is %s: %s (%s)", writers[w].name, name, obstacle_names[what],
                     harm != NULL ? harm : "not refused, or without a name", error.text);
        }
        free(s.bytes);
      }
  for (size_t w = 0; w < sizeof writers / sizeof *writers; w++) {
    pc_error error = {.text = ""};
    assert_int_not_equal(writers[w].write("/dev/null", &error), PC_OK);
    struct stat now;
    assert_true(lstat("/dev/null", &now) == 0 && S_ISCHR(now.st_mode));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(writers_of_the_library_spare_others),
      cmocka_unit_test(whatever_stands_in_the_way_stays),
      cmocka_unit_test(own_files_are_replaced),
  };
  return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
