//go:build portable_test_hooks

package main

/*
#include "../internal/edge/base.h"

struct heard {
	int64_t begun, ended, count, id, device, status, tiles;
};

static void hear(const portable_hook_event *e, void *payload) {
	struct heard *h = (struct heard *)payload;
	if (e->event == PORTABLE_EVENT_LAUNCH_BEGIN) {
		h->begun++;
		h->id = (int64_t)e->id;
		h->device = e->device;
		h->count = e->count;
	} else {
		h->ended += h->id == (int64_t)e->id;
		h->status = e->status;
	}
}

static void visit(const portable_tile *t, void *args) {
	struct heard *h = (struct heard *)args;
	__atomic_add_fetch(&h->tiles, 1, __ATOMIC_SEQ_CST);
	if (h->count == 13) portable_kernel_fail(t, 1, "thirteen");
}

static portable_status watched_launch(int64_t n, int32_t device, struct heard *h) {
	portable_hook hook;
	portable_bounds b = portable_bounds_1(n);
	portable_launch_config c = PORTABLE_LAUNCH_CONFIG_INIT;
	c.device = device;
	c.tile[0] = 1;
	portable_status status = portable_hook_add(hear, h, PORTABLE_EVENT_LAUNCH_BEGIN | PORTABLE_EVENT_LAUNCH_END, &hook);
	if (status != PORTABLE_OK) return status;
	portable_set_checks(PORTABLE_CHECK_LAUNCH);
	status = portable_parallel_for("watched", &b, visit, h, 0, &c);
	portable_set_checks(0);
	portable_hook_remove(hook);
	return status;
}
*/
import "C"

// watchedLaunch launches n iterations, one a tile, on that device, with a hook and launch checks; 13 fail. heard is what the hook was
// told: beginnings, ends with the same number, iterations, device, status; and the tiles that ran.
func watchedLaunch(n int64, device int) (heard [6]int64, st C.portable_status) {
	var h C.struct_heard
	st = C.watched_launch(C.int64_t(n), C.int32_t(device), &h)
	return [6]int64{int64(h.begun), int64(h.ended), int64(h.count), int64(h.device), int64(h.status), int64(h.tiles)}, st
}
