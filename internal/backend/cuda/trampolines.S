/* trampolines.S - the cu* functions of cuda_functions.inc. Each jumps through its word of
 * portable__cuda_table. At first that leads to code that asks portable__cuda_bind (shim.c) for the
 * target, with all argument registers kept. A bound call costs one indirect jump. In assembler
 * because C cannot pass on unknown arguments. The symbols are hidden, and local in the archive
 * (cmake/exports.txt), so that a program may also link the driver's own library. qemu-user runs
 * the tests of the part for aarch64. */
#if defined(__CET__)
#include <cet.h>
#elif defined(__x86_64__)
#define _CET_ENDBR
#endif

#if defined(__x86_64__)

        .text
        .p2align 4
        .type   bind, @function
bind:   /* the number of the function is on the stack, above the caller's return address */
        .cfi_startproc
        .cfi_def_cfa_offset 16
        sub     $208, %rsp
        .cfi_adjust_cfa_offset 208
        movups  %xmm0, 0(%rsp)
        movups  %xmm1, 16(%rsp)
        movups  %xmm2, 32(%rsp)
        movups  %xmm3, 48(%rsp)
        movups  %xmm4, 64(%rsp)
        movups  %xmm5, 80(%rsp)
        movups  %xmm6, 96(%rsp)
        movups  %xmm7, 112(%rsp)
        mov     %rdi, 128(%rsp)
        mov     %rsi, 136(%rsp)
        mov     %rdx, 144(%rsp)
        mov     %rcx, 152(%rsp)
        mov     %r8, 160(%rsp)
        mov     %r9, 168(%rsp)
        mov     %rax, 176(%rsp)
        mov     %r10, 184(%rsp)
        mov     208(%rsp), %rdi
        call    portable__cuda_bind
        mov     %rax, %r11
        movups  0(%rsp), %xmm0
        movups  16(%rsp), %xmm1
        movups  32(%rsp), %xmm2
        movups  48(%rsp), %xmm3
        movups  64(%rsp), %xmm4
        movups  80(%rsp), %xmm5
        movups  96(%rsp), %xmm6
        movups  112(%rsp), %xmm7
        mov     128(%rsp), %rdi
        mov     136(%rsp), %rsi
        mov     144(%rsp), %rdx
        mov     152(%rsp), %rcx
        mov     160(%rsp), %r8
        mov     168(%rsp), %r9
        mov     176(%rsp), %rax
        mov     184(%rsp), %r10
        add     $216, %rsp
        .cfi_adjust_cfa_offset -216
        jmp     *%r11
        .cfi_endproc
        .size   bind, .-bind

        .macro  trampoline name
        .globl  \name
        .hidden \name
        .type   \name, @function
        .p2align 4
\name:
        .cfi_startproc
        _CET_ENDBR
        jmp     *portable__cuda_table+8*index(%rip)
        .cfi_endproc
        .size   \name, .-\name
        .p2align 4
.Lfirst_\name:
        .cfi_startproc
        _CET_ENDBR
        push    $index
        .cfi_adjust_cfa_offset 8
        jmp     bind
        .cfi_endproc
        .set    index, index+1
        .endm

        .macro  word name
        .quad   .Lfirst_\name
        .endm

#elif defined(__aarch64__)

        .text
        .p2align 2
        .type   bind, %function
bind:   /* the number of the function is in x16 */
        .cfi_startproc
        stp     x29, x30, [sp, #-224]!
        .cfi_def_cfa_offset 224
        .cfi_offset 29, -224
        .cfi_offset 30, -216
        mov     x29, sp
        stp     x0, x1, [sp, #16]
        stp     x2, x3, [sp, #32]
        stp     x4, x5, [sp, #48]
        stp     x6, x7, [sp, #64]
        str     x8, [sp, #80]
        stp     q0, q1, [sp, #96]
        stp     q2, q3, [sp, #128]
        stp     q4, q5, [sp, #160]
        stp     q6, q7, [sp, #192]
        mov     x0, x16
        bl      portable__cuda_bind
        mov     x16, x0
        ldp     x0, x1, [sp, #16]
        ldp     x2, x3, [sp, #32]
        ldp     x4, x5, [sp, #48]
        ldp     x6, x7, [sp, #64]
        ldr     x8, [sp, #80]
        ldp     q0, q1, [sp, #96]
        ldp     q2, q3, [sp, #128]
        ldp     q4, q5, [sp, #160]
        ldp     q6, q7, [sp, #192]
        ldp     x29, x30, [sp], #224
        .cfi_restore 30
        .cfi_restore 29
        .cfi_def_cfa_offset 0
        br      x16
        .cfi_endproc
        .size   bind, .-bind

        .macro  trampoline name
        .globl  \name
        .hidden \name
        .type   \name, %function
        .p2align 2
\name:
        .cfi_startproc
        hint    #34 /* bti c */
        adrp    x16, portable__cuda_table+8*index
        add     x16, x16, :lo12:portable__cuda_table+8*index
        ldr     x16, [x16]
        br      x16
        .cfi_endproc
        .size   \name, .-\name
.Lfirst_\name:
        .cfi_startproc
        hint    #36 /* bti j */
        mov     x16, #index
        b       bind
        .cfi_endproc
        .set    index, index+1
        .endm

        .macro  word name
        .xword  .Lfirst_\name
        .endm

#else
#error "trampolines.S knows x86-64 and aarch64 only; build with -DPORTABLE_CUDA=OFF"
#endif

        .set    index, 0
#define X(name, arguments) trampoline name
#include "cuda_functions.inc"
#undef X

        .data
        .p2align 3
        .globl  portable__cuda_table
        .hidden portable__cuda_table
        .type   portable__cuda_table, %object
portable__cuda_table:
#define X(name, arguments) word name
#include "cuda_functions.inc"
#undef X
        .size   portable__cuda_table, .-portable__cuda_table

        .section .note.GNU-stack, "", %progbits
