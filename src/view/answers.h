// Answers the requests of the page from the file of a run. Knows nothing of sockets.
#ifndef PERCUSS_VIEW_ANSWERS_H
#define PERCUSS_VIEW_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>

#include "percuss/status.h"

enum { PC_ANSWER_MOST = 4 << 20 }; // bytes of one answer

typedef struct pc_answers pc_answers;

// May be used by many threads at once.
pc_answers *pc_answers_open(const char *path, pc_error *error);
void pc_answers_close(pc_answers *answers);

// A request: `api/NAME`, with arguments.
typedef struct pc_question {
  const char *name;
  // The value of an argument, NULL if it is not given.
  const char *(*argument)(void *context, const char *key);
  bool (*is_wanted)(void *context); // false: the client has gone
  // The server has ended the connection: the answer is given up wherever it is.
  bool (*is_dropped)(void *context);
  void *context;
} pc_question;

typedef struct pc_answer {
  int status;       // of HTTP
  const char *type; // of the data
  void *data;
  size_t size;
} pc_answer;

// Always gives an answer; a failure is a line of text. pc_answer_free frees its memory; the memory
// of all answers together is limited (status 503).
void pc_answers_give(pc_answers *answers, const pc_question *question, pc_answer *answer);
void pc_answer_free(pc_answers *answers, pc_answer *answer);

#endif
