// The program is killed at moments that nobody chose, and again while it goes on, and a disk of its
// own runs full: what was done up to the last checkpoint is never lost, and the finished run is the
// undisturbed one, dataset by dataset and byte by byte. It went on, in the record that it had.
#define _GNU_SOURCE // mount, unshare
#include "support.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/clock.h"
#include "faults/program.h"
#include "mounts.h"
#include "record/record.h"

// Their scenes write a checkpoint after every step.
static const char *const commands[] = {
    "run rigid.yaml --threads 1 --quiet -o out.h5 --resume",
    "run crowd.yaml --threads 1 --quiet -o out.h5 --resume",
    "run chain.yaml --threads 1 --quiet -o out.h5 --resume",
    "run motion.yaml --threads 1 --quiet -o out.h5 --resume",
    "run alloy.yaml --threads 1 --quiet -o out.h5 --resume",
    "run sweep.yaml --threads 2 --quiet -o out.h5 --resume",
    "run sweep.yaml --threads 2 --quiet -o out.h5 --keep --resume",
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static char whole[PATH], work[PATH];

static int make_folders(void **state)
{
  folder_make(whole);
  folder_make(work);
  return 0;
}

static int remove_folders(void **state)
{
  folder_remove(whole);
  folder_remove(work);
  return 0;
}

// Seconds of an undisturbed run, which is in `whole` then.
static double run_whole(const char *command)
{
  folder_copy(FAULTS_SCENES, whole);
  double began = pc_clock_seconds();
  ending end = program_run(whole, command, NULL);
  if (end.status != 0)
    fail_msg("%s: status %d: %s", command, end.status, end.message);
  return pc_clock_seconds() - began;
}

// Goes on to the end; true: from a checkpoint.
static bool expect_whole(const char *command)
{
  char why[600];
  int64_t identity[RECORDS];
  bool resumed = folder_identities(work, identity) > 0;
  ending end = program_run(work, command, NULL);
  if (end.status != 0)
    fail_msg("%s: status %d: %s", command, end.status, end.message);
  if (!folder_same(whole, work, why) || !folder_went_on(work, identity, why))
    fail_msg("%s: %s", command, why);
  return resumed;
}

// Steps that the checkpoint knows, and those that the record has; -1: there is none.
static long steps_in_checkpoint(const char *path)
{
  pc_blob marks = {.name = "record"};
  pc_error error = {.text = ""};
  struct stat there;
  if (stat(path, &there) != 0)
    return -1;
  assert_ok(pc_checkpoint_read(path, 1, &marks, &error), &error);
  long most = 0;
  for (size_t i = PC_RECORD_MARKS; i < marks.size / sizeof(long); i++)
    most = ((long *)marks.data)[i] > most ? ((long *)marks.data)[i] : most;
  free(marks.data);
  return most;
}

static long steps_in_record(const char *path)
{
  struct stat there;
  pc_error error = {.text = ""};
  if (stat(path, &there) != 0)
    return -1;
  pc_reading *reading = pc_reading_open(path, &error);
  if (reading == NULL)
    fail_msg("%s", error.text);
  long size[4] = {0};
  pc_reading_size(reading, "steps/time", size);
  pc_reading_close(reading);
  return size[0];
}

// What a killed run left can be read, and at most the step after the last checkpoint is lost.
static void check_killed(void)
{
  char why[600], record[PATH + 20], checkpoint[PATH + 20];
  if (!folder_readable(work, why))
    fail_msg("%s", why);
  snprintf(record, sizeof record, "%s/out.h5", work);
  snprintf(checkpoint, sizeof checkpoint, "%s/out.h5.checkpoint", work);
  long steps = steps_in_record(record), kept = steps_in_checkpoint(checkpoint);
  if (steps > (kept > 0 ? kept : 0) + 1)
    fail_msg("%ld steps are recorded and %ld are in the checkpoint", steps, kept);
}

// All commands have their trials; then it goes on until enough have been killed.
static void killed_at_any_moment(void **state)
{
  pc_random random = test_random("kill");
  int wanted = test_count_long(12, 200), killed = 0, trials = 0, again = 0, resumed = 0;
  for (int all = 0; all < COMMANDS || killed < wanted; all++) {
    const char *command = commands[all % COMMANDS];
    double longest = run_whole(command);
    for (int k = 0; k < (wanted + COMMANDS - 1) / COMMANDS; k++, trials++) {
      folder_copy(FAULTS_SCENES, work);
      for (bool goes_on = true; goes_on;) { // now and then also what was resumed
        char why[600];
        int64_t identity[RECORDS];
        resumed += folder_identities(work, identity) > 0;
        pid_t child = program_start(work, command, NULL);
        double wait = pc_random_uniform(&random, 0, 1.1 * longest);
        nanosleep(&(struct timespec){(time_t)wait, (long)(1e9 * fmod(wait, 1))}, NULL);
        kill(child, SIGKILL);
        ending end = program_wait(child, work);
        if (end.status != 0 && end.status != -SIGKILL)
          fail_msg("%s: status %d: %s", command, end.status, end.message);
        killed += end.status != 0;
        check_killed();
        if (!folder_went_on(work, identity, why))
          fail_msg("%s: %s", command, why);
        goes_on = end.status != 0 && pc_random_uniform(&random, 0, 1) < 0.4;
        again += goes_on;
      }
      resumed += expect_whole(command);
    }
  }
  print_message("killed %d times in %d runs, %d of them after a kill; resumed %d times\n", killed,
                trials, again, resumed);
}

static bool mount_disk(const char *folder, long kilobytes, bool anew)
{
  char options[40];
  snprintf(options, sizeof options, "size=%ldk", kilobytes);
  return mount("tmpfs", folder, "tmpfs", anew ? 0 : MS_REMOUNT, options) == 0;
}

static long used_kilobytes(const char *folder)
{
  char command[PATH + 40];
  snprintf(command, sizeof command, "du -sk '%s'", folder);
  FILE *from = popen(command, "r");
  long used = 0;
  assert_non_null(from);
  assert_int_equal(fscanf(from, "%ld", &used), 1);
  pclose(from);
  return used;
}

// The disk has room for the scenes and for a part of what the run writes; then it gets more.
static void a_full_disk_loses_nothing(void **state)
{
  pc_random random = test_random("disk");
  char disk[PATH];
  if (!own_mounts()) {
    print_message("this process may have no mounts of its own: %s\n", strerror(errno));
    skip();
  }
  folder_make(disk);
  if (!mount_disk(disk, 10240, true)) {
    int reason = errno;
    folder_remove(disk);
    if (reason != EPERM && reason != EACCES)
      fail_msg("a disk of a few kilobytes cannot be mounted: %s", strerror(reason));
    print_message("no disk of a few kilobytes may be mounted here: %s\n", strerror(reason));
    skip();
  }
  int full = 0;
  for (int c = 0; c < COMMANDS; c++) {
    run_whole(commands[c]);
    folder_copy(FAULTS_SCENES, disk);
    long least = used_kilobytes(disk), most = least + used_kilobytes(whole);
    for (int k = 0; k < test_count_long(1, 20); k++) {
      char why[600] = "";
      folder_copy(FAULTS_SCENES, disk);
      assert_true(mount_disk(disk, (long)pc_random_uniform(&random, least + 4, most), false));
      ending end = program_run(disk, commands[c], NULL);
      bool fine =
          end.status == 0 || (end.status == 1 && strstr(end.message, strerror(ENOSPC)) != NULL);
      full += end.status == 1;
      assert_true(mount_disk(disk, 10240, false));
      int64_t identity[RECORDS];
      folder_identities(disk, identity);
      ending later = program_run(disk, commands[c], NULL);
      fine = fine && later.status == 0 && folder_same(whole, disk, why) &&
             folder_went_on(disk, identity, why);
      // What is finished is left as it is: it needs no room, nor that anything can be written.
      assert_true(mount_disk(disk, used_kilobytes(disk), false));
      later = program_run(disk, commands[c], NULL);
      fine = fine && later.status == 0 && folder_same(whole, disk, why) &&
             folder_went_on(disk, identity, why);
      assert_true(mount("tmpfs", disk, "tmpfs", MS_REMOUNT | MS_RDONLY, NULL) == 0);
      later = program_run(disk, commands[c], NULL);
      fine = fine && later.status == 0 && folder_same(whole, disk, why);
      assert_true(mount_disk(disk, 10240, false));
      if (!fine) {
        umount(disk);
        fail_msg("%s: status %d: %s\nthen %d: %s\n%s", commands[c], end.status, end.message,
                 later.status, later.message, why);
      }
    }
  }
  umount(disk);
  folder_remove(disk);
  print_message("full %d times\n", full);
  assert_true(full > 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(killed_at_any_moment),
      cmocka_unit_test(a_full_disk_loses_nothing),
  };
  return cmocka_run_group_tests(tests, make_folders, remove_folders);
}
