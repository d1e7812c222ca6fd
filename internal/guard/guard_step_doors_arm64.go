//go:build portable_test_hooks

package guard

/*
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include "../team/team.h"
#include "guard_step.h"

enum { HOOK_WORDS = 512, HOOK_VECTOR = 256 };

struct hook_state {
	uint64_t x[18];                        // x0 to x17; the last two are the hook's
	unsigned char z[32][HOOK_VECTOR];      // as far as the processor's vectors reach
};

static uint32_t *hook_code;
static _Atomic int hook_faults;

// An instruction that cannot run is left out.
static void hook_skip(int number, siginfo_t *info, void *context) {
	(void)number, (void)info;
	((ucontext_t *)context)->uc_mcontext.pc += 4;
	hook_faults++;
}

// Writes so many instructions, each with a return.
static int hook_put(const uint32_t *words, int n) {
	long bytes = 2 * HOOK_WORDS * sizeof *words;
	if (n > HOOK_WORDS) return 0;
	if (!hook_code) {
		hook_code = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (hook_code == MAP_FAILED) return 0;
	}
	if (mprotect(hook_code, bytes, PROT_READ | PROT_WRITE) != 0) return 0;
	for (int i = 0; i < n; i++) {
		hook_code[2 * i] = words[i];
		hook_code[2 * i + 1] = 0xd65f03c0; // ret
	}
	__builtin___clear_cache((char *)hook_code, (char *)hook_code + bytes);
	return mprotect(hook_code, bytes, PROT_READ | PROT_EXEC) == 0;
}

#define HOOK_EACH(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15) M(16) M(17) M(18) M(19) M(20) M(21) M(22) M(23) \
	M(24) M(25) M(26) M(27) M(28) M(29) M(30) M(31)
#define HOOK_LOAD_Q(i) "ldr q" #i ", [x0]\nadd x0, x0, #256\n"
#define HOOK_STORE_Q(i) "str q" #i ", [x0]\nadd x0, x0, #256\n"
#define HOOK_LOAD_Z(i) "ldr z" #i ", [x0]\nadd x0, x0, #256\n"
#define HOOK_STORE_Z(i) "str z" #i ", [x0]\nadd x0, x0, #256\n"
#define HOOK_LOAD_X "ldp x0, x1, [x17]\nldp x2, x3, [x17, #16]\nldp x4, x5, [x17, #32]\nldp x6, x7, [x17, #48]\nldp x8, x9, [x17, #64]\n" \
	"ldp x10, x11, [x17, #80]\nldp x12, x13, [x17, #96]\nldp x14, x15, [x17, #112]\n"
#define HOOK_STORE_X "stp x0, x1, [x17]\nstp x2, x3, [x17, #16]\nstp x4, x5, [x17, #32]\nstp x6, x7, [x17, #48]\nstp x8, x9, [x17, #64]\n" \
	"stp x10, x11, [x17, #80]\nstp x12, x13, [x17, #96]\nstp x14, x15, [x17, #112]\n"
#define HOOK_CLOBBERS "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x30", "cc", "memory", \
	"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16", "v17", "v18", "v19", "v20", "v21", "v22", \
	"v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"
#define HOOK_PREDICATES "ptrue p0.b\nptrue p1.h\nptrue p2.s\nptrue p3.d\nptrue p4.b, vl3\nptrue p5.b, vl8\nptrue p6.h, vl2\nptrue p7.s, vl3\nsetffr\n"

static int hook_has_sve(void) { return (getauxval(AT_HWCAP) >> 22 & 1) != 0; }

// Runs one instruction with these registers. 1: it ran.
static int hook_run(int i, struct hook_state *s) {
	int sve = hook_has_sve();
	hook_faults = 0;
	register uint32_t *code __asm__("x16") = hook_code + 2 * i; // no call from here on
	register struct hook_state *state __asm__("x17") = s;
	if (sve)
		__asm__ volatile(".arch armv8.2-a+sve\n" HOOK_PREDICATES "add x0, x17, #144\n" HOOK_EACH(HOOK_LOAD_Z) HOOK_LOAD_X "blr x16\n" HOOK_STORE_X
			"add x0, x17, #144\n" HOOK_EACH(HOOK_STORE_Z) ".arch armv8-a\n" : "+r"(code), "+r"(state) : : HOOK_CLOBBERS);
	else
		__asm__ volatile("add x0, x17, #144\n" HOOK_EACH(HOOK_LOAD_Q) HOOK_LOAD_X "blr x16\n" HOOK_STORE_X
			"add x0, x17, #144\n" HOOK_EACH(HOOK_STORE_Q) : "+r"(code), "+r"(state) : : HOOK_CLOBBERS);
	return !hook_faults;
}

// The same in ordinary memory, where faults are those of the instruction.
static int hook_try(int i, struct hook_state *s) {
	static const int numbers[] = {SIGILL, SIGSEGV, SIGBUS};
	struct sigaction skip, before[3];
	memset(&skip, 0, sizeof skip);
	skip.sa_flags = SA_SIGINFO | SA_ONSTACK;
	skip.sa_sigaction = hook_skip;
	for (int k = 0; k < 3; k++) sigaction(numbers[k], &skip, &before[k]);
	int ran = hook_run(i, s);
	for (int k = 0; k < 3; k++) sigaction(numbers[k], &before[k], NULL);
	return ran;
}

static int hook_open(uintptr_t at, uintptr_t bytes) { return mprotect((void *)at, bytes, PROT_READ | PROT_WRITE) == 0; }

// ---- operations that are a load which watches its memory, and a store ----

#define HOOK_OPERATION(watch, between, store) \
	__asm__ volatile("1: " watch "\n\t" between "\n\t" store "\n\tcbnz %w3, 1b\n2:" \
		: "=&r"(old), "=&r"(more), "=&r"(made), "=&r"(failed) : "r"(at), "r"(value), "r"(expected) : "memory", "cc")

// As compilers write them without the instructions of one atomic operation each.
static uint64_t hook_atomic(int which, uint64_t *at, uint64_t value) {
	uint64_t old = 0, more = 0, made = 0, failed = 0, expected = which == 2 ? ~value : *(volatile uint64_t *)at;
	switch (which) {
	case 0: HOOK_OPERATION("ldaxr %0, [%4]", "add %2, %0, %5", "stlxr %w3, %2, [%4]"); break;
	case 1: HOOK_OPERATION("ldaxr %0, [%4]", "", "stxr %w3, %5, [%4]"); break;
	case 2: // another value: a branch leaves it
	case 3: HOOK_OPERATION("ldaxr %0, [%4]", "cmp %0, %6\n\tb.ne 2f", "stlxr %w3, %5, [%4]"); break;
	case 4: HOOK_OPERATION("ldxrb %w0, [%4]", "eor %w2, %w0, %w5", "stxrb %w3, %w2, [%4]"); break;
	case 5: HOOK_OPERATION("ldxr %w0, [%4]", "tbnz %w0, #31, 2f\n\tcbz %w0, 2f\n\tand %w2, %w0, %w5\n\tmvn %w2, %w2", "stxr %w3, %w2, [%4]"); break;
	default: HOOK_OPERATION("ldaxp %0, %1, [%4]", "add %2, %1, %5", "stlxp %w3, %2, %5, [%4]"); break;
	}
	return old;
}

// It cannot be copied: the store is missing.
static uint32_t hook_only_load(uint32_t *at) {
	uint32_t value;
	__asm__ volatile("ldxr %w0, [%1]\n\tldr wzr, [%1]\n\tclrex" : "=&r"(value) : "r"(at) : "memory");
	return value;
}

// ---- the processor's description of a fault ----

// The access of an instruction at which a fault has this syndrome (0: the kernel does not pass it), behind another record. is_fetch_out: whether a fault
// at the instruction's own address is a jump.
static struct portable__access hook_described(uint32_t word, uint64_t esr, int32_t *is_fetch_out) {
	ucontext_t context;
	siginfo_t info;
	uint32_t text[4] = {word, 0xd503201f, 0xd503201f, 0xd503201f};
	memset(&context, 0, sizeof context);
	memset(&info, 0, sizeof info);
	unsigned char *at = context.uc_mcontext.__reserved;
	struct fpsimd_context vectors = {.head = {FPSIMD_MAGIC, sizeof vectors}};
	struct esr_context e = {.head = {ESR_MAGIC, sizeof e}, .esr = esr};
	memcpy(at, &vectors, sizeof vectors);
	if (esr) memcpy(at + sizeof vectors, &e, sizeof e);
	context.uc_mcontext.pc = (uintptr_t)text;
	info.si_addr = text;
	*is_fetch_out = portable__step_is_fetch(&info, &context);
	return portable__step_access(&context);
}

// ---- signals during steps ----

static _Atomic int hook_strange, hook_signals;

static void hook_on_signal(int number, siginfo_t *info, void *context) {
	Dl_info found;
	(void)number, (void)info;
	hook_signals++;
	if (!dladdr((void *)((ucontext_t *)context)->uc_mcontext.pc, &found)) hook_strange++;
}

static _Atomic int hook_done;
static void *hook_shoot(void *thread) {
	while (!hook_done) {
		pthread_kill(*(pthread_t *)thread, SIGUSR2);
		usleep(20);
	}
	return NULL;
}

// ---- traps ----

enum { HOOK_FOREIGN = 1, HOOK_BACK = 2, HOOK_PAGE_OPEN = 4, HOOK_MASK_BACK = 8 };

void portable__hook_other_handler(void); // guard_trap_doors.go
int portable__hook_other_traps(void);
int portable__hook_is_open(uintptr_t address);

// A trap as the handler gets it, on a thread that steps over an access to `address`, `far` bytes behind the start of the copy. With inside set, a fault of
// the copy at an address that is not ours comes first. -1: there is no step.
static int hook_trap_at(uintptr_t address, int code, int far, int inside) {
	static const uint32_t text[2] = {0xb9400000, 0xd503201f}; // ldr w0, [x0]; nop
	siginfo_t info;
	ucontext_t context;
	sigset_t mask;
	int result = 0;
	memset(&info, 0, sizeof info);
	memset(&context, 0, sizeof context);
	portable__hook_other_handler();
	sigaddset(&context.uc_sigmask, SIGUSR1);
	mask = context.uc_sigmask;
	context.uc_mcontext.pc = (uintptr_t)text;
	info.si_code = SEGV_ACCERR;
	info.si_addr = (void *)address;
	int (*fault)(int, siginfo_t *, void *) = atomic_load(&portable__fault_hook);
	if (!fault || !fault(SIGSEGV, &info, &context) || context.uc_mcontext.pc == (uintptr_t)text) return -1;
	uintptr_t at = context.uc_mcontext.pc;
	if (inside) {
		info.si_code = SEGV_MAPERR;
		info.si_addr = (void *)16;
		if (fault(SIGSEGV, &info, &context)) return -2;
		if (context.uc_mcontext.pc == (uintptr_t)text) result |= HOOK_BACK;
	} else {
		portable__hook_other_traps();
		context.uc_mcontext.pc = at + far;
		info.si_code = code;
		portable__guard_on_trap(SIGTRAP, &info, &context);
		if (portable__hook_other_traps()) result |= HOOK_FOREIGN;
		if (context.uc_mcontext.pc == (uintptr_t)(text + 1)) result |= HOOK_BACK;
		if (portable__hook_is_open(address)) result |= HOOK_PAGE_OPEN;
	}
	if (memcmp(&mask, &context.uc_sigmask, 8) == 0) result |= HOOK_MASK_BACK;
	context.uc_mcontext.pc = at + 4;
	info.si_code = TRAP_BRKPT;
	portable__guard_on_trap(SIGTRAP, &info, &context); // ends a step that goes on
	signal(SIGTRAP, SIG_DFL);
	return result;
}

// Reads one address so many times while signals come. How many of them were seen at a pc that is in no module; -1: none came.
static int hook_under_fire(uintptr_t at, int times) {
	struct sigaction ours, before;
	pthread_t self = pthread_self(), other;
	memset(&ours, 0, sizeof ours);
	ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
	ours.sa_sigaction = hook_on_signal;
	sigaction(SIGUSR2, &ours, &before);
	hook_done = hook_signals = hook_strange = 0;
	pthread_create(&other, NULL, hook_shoot, &self);
	for (int i = 0; i < times; i++) (void)*(volatile char *)at;
	hook_done = 1;
	pthread_join(other, NULL);
	sigaction(SIGUSR2, &before, NULL);
	return hook_signals ? hook_strange : -1;
}
*/
import "C"

import "unsafe"

// Doors to steps of aarch64, on a processor of that kind or under qemu-user.

// armState is what an instruction works on: x0 to x17, and all vectors.
type armState struct {
	x [18]uint64
	z [32][C.HOOK_VECTOR]byte
}

// putArm writes instructions that runArm and tryArm run.
func putArm(words []uint32) bool {
	return C.hook_put((*C.uint32_t)(unsafe.Pointer(&words[0])), C.int(len(words))) != 0
}

// tryArm runs one of them and says whether it ran; runArm lets faults go to the library.
func tryArm(i int, s *armState) bool {
	return C.hook_try(C.int(i), (*C.struct_hook_state)(unsafe.Pointer(s))) != 0
}

func runArm(i int, s *armState) { C.hook_run(C.int(i), (*C.struct_hook_state)(unsafe.Pointer(s))) }

func openAgain(at uintptr, bytes uint64) bool {
	return C.hook_open(C.uintptr_t(at), C.uintptr_t(bytes)) != 0
}

const armAtomics = 7

func atomicAt(which int, at uintptr, value uint64) uint64 {
	return uint64(C.hook_atomic(C.int(which), (*C.uint64_t)(unsafe.Pointer(at)), C.uint64_t(value)))
}

func onlyLoad(at uintptr) uint32 {
	return uint32(C.hook_only_load((*C.uint32_t)(unsafe.Pointer(at))))
}

func underFire(at uintptr, times int) int {
	return int(C.hook_under_fire(C.uintptr_t(at), C.int(times)))
}

// armTrap says how the handler took a trap: another handler got it, the program goes on behind the instruction, the page is still open, the signals are as
// before.
type armTrap struct{ foreign, back, pageOpen, maskBack bool }

// trapArm hands a trap to the handler, so many bytes behind the start of the copy; inside: a fault of the copy instead.
func trapArm(address uintptr, code, far int, inside bool) (r armTrap, can bool) {
	n := C.hook_trap_at(C.uintptr_t(address), C.int(code), C.int(far), C.int(number(inside)))
	return armTrap{n&C.HOOK_FOREIGN != 0, n&C.HOOK_BACK != 0, n&C.HOOK_PAGE_OPEN != 0, n&C.HOOK_MASK_BACK != 0}, n >= 0
}

// describedArm is the access at a fault with this syndrome, and whether it is a jump.
func describedArm(word uint32, esr uint64) (write int, isFetch bool) {
	var fetch C.int32_t
	a := C.hook_described(C.uint32_t(word), C.uint64_t(esr), &fetch)
	return int(a.is_write), fetch != 0
}
