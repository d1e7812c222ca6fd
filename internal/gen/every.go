package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// This file writes a call of every public function of the C headers, for the test that starts and stops the library during the calls
// (ffi_tests/guest/kernels/every.c). A function with unknown arguments is an error, so that each new one comes into the test.

const everyPath = "every/every_calls.inc"

// cFunction is one declaration.
type cFunction struct {
	name   string
	params []cParam
}

type cParam struct{ of, name string }

var (
	cComment   = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
	cDirective = regexp.MustCompile(`(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$`)
	cFunctions = regexp.MustCompile(`^(?:const )?[a-z_0-9]+ \*?(portable_[a-z][a-z_0-9]*)\((.*)\)$`)
	cParameter = regexp.MustCompile(`^(.*?)([a-z_0-9]+)$`)
	cSpaces    = regexp.MustCompile(`\s+`)
)

// withoutBodies takes all between braces out of C text.
func withoutBodies(text string) string {
	var out strings.Builder
	depth := 0
	for _, c := range text {
		switch {
		case c == '{':
			depth++
		case c == '}':
			if depth--; depth == 0 {
				out.WriteByte(';')
			}
		case depth == 0:
			out.WriteRune(c)
		}
	}
	return out.String()
}

// publicFunctions are those that the headers declare, in the order of their names.
func publicFunctions(root string) (list []cFunction, err error) {
	headers, err := filepath.Glob(filepath.Join(root, "capi/include/*/portable*.h"))
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, header := range headers {
		text, err := os.ReadFile(header)
		if err != nil {
			return nil, err
		}
		plain := cDirective.ReplaceAllString(cComment.ReplaceAllString(string(text), " "), " ")
		opening := `extern "C" {`
		if strings.Contains(plain, opening) {
			plain = strings.Replace(plain, opening, "", 1)
			last := strings.LastIndex(plain, "}")
			plain = plain[:last] + plain[last+1:]
		}
		for _, d := range strings.Split(withoutBodies(plain), ";") {
			m := cFunctions.FindStringSubmatch(strings.TrimSpace(cSpaces.ReplaceAllString(d, " ")))
			if m == nil || seen[m[1]] {
				continue
			}
			seen[m[1]] = true
			f := cFunction{name: m[1]}
			for _, p := range strings.Split(m[2], ",") {
				if n := cParameter.FindStringSubmatch(strings.TrimSpace(p)); n != nil && n[2] != "void" {
					f.params = append(f.params, cParam{strings.TrimSpace(n[1]), n[2]})
				}
			}
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b cFunction) int { return strings.Compare(a.name, b.name) })
	return list, nil
}

// notCalled are the functions that the test does not call, with the reason.
var notCalled = map[string]string{
	"portable_init":            "the other thread does",
	"portable_finalize":        "the other thread does",
	"portable_ensure":          "the library must end when the other thread ends it",
	"portable_kernel_fail":     "inside kernels",
	"portable_device_share":    "inside a device of the program",
	"portable_tile_order":      "inside kernels",
	"portable_inner_tile":      "inside kernels",
	"portable_inner_members":   "inside kernels",
	"portable_fence_members":   "inside kernels",
	"portable_block_wait":      "inside kernels",
	"portable_view_outside":    "inside kernels, with a view that is wrong",
	"portable_shadow_of":       "inside kernels",
	"portable_shadow_race":     "inside kernels, with a race",
	"portable_tile_iteration":  "inside kernels",
	"portable_debug_fault":     "the library is broken afterwards",
	"portable_device_register": "a device stays registered for ever",
}

// everyWhole are calls that are not put together of their parameters.
var everyWhole = map[string]string{
	"portable_free":             "free_block(w)",
	"portable_pool_free":        "portable_pool_free(w->pool, w->pool_block), w->pool_block = NULL",
	"portable_timer_start":      `portable_timer_start("every"), portable_timer_stop("every")`,
	"portable_array_deallocate": "portable_array_deallocate(&w->other)",
	"portable_array_release":    "portable_array_release(&w->other)",
	"portable_records_release":  "portable_records_release(&w->records_other)",
	"portable_hook_add":         "portable_hook_add(every_hook, NULL, 0, &w->hook_out), portable_hook_remove(w->hook_out)",
	"portable_timers_print":     `portable_timers_print("/dev/null")`,
	"portable_timers_set_hooks": "portable_timers_set_hooks(NULL)",
	"portable_pool_stats":       "w->stats.struct_size = (uint32_t)sizeof w->stats, portable_pool_stats(w->pool, &w->stats)",
	"portable_fft_create":       "portable_fft_create(\"every\", PORTABLE_FFT_R2C, COUNT, 1, &w->fft_out)",
	"portable_fft_forward":      "portable_fft_forward(\"every\", w->fft, PORTABLE_KIND_REAL32, w->x, w->z, 1, w->extents, NULL)",
	"portable_fft_backward":     "portable_fft_backward(\"every\", w->fft, PORTABLE_KIND_REAL32, w->x, w->z, 1, w->extents, NULL)",
	// Lists are not freed: the library may have been stopped and started since, and the address be that of another block.
	"portable_csr_build":              "portable_csr_build(\"every\", PORTABLE_KIND_INT32, w->owner, 2, 1, 2, NULL, &w->csr)",
	"portable_csr_counts":             "portable_csr_counts(\"every\", PORTABLE_KIND_INT32, w->owner, 2, NULL, &w->csr)",
	"portable_csr_transpose":          "w->csr = (portable_csr)PORTABLE_CSR_INIT, portable_csr_transpose(\"every\", &w->csr, 2, NULL, &w->csr)",
	"portable_segmented_reduce":       "portable_segmented_reduce(\"every\", PORTABLE_REDUCE_SUM, PORTABLE_KIND_REAL64, w->x, 1, PORTABLE_KIND_INT32, w->owner, 1, NULL, w->z)",
	"portable_reorder":                "portable_reorder(\"every\", PORTABLE_KIND_INT32, w->owner, 0, NULL, 0, NULL)",
	"portable_csr_free":               "w->csr = (portable_csr)PORTABLE_CSR_INIT, portable_csr_free(&w->csr)",
	"portable_cell_list_build":        "w->cells = (portable_cell_list)PORTABLE_CELL_LIST_INIT, portable_cell_list_build(\"every\", PORTABLE_KIND_REAL64, 1, (const void *const[]){w->x}, 0, 1, (double[]){0}, (double[]){2}, NULL, &w->cells)",
	"portable_cell_list_free":         "w->cells = (portable_cell_list)PORTABLE_CELL_LIST_INIT, portable_cell_list_free(&w->cells)",
	"portable_neighbour_list":         "w->cells = (portable_cell_list)PORTABLE_CELL_LIST_INIT, portable_neighbour_list(\"every\", &w->cells, PORTABLE_KIND_REAL64, NULL, PORTABLE_KIND_INT32, NULL, &w->csr)",
	"portable_merge_sorted":           "portable_merge_sorted(\"every\", PORTABLE_KIND_INT32, w->owner, 1, w->owner, 1, NULL, w->z)",
	"portable_merge_by_key":           "portable_merge_by_key(\"every\", PORTABLE_KIND_INT32, w->owner, w->x, 0, w->owner, w->x, 0, 8, NULL, w->z, w->z)",
	"portable_map_insert":             "w->map = (portable_index_map)PORTABLE_INDEX_MAP_INIT, portable_map_insert(\"every\", &w->map, w->x, 1, NULL, NULL)",
	"portable_map_find":               "w->map = (portable_index_map)PORTABLE_INDEX_MAP_INIT, portable_map_find(\"every\", &w->map, w->x, 1, NULL, w->z)",
	"portable_map_free":               "w->map = (portable_index_map)PORTABLE_INDEX_MAP_INIT, portable_map_free(&w->map)",
	"portable_fields_add":             "portable_fields_add(w->fields_more, \"every\", &w->array, 0, NULL)",
	"portable_fields_create":          "portable_fields_create(\"every\", &w->fields_out), portable_fields_destroy(w->fields_out)",
	"portable_fields_destroy":         "portable_fields_destroy(0)",
	"portable_halo_box":               "portable_halo_box(\"every\", NULL, &w->box, &w->halo_out), portable_halo_destroy(w->halo_out)",
	"portable_halo_lists":             "portable_halo_lists(\"every\", NULL, &w->lists, &w->halo_out), portable_halo_destroy(w->halo_out)",
	"portable_halo_destroy":           "portable_halo_destroy(0)",
	"portable_halo_end":               "portable_halo_begin(w->halo, w->fields_list, NULL), portable_halo_end(w->halo, w->fields_list, NULL)",
	"portable_halo_split":             "portable_halo_split(w->halo, 0, NULL, &w->bounds_out, w->rim, &w->i32)",
	"portable_particles_migrate":      "portable_particles_migrate(\"every\", NULL, w->owner, 2, w->fields_list, w->launch, &w->i64)",
	"portable_particles_ghosts":       "w->halo_out = 0, portable_particles_ghosts(\"every\", NULL, PORTABLE_KIND_REAL64, 1, (const void *const[]){w->x}, 0, 1, NULL, 0, &w->halo_out, &w->i64), portable_halo_destroy(w->halo_out)",
	"portable_set_num_threads":        "portable_set_num_threads(1 + (int32_t)(w->round % 3))",
	"portable_graph_begin":            "portable_graph_begin(w->stream, &w->graph_out), portable_parallel_for(\"every\", &w->bounds, every_kernel, w->block_args, sizeof w->block_args, &w->config), portable_graph_destroy(w->graph_out)",
	"portable_graph_end":              "portable_graph_begin(w->stream, &w->graph_out), portable_graph_end(w->graph_out), portable_graph_launch(w->graph_out, w->stream), portable_graph_destroy(w->graph_out)",
	"portable_graph_destroy":          "portable_graph_destroy(0)",
	"portable_add_stream_dependency":  "portable_add_stream_dependency(w->block, w->stream)",
	"portable_array_retain":           "portable_array_retain(&w->array), portable_array_release(&w->array)",
	"portable_array_owner_retain":     "portable_array_owner_retain(w->array.owner), portable_array_owner_release(w->array.owner)",
	"portable_array_owner_release":    "portable_array_owner_release(w->other.owner)",
	"portable_array_owner_deallocate": "portable_array_owner_deallocate(w->other.owner)",
	"portable_twin_retain":            "portable_twin_retain(w->twin), portable_twin_release(w->twin)",
	"portable_records_retain":         "portable_records_retain(&w->records), portable_records_release(&w->records)",
	"portable_array_host_object":      "portable_array_host_object(&w->array, &w->array_out)",
}

// everyNamed are arguments by type and name, everyTyped by type alone.
var everyNamed = map[string]string{
	"const void *a": "w->x", "const void *b": "w->y", "const void *data": "w->x", "void *data": "w->x", "const void *keys": "w->x", "void *keys": "w->x",
	"void *values": "w->y", "void *result": "w->z", "void *out": "w->z", "void *result_out": "w->z", "void *indices": "w->z", "void *indices_out": "w->z",
	"const void *vector": "w->y", "const void *mask": "w->mask", "const void *initial": "NULL", "const void *value": "w->y", "void *value_out": "w->z",
	"const void *ptr": "w->block", "const void *args": "w->block_args", "void *payload": "NULL", "const void *block": "w->block_args", "void *buffer": "w->text",
	"const void *packs": "w->text", "void *view_out": "w->text", "const void *field": "w->x", "const void *identity": "NULL",
	"int32_t kind": "PORTABLE_KIND_REAL64", "int32_t mask_kind": "PORTABLE_KIND_INT32", "int32_t index_kind": "PORTABLE_KIND_INT32", "int32_t rank": "1",
	"int32_t op": "PORTABLE_REDUCE_SUM", "int32_t access": "PORTABLE_TWIN_UPDATE", "int64_t count": "COUNT", "int64_t room": "COUNT", "int64_t element_bytes": "8",
	"size_t element_bytes": "8", "size_t value_bytes": "8", "size_t args_bytes": "sizeof w->block_args", "size_t block_bytes": "sizeof w->block_args",
	"size_t argument_count": "1", "size_t result_count": "1", "size_t bytes": "sizeof w->text", "size_t room": "sizeof w->text", "size_t view_bytes": "sizeof w->text",
	"size_t scratch_bytes": "256", "size_t count": "16", "size_t i": "0", "const char *path": `"/dev/null"`, "int32_t width": "8", "int64_t width": "8",
	"const int64_t *extents": "w->extents", "const int64_t *lower": "w->zeroes", "const int64_t *upper": "w->extents", "const int64_t *stride": "w->ones",
	"const int64_t *lower_bounds": "w->zeroes", "const int64_t *strides": "NULL", "const int64_t *index": "w->zeroes", "const int64_t *threads": "w->ones", "const int64_t *elements": "w->ones",
	"const int32_t *threads": "every_threads", "const int64_t *blocks": "w->ones", "const int32_t *dims": "w->dims", "const double *values": "w->x", "int64_t n0": "3", "int64_t n1": "3",
	"int64_t n2": "3", "int64_t n3": "3", "const portable_array *from": "&w->array", "const portable_array *to": "&w->other", "const portable_array *b": "&w->other",
	"const portable_records *to": "&w->records_other", "int32_t layout": "PORTABLE_RECORDS_SOA", "const char *name": `"threads"`, "int32_t code": "-4",
	"portable_array *array_out": "&w->array_out", "portable_array *view_out": "&w->array_out",
}

var everyTyped = map[string]string{
	"portable_device_function": "every_enqueue", "portable_device_reduce_function": "every_leaves", "const float *": "(const float *)(void *)w->x", "const portable_work_division *": "&w->division",
	"const char *": `"every"`, "char *": "w->text", "size_t *": "&w->bytes", "int32_t": "0", "uint32_t": "0", "int64_t": "0", "uint64_t": "0", "size_t": "64",
	"double": "1.0", "float": "1.0f", "int32_t *": "&w->i32", "int64_t *": "&w->i64", "uint64_t *": "&w->u64", "uint32_t *": "w->u32", "float *": "&w->f32", "double *": "&w->f64",
	"void **": "&w->out", "portable_exact *": "&w->exact", "const portable_exact *": "&w->exact_other",
	"const portable_config *": "NULL", "const portable_launch_config *": "w->launch", "const portable_bounds *": "&w->bounds", "portable_bounds *": "&w->bounds_out",
	"portable_pool": "w->pool", "portable_pool *": "&w->pool_out", "const portable_pool_config *": "NULL", "portable_stats *": "&w->stats",
	"portable_block_visitor": "every_block", "portable_block *": "&w->found", "portable_kernel": "w->kernel", "portable_kernel *": "&w->kernel_out",
	"portable_stream": "w->stream", "portable_stream *": "&w->stream_out", "portable_event": "w->event", "portable_graph": "w->graph", "portable_event *": "&w->event_out",
	"portable_fft": "w->fft", "portable_fields": "w->fields_list", "portable_halo": "w->halo", "portable_fft *": "&w->fft_out", "portable_liveout": "w->liveout", "portable_liveout *": "&w->liveout_out", "portable_twin": "w->twin", "portable_twin *": "&w->twin_out",
	"portable_array_owner": "w->array.owner", "const portable_array *": "&w->array", "portable_array *": "&w->array_out", "portable_device": "0", "portable_device *": "&w->i32",
	"portable_hook": "0", "portable_kernel_function": "every_kernel", "portable_team_function": "every_team", "portable_block_function": "every_thread", "portable_reduce_function": "every_reduce",
	"portable_filter_function": "every_filter", "portable_stream_function": "every_callback", "portable_fallback_visitor": "every_fallback",
	"const portable_argument *": "&every_argument", "portable_argument *": "&w->argument", "const portable_reduction *": "&w->reduction",
	"const portable_array_config *": "NULL", "const portable_twin_config *": "NULL", "const portable_sort_options *": "NULL", "const portable_scan_options *": "NULL", "const portable_solve_options *": "NULL",
	"const portable_filter_options *": "NULL", "const portable_random_options *": "NULL", "struct portable_random_key": "portable_random_key_make(1, 2, 3)", "const portable_array_options *": "NULL", "const portable_componentwise_options *": "NULL",
	"const portable_array_range *": "w->ranges", "portable_record *": "&w->record", "const portable_record *": "&every_record", "portable_records *": "&w->records_out",
	"const portable_records *": "&w->records", "void *const *": "w->fields", "portable_timer_stats *": "&w->timer", "portable_twin_state *": "&w->state",
	"portable_layout *": "&w->layout", "portable_work_division *": "&w->division", "const portable_cuda_code *": "NULL", "struct portable_launch_space *": "(struct portable_launch_space *)(void *)w->text",
	"portable_device_properties *": "&w->properties", "const portable_timer_hooks *": "NULL", "void *": "w->z", "const void *": "w->x",
	"portable_status": "PORTABLE_OK",
}

// everyGiven names the call that releases the out parameter of a type.
var everyGiven = map[string]string{
	"portable_pool *": "if (pool_is_new(w->pool_out)) portable_pool_destroy(w->pool_out);", "portable_kernel *": "portable_kernel_destroy(w->kernel_out);",
	"portable_stream *": "portable_stream_destroy(w->stream_out);", "portable_event *": "portable_event_destroy(w->event_out);",
	"portable_liveout *": "portable_liveout_destroy(w->liveout_out);", "portable_fft *": "portable_fft_destroy(w->fft_out);", "portable_twin *": "portable_twin_release(w->twin_out);",
	"portable_array *": "portable_array_release(&w->array_out);", "portable_records *": "portable_records_release(&w->records_out);",
}

// renderEvery writes the calls.
func renderEvery(root string) ([]byte, error) {
	list, err := publicFunctions(root)
	if err != nil {
		return nil, err
	}
	if len(list) < 150 {
		return nil, fmt.Errorf("gen: the headers seem to declare only %d functions", len(list))
	}
	var out strings.Builder
	var unknown []string
	out.WriteString("/* Code generated by internal/gen from the headers in capi/include; DO NOT EDIT. */\n")
	for _, f := range list {
		if why := notCalled[f.name]; why != "" {
			fmt.Fprintf(&out, "/* %s: not here, %s */\n", f.name, why)
			continue
		}
		call, given := everyWhole[f.name], ""
		if call == "" {
			var args []string
			for _, p := range f.params {
				arg, ok := everyNamed[strings.TrimSuffix(p.of, " ")+space(p.of)+p.name]
				if !ok {
					arg, ok = everyTyped[p.of]
				}
				if !ok {
					unknown = append(unknown, f.name+": "+p.of+" "+p.name)
				}
				args = append(args, arg)
				if g := everyGiven[p.of]; g != "" {
					given += " " + g
				}
			}
			call = f.name + "(" + strings.Join(args, ", ") + ")"
		}
		fmt.Fprintf(&out, "EVERY(%s, (void)(%s);%s)\n", f.name, call, given)
	}
	if len(unknown) > 0 {
		return nil, fmt.Errorf("gen: no argument is known for these; put one into internal/gen/every.go:\n%s", strings.Join(unknown, "\n"))
	}
	return []byte(out.String()), nil
}

// space stands between a type and a name, but not behind an asterisk.
func space(of string) string {
	if strings.HasSuffix(of, "*") {
		return ""
	}
	return " "
}
