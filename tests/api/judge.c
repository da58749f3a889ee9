// How the calls of the contract suite are judged.
#include <string.h>

#include "api/fixture.h"

static void judge(bool refused, bool unchanged, const char *text)
{
  const contract_call *call = contract_now.call;
  bool must = call->must[contract_now.variant];
  if (contract_now.variant == 0 && refused && call->has_valid && !contract_now.inside)
    contract_complain("a valid call is refused: %s", text != NULL ? text : "");
  if (must && !refused)
    contract_complain("is accepted");
  if (contract_now.inside && call->changes && !refused)
    contract_complain("is accepted inside a step");
  if (refused && text != NULL && text[0] == 0)
    contract_complain("is refused without a message");
  fixture_after(unchanged);
}

void judge_refusal(bool refused, const char *text)
{
  judge(refused, refused, text);
}

void judge_status(pc_status status, const char *text)
{
  judge(status != PC_OK, status != PC_OK && status != PC_ERROR_NUMERIC, text);
}

void judge_text(const char *text)
{
  if (text != NULL && strlen(text) > 1000000)
    contract_complain("gives a text without an end");
  judge_answer();
}

void judge_answer(void)
{
  fixture_after(contract_now.call->must[contract_now.variant]);
}

void judge_filled_bytes(const void *given, const void *room, size_t size, const char *name)
{
  if (given == NULL || contract_now.inside)
    return;
  const unsigned char *bytes = room;
  bool filled = false;
  for (size_t i = 0; i < size; i++)
    filled = filled || bytes[i] != 0x5a;
  if (!filled)
    contract_complain("leaves %s as it was", name);
}
