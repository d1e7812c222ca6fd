//go:build portable_test_hooks

package guard

/*
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static __thread int hook_traps;

static void hook_other_handler(int number, siginfo_t *info, void *context) {
	(void)number, (void)info, (void)context;
	hook_traps++;
}

// Installs a handler of SIGTRAP that is not ours.
void portable__hook_other_handler(void) {
	struct sigaction other;
	memset(&other, 0, sizeof other);
	other.sa_flags = SA_SIGINFO;
	other.sa_sigaction = hook_other_handler;
	sigaction(SIGTRAP, &other, NULL);
}

// The traps that it got on this thread since the last call.
int portable__hook_other_traps(void) {
	int n = hook_traps;
	hook_traps = 0;
	return n;
}

// The system reads the byte, so a closed page is no signal.
int portable__hook_is_open(uintptr_t address) {
	int ends[2];
	if (pipe(ends) != 0) return 0;
	int open = write(ends[1], (const void *)address, 1) == 1;
	close(ends[0]);
	close(ends[1]);
	return open;
}
*/
import "C"

// Test hooks that the doors to traps of both processors call; they are C only.
