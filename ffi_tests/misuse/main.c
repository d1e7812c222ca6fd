/* main.c - misuse_c KIND CALLER commits one kind of misuse, and writes `end of case` at its end. CALLER
 * is misuse_status, which looks at each status and writes it with its text, or misuse_no_status, which
 * does not, and holds the kinds without a status. With an empty KIND it writes the cells of CALLER:
 * kind | settings | outcome, as run_cells.c explains. Not in this file: any kind. */
#include "misuse.h"

static const struct table *const tables[] = {
    &lifetimes_table, &settings_table, &environment_table, &arguments_table, &pool_configs_table, &byte_counts_table,
    &sizes_and_labels_table, &pointers_table, &pointers_to_live_table, &limits_table, &huge_sizes_table,
    &pools_table, &stale_pools_table, &live_pools_table, &streams_table, &system_table, &gone_streams_table, &gone_events_table,
    &callbacks_table, &stream_callbacks_table, &arrays_table, &arrays_checked_table, &twins_table, &records_table, &solves_table, &meshes_table, &early_blocks_table,
    &blocks_table, &early_graphs_table, &graphs_table, &recordings_table};

static void write_cell(const struct kind *k, const char *settings, const char *outcome, const char *status) {
  int texts = k->texts && strcmp(outcome, "ok") != 0;
  printf("%s | %s | %s", k->name, settings, outcome);
  if (*status || texts) printf(": %s%s%s", status, *status && texts ? " && " : "", texts ? k->texts : "");
  puts("");
}

/* The cells of a row. An error is a status, nothing where no status is tested, and a text or an abort where there is no status. */
static void write_cells(const struct kind *k) {
  static const char *const words[] = {[FATE_PASSES] = "ok", [FATE_TELLS] = "says", [FATE_WARNS] = "warning"};
  const char *settings = k->settings ? k->settings : "";
  char status[100] = "", strict[300];
  if (looks && k->fate == FATE_FAILS)
    snprintf(status, sizeof status, "status %d %s:", (int)k->status, k->error);
  else if (looks)
    snprintf(status, sizeof status, "status 0");
  if (k->fate != FATE_FAILS) {
    write_cell(k, settings, words[k->fate], status);
  } else if (!k->gator) {
    write_cell(k, settings, looks ? "says" : "ok", status);
  } else if (strcmp(settings, "strict") == 0) {
    write_cell(k, settings, "abort", "");
  } else {
    snprintf(strict, sizeof strict, "default %s", settings);
    write_cell(k, strict, "says", "");
    snprintf(strict, sizeof strict, "strict %s", settings);
    write_cell(k, strict, "abort", "");
  }
}

static void commit(const struct table *t, const struct kind *k) {
  if (t->begin) t->begin();
  k->commit();
  if (t->end) t->end();
  fprintf(stderr, "end of case\n");
}

int main(int argc, char **argv) {
  if (argc != 3 || (strcmp(argv[2], "misuse_status") != 0 && strcmp(argv[2], "misuse_no_status") != 0)) {
    fprintf(stderr, "usage: misuse KIND misuse_status|misuse_no_status\n");
    return 2;
  }
  looks = strcmp(argv[2], "misuse_status") == 0;
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    for (size_t j = 0; j < tables[i]->count; j++) {
      const struct kind *k = &tables[i]->rows[j];
      if (looks && k->gator) continue;
      if (!*argv[1]) {
        write_cells(k);
      } else if (strcmp(argv[1], k->name) == 0) {
        commit(tables[i], k);
        return 0;
      }
    }
  if (!*argv[1]) return 0;
  fprintf(stderr, "there is no kind '%s'\n", argv[1]);
  return 2;
}
