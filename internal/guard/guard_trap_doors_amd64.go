//go:build portable_test_hooks

package guard

/*
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include "../team/team.h"
#include "guard_step.h"

enum { HOOK_FOREIGN = 1, HOOK_FLAG_LEFT = 2, HOOK_PAGE_OPEN = 4 };

#define HOOK_FLAG 0x100

void portable__hook_other_handler(void); // guard_trap_doors.go
int portable__hook_other_traps(void);
int portable__hook_is_open(uintptr_t address);

// A trap as the handler gets it, on the thread that steps over an access to `address`, or that does not step (0). The stepped instruction has two bytes.
// The pc of the trap is `behind` bytes after its start, and `before` is the byte before it; -1: the pc is the first byte behind an unreadable page.
static int hook_trap(uintptr_t address, int code, int flag, int before, int behind) {
	static unsigned char text[128];
	siginfo_t info;
	ucontext_t context;
	unsigned char *pages = NULL, *pc = text + 16 + behind;
	long page = sysconf(_SC_PAGESIZE);
	int result = 0;
	memset(&info, 0, sizeof info);
	memset(&context, 0, sizeof context);
	memset(text, 0x90, sizeof text);
	memcpy(text + 16, "\x8b\x00", 2); // mov (%rax), %eax
	portable__hook_other_handler();
	greg_t *r = context.uc_mcontext.gregs;
	r[REG_RIP] = (greg_t)(text + 16);
	if (address) {
		info.si_code = SEGV_ACCERR;
		info.si_addr = (void *)address;
		int (*fault)(int, siginfo_t *, void *) = atomic_load(&portable__fault_hook);
		if (!fault || !fault(SIGSEGV, &info, &context) || !(r[REG_EFL] & HOOK_FLAG)) return -1; // a debugger, say
	}
	portable__hook_other_traps();
	if (before < 0) {
		pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (pages == MAP_FAILED || mprotect(pages, page, PROT_NONE) != 0) return -2;
		pc = pages + page;
	} else {
		pc[-1] = (unsigned char)before;
	}
	r[REG_RIP] = (greg_t)pc;
	r[REG_EFL] = flag ? r[REG_EFL] | HOOK_FLAG : r[REG_EFL] & ~HOOK_FLAG;
	info.si_code = code;
	info.si_addr = NULL;
	portable__guard_on_trap(SIGTRAP, &info, &context);
	if (portable__hook_other_traps()) result |= HOOK_FOREIGN;
	if (r[REG_EFL] & HOOK_FLAG) result |= HOOK_FLAG_LEFT;
	if (address && portable__hook_is_open(address)) result |= HOOK_PAGE_OPEN;
	info.si_code = TRAP_TRACE;
	portable__guard_on_trap(SIGTRAP, &info, &context); // ends a step that goes on
	signal(SIGTRAP, SIG_DFL);
	if (pages) munmap(pages, 2 * page);
	return result;
}
*/
import "C"

// Test hook: feeds the handler of SIGTRAP with traps that this machine may never raise.

// trapResult says how the handler took a trap: another handler got it, the trap flag is still set, the page is still open.
type trapResult struct{ foreign, flagLeft, pageOpen bool }

// trap hands one trap to the handler; can is false where the library does not step.
func trap(address uintptr, code int, flag bool, before, behind int) (r trapResult, can bool) {
	n := C.hook_trap(C.uintptr_t(address), C.int(code), C.int(number(flag)), C.int(before), C.int(behind))
	return trapResult{n&C.HOOK_FOREIGN != 0, n&C.HOOK_FLAG_LEFT != 0, n&C.HOOK_PAGE_OPEN != 0}, n >= 0
}
