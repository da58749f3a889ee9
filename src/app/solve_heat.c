#include "app/solve_heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "core/array.h"
#include "core/error.h"

void app_heat_solve(const pc_scene_impact *scene, bool solved, app_heat *heat)
{
  *heat = (app_heat){.error = {.text = "the collision was not solved"}};
  if (scene->heat == NULL)
    return;
  heat->after = calloc((size_t)scene->bodies + 1, sizeof *heat->after);
  if (heat->after == NULL) {
    pc_fail(&heat->error, PC_ERROR_MEMORY, "out of memory");
    return;
  }
  heat->answered =
      solved && pc_scene_impact_heat(scene, heat->after, &heat->info, &heat->error) == PC_OK;
  for (int i = 0; i < scene->bodies && heat->answered; i++)
    if (!(heat->after[i].temperature > 0)) { // only formulas for small changes can give that
      heat->answered = false;
      snprintf(heat->error.text, sizeof heat->error.text,
               "heat: mode %s gives body '%.60s' a temperature of %g K; the changes are too large "
               "for this mode, use 'closed'",
               pc_heat_mode_name(scene->heat_mode), scene->body_ids[i], heat->after[i].temperature);
    }
}

void app_heat_free(app_heat *heat)
{
  free(heat->after);
}

// Numbers are null where there is no answer.
static void write(pc_json *json, const app_heat *heat, const char *name, double value)
{
  pc_json_key(json, name);
  pc_json_number(json, heat->answered ? value : NAN);
}

void app_heat_write_body(pc_json *json, const app_heat *heat, int body)
{
  if (heat->after == NULL)
    return;
  write(json, heat, "temperature", heat->after[body].temperature);
  write(json, heat, "heat", heat->after[body].heat);
}

#define NUMBER(field) APP_NUMBER(pc_heat_account, field)
static const app_number numbers[] = { //
    NUMBER(energy),       NUMBER(work),         NUMBER(received),         NUMBER(supplied),
    NUMBER(entropy),      NUMBER(produced),     NUMBER(entropy_received), NUMBER(entropy_supplied),
    NUMBER(energy_error), NUMBER(entropy_error)};

void app_heat_write(pc_json *json, const pc_scene_impact *scene, const app_heat *heat)
{
  if (heat->after == NULL)
    return;
  const pc_heat_account *account = &heat->info.account;
  pc_json_key(json, "heat");
  pc_json_open(json, '{');
  pc_json_key(json, "mode"), pc_json_string(json, pc_heat_mode_name(scene->heat_mode));
  pc_json_key(json, "status"), pc_json_string(json, heat->answered ? "solved" : "failed");
  write(json, heat, "residual", heat->info.residual);
  pc_json_key(json, "valid"), pc_json_boolean(json, heat->answered && heat->info.valid);
  for (int i = 0; i < PC_COUNT(numbers); i++)
    write(json, heat, numbers[i].name, app_number_of(&numbers[i], account));
  pc_json_key(json, "closed"), pc_json_boolean(json, heat->answered && account->closed);
  pc_json_close(json);
}

void app_heat_print(const pc_scene_impact *scene, const app_heat *heat, int most_rows)
{
  if (heat->after == NULL)
    return;
  printf("\nheat, %s\n", pc_heat_mode_name(scene->heat_mode));
  if (!heat->answered) {
    printf("  failed: %s\n", heat->error.text);
    return;
  }
  int width = 7, count = scene->bodies + scene->outside;
  for (int i = 0; i < scene->bodies; i++)
    width = (int)fmax(width, (double)strlen(scene->body_ids[i]));
  width = width > 24 ? 24 : width;
  printf("%-*s %14s %14s %12s %12s\n", width, "body", "before, K", "after, K", "change, K",
         "heat, J");
  int shown = count > most_rows ? most_rows : count;
  for (int i = 0; i < shown; i++)
    printf("%-*.*s %14.9g %14.9g %12.5g %12.5g\n", width, width,
           i < scene->bodies ? scene->body_ids[i] : "outside", scene->heat[i].temperature,
           heat->after[i].temperature, heat->after[i].jump, heat->after[i].heat);
  if (shown < count)
    printf("... and %d more (--json prints all)\n", count - shown);

  const pc_heat_account *account = &heat->info.account;
  const struct {
    const char *name, *unit;
    double value;
    bool always;
  } lines[] = {{"dissipated by interactions", "J", account->work, true},
               {"received from outside", "J", account->received, false},
               {"supplied by the heat mode", "J", account->supplied, false},
               {"gained by bodies", "J", account->energy, true},
               {"entropy produced", "J/K", account->produced, true},
               {"entropy received from outside", "J/K", account->entropy_received, false},
               {"entropy supplied by the heat mode", "J/K", account->entropy_supplied, false},
               {"entropy gained by bodies", "J/K", account->entropy, true}};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
    if (lines[i].always || lines[i].value != 0)
      printf("  %-32s %14.8g %s\n", lines[i].name, lines[i].value, lines[i].unit);
  printf("  %-32s %14s   relative errors: energy %.1e, entropy %.1e\n", "heat balance",
         account->closed ? "closed" : "NOT CLOSED", account->energy_error, account->entropy_error);
  if (account->work < 0 || account->produced < -1e-12 * fabs(account->entropy))
    printf("  entropy may decrease: a separating contact returned energy\n");
  if (!heat->info.valid && scene->heat_mode >= PC_HEAT_LINEAR)
    printf("  changes or exchanges are too large for this mode; use 'closed'\n");
}
