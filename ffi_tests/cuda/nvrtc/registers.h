/* registers.h - what a cubin says of its kernels. The section .text.NAME has the registers of a thread in the upper 8 bits of sh_info, but not from sm_90
 * on. .nv.info has attributes by symbol, of which registers (EIATTR_REGCOUNT, 0x2f) and frame (EIATTR_MIN_STACK_SIZE, 0x12) are read. Formats as
 * nvdisasm and cuobjdump show them. */
#ifndef CUDA_REGISTERS_H
#define CUDA_REGISTERS_H
#include <elf.h>
#include <stdint.h>
#include <string.h>

struct kernel_use {
  char name[200];
  int registers, stack;
};

/* How many kernels were found; -1: no cubin. */
static int registers_of(const char *image, size_t bytes, struct kernel_use *kernels, int most) {
  Elf64_Ehdr h;
  if (bytes < sizeof h || memcmp(image, ELFMAG, SELFMAG) != 0) return -1;
  memcpy(&h, image, sizeof h);
  Elf64_Shdr names, s;
  memcpy(&names, image + h.e_shoff + (size_t)h.e_shstrndx * h.e_shentsize, sizeof names);
  int count = 0;
  for (int i = 0; i < h.e_shnum; i++) {
    memcpy(&s, image + h.e_shoff + (size_t)i * h.e_shentsize, sizeof s);
    const char *name = image + names.sh_offset + s.sh_name;
    if (strncmp(name, ".text.", 6) != 0 || count == most) continue;
    strncpy(kernels[count].name, name + 6, sizeof kernels[count].name - 1);
    kernels[count].name[sizeof kernels[count].name - 1] = 0;
    kernels[count].registers = (int)(s.sh_info >> 24);
    kernels[count].stack = 0;
    count++;
  }
  for (int i = 0; i < h.e_shnum; i++) { /* attributes: a byte form (4: with a length), a byte number, 16 bits of length, words */
    memcpy(&s, image + h.e_shoff + (size_t)i * h.e_shentsize, sizeof s);
    if (strcmp(image + names.sh_offset + s.sh_name, ".nv.info") != 0) continue;
    Elf64_Shdr symbols, strings;
    memcpy(&symbols, image + h.e_shoff + (size_t)s.sh_link * h.e_shentsize, sizeof symbols);
    memcpy(&strings, image + h.e_shoff + (size_t)symbols.sh_link * h.e_shentsize, sizeof strings);
    for (size_t at = 0; at + 4 <= s.sh_size;) {
      const unsigned char *p = (const unsigned char *)image + s.sh_offset + at;
      uint16_t length;
      memcpy(&length, p + 2, 2);
      if (p[0] == 4 && (p[1] == 0x12 || p[1] == 0x2f) && length == 8) {
        uint32_t of[2];
        Elf64_Sym symbol;
        memcpy(of, p + 4, 8);
        memcpy(&symbol, image + symbols.sh_offset + of[0] * sizeof symbol, sizeof symbol);
        for (int k = 0; k < count; k++)
          if (strcmp(kernels[k].name, image + strings.sh_offset + symbol.st_name) == 0) *(p[1] == 0x12 ? &kernels[k].stack : &kernels[k].registers) = (int)of[1];
      }
      at += 4u + (p[0] == 4 ? length : 0u);
    }
  }
  return count;
}
#endif
