// What readers and preparations do grows like their input, counted and not timed.
#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

#include "crowd/gaps.h"
#include "crowd/scan.h"
#include "record/record.h"

// The linker sends calls of these here.
static long compared, refreshed;
int __real_strcmp(const char *a, const char *b);
int __wrap_strcmp(const char *a, const char *b);
herr_t __real_H5Drefresh(hid_t dataset);
herr_t __wrap_H5Drefresh(hid_t dataset);

int __wrap_strcmp(const char *a, const char *b)
{
  compared++;
  return __real_strcmp(a, b);
}

herr_t __wrap_H5Drefresh(hid_t dataset)
{
  refreshed++;
  return __real_H5Drefresh(dataset);
}

// A hall with spikes in its ceiling; the caller frees its corners.
static double (*make_spikes(int spikes, double width, int *count))[2]
{
  double(*p)[2] = calloc((size_t)(2 * spikes + 4), sizeof *p);
  assert_non_null(p);
  int n = 0;
  p[n][0] = 0, p[n++][1] = 0;
  p[n][0] = width, p[n++][1] = 0;
  for (int i = spikes; i > 0; i--) {
    p[n][0] = width * i / spikes, p[n++][1] = 5;
    p[n][0] = width * (i - 0.5) / spikes, p[n++][1] = 4;
  }
  p[n][0] = 0, p[n++][1] = 5;
  *count = n;
  return p;
}

// Oracle: every edge asked about every point.
static void lines_say_what_points_say(void **state)
{
  pc_random random = test_random(__func__);
  for (int round = 0; round < test_count(40); round++) {
    int count, solids = (int)pc_random_uniform(&random, 0, 6);
    double(*hall)[2] = make_spikes(1 + round % 30, 10, &count), box[6][4][2], y[50];
    pc_scan scan = {.next = 0};
    assert_true(pc_scan_add(&scan, false, count, (const double(*)[2])hall));
    for (int s = 0; s < solids; s++) {
      double x = 0.5 * floor(pc_random_uniform(&random, 0, 18)),
             low = 0.5 * floor(pc_random_uniform(&random, 0, 10));
      double all[4][2] = {{x, low}, {x + 1.5, low}, {x + 1.5, low + 1}, {x, low + 1}};
      memcpy(box[s], all, sizeof all);
      assert_true(pc_scan_add(&scan, true, 4, (const double(*)[2])box[s]));
    }
    pc_scan_begin(&scan);
    for (int i = 0; i < 50; i++) // on corners and edges too
      y[i] = i % 2 == 0 ? 0.25 * i - 1 : 0.25 * i - 1 + pc_random_uniform(&random, 0, 0.25);
    assert_true(pc_scan_lines(&scan, 50, y));
    for (int i = 0; i < 50; i++)
      for (int k = 0; k < 60; k++) {
        double p[2] = {k % 2 == 0 ? 0.25 * k - 1 : pc_random_uniform(&random, -1, 11), y[i]};
        bool free = pc_is_inside(count, (const double(*)[2])hall, p);
        for (int s = 0; s < solids; s++)
          free = free && !pc_is_inside(4, (const double(*)[2])box[s], p);
        if (pc_scan_allows(&scan, i, p[0]) != free)
          fail_msg("round %d: (%.17g, %.17g) is %s", round, p[0], p[1], free ? "free" : "not free");
      }
    pc_scan_free(&scan);
    free(hall);
  }
}

static long work_of_spikes(int spikes)
{
  int count;
  double(*hall)[2] = make_spikes(spikes, spikes, &count), y[100];
  pc_scan scan = {.next = 0};
  assert_true(pc_scan_add(&scan, false, count, (const double(*)[2])hall));
  pc_scan_begin(&scan);
  for (int row = 0; row < 5; row++) {
    for (int i = 0; i < 20; i++)
      y[i] = row + 0.05 * i;
    assert_true(pc_scan_lines(&scan, 20, y));
  }
  long work = scan.work;
  pc_scan_free(&scan);
  free(hall);
  return work;
}

// Per corner, whatever the floor's width.
static void spikes_cost_what_they_are(void **state)
{
  double few = (double)work_of_spikes(250) / 250, many = (double)work_of_spikes(4000) / 4000;
  if (!(many < 1.1 * few))
    fail_msg("%g edges looked at for each of 4,000 spikes, %g for each of 250", many, few);
}

// Comparisons of names to write a record of so many datasets, a tenth as many groups, and to open
// it and ask for every dataset and group.
static long names_compared(int datasets, long *refreshes)
{
  char path[64], name[64];
  bool memory = access("/dev/shm", W_OK | X_OK) == 0;
  snprintf(path, sizeof path, "%s/percuss-growth-%d.h5", memory ? "/dev/shm" : "/tmp",
           (int)getpid());
  pc_error error = {.text = ""};
  pc_record *record = pc_record_create(path, &error);
  assert_non_null(record);
  for (int i = 0; i < datasets; i++) {
    double number = i;
    snprintf(name, sizeof name, "group-%d/dataset-%d", i / 10, i);
    assert_int_equal(pc_record_array(record, name, PC_RECORD_DOUBLE, 1, (long[]){1}, &number),
                     PC_OK);
  }
  assert_int_equal(pc_record_start(record), PC_OK);
  assert_int_equal(pc_record_close(record, 1, &error), PC_OK);
  compared = refreshed = 0;
  pc_reading *reading = pc_reading_open(path, &error);
  assert_non_null(reading);
  long size[4];
  for (int i = 0; i < datasets; i++) {
    snprintf(name, sizeof name, "group-%d/dataset-%d", i / 10, i);
    assert_int_equal(pc_reading_size(reading, name, size), 1);
    snprintf(name, sizeof name, "group-%d", i / 10);
    pc_reading_frames(reading, name);
  }
  assert_int_equal(pc_reading_refresh(reading, &error), PC_OK);
  long all = compared;
  *refreshes = refreshed;
  pc_reading_close(reading);
  unlink(path);
  return all;
}

// Teeth of a comb are all nearer to each other than a person is wide; only neighbours have a gap.
static void gaps_of_a_comb_are_those_of_neighbours(void **state)
{
  for (int spikes = 50; spikes <= 800; spikes *= 4) {
    int count;
    pc_error error = {0};
    pc_layout plan = {0};
    pc_gap_list gaps = {0};
    double(*hall)[2] = make_spikes(spikes, 10, &count);
    assert_ok(pc_layout_add(&plan, PC_AREA_WALKABLE, count, (const double(*)[2])hall, &error),
              &error);
    assert_ok(pc_layout_finish(&plan, &error), &error);
    assert_ok(pc_gaps_find(&plan, 0.5, &gaps, &error), &error);
    printf("%d spikes: %d gaps\n", spikes, gaps.count);
    assert_in_range(gaps.count, spikes - 1, 8 * spikes);
    pc_array_free(&gaps);
    pc_layout_free(&plan);
    free(hall);
  }
}

static void datasets_are_found_at_once(void **state)
{
  long refreshes;
  double few = (double)names_compared(200, &refreshes) / 200;
  double many = (double)names_compared(2000, &refreshes) / 2000;
  if (!(many < 2 * few + 4))
    fail_msg("%g names compared for each of 2,000 datasets, %g for each of 200", many, few);
  assert_int_equal(refreshes, 0); // each takes as long as there are datasets
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lines_say_what_points_say),
      cmocka_unit_test(spikes_cost_what_they_are),
      cmocka_unit_test(gaps_of_a_comb_are_those_of_neighbours),
      cmocka_unit_test(datasets_are_found_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
