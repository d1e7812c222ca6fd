//go:build portable_test_hooks

package guard

import (
	"encoding/hex"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// Instructions as binutils assembles them.
func TestBytesOfAnAccess(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("instructions of x86-64")
	}
	for _, c := range []struct {
		code, text string
		bytes      int
	}{
		{"8807", "movb %al,(%rdi)", 1},
		{"668907", "movw %ax,(%rdi)", 2},
		{"8944b708", "movl %eax,8(%rdi,%rsi,4)", 4},
		{"488907", "movq %rax,(%rdi)", 8},
		{"4d8901", "movq %r8,(%r9)", 8},
		{"c70705000000", "movl $5,(%rdi)", 4},
		{"66c7070500", "movw $5,(%rdi)", 2},
		{"c60705", "movb $5,(%rdi)", 1},
		{"0fb607", "movzbl (%rdi),%eax", 1},
		{"0fb707", "movzwl (%rdi),%eax", 2},
		{"480fbe07", "movsbq (%rdi),%rax", 1},
		{"486307", "movslq (%rdi),%rax", 4},
		{"0107", "addl %eax,(%rdi)", 4},
		{"48830701", "addq $1,(%rdi)", 8},
		{"8107e8030000", "addl $1000,(%rdi)", 4},
		{"803f00", "cmpb $0,(%rdi)", 1},
		{"f0480fc107", "lock xaddq %rax,(%rdi)", 8},
		{"f00fb10f", "lock cmpxchgl %ecx,(%rdi)", 4},
		{"f0ff07", "lock incl (%rdi)", 4},
		{"f0480fc70f", "lock cmpxchg16b (%rdi)", 16},
		{"8707", "xchgl %eax,(%rdi)", 4},
		{"480faf07", "imulq (%rdi),%rax", 8},
		{"f71f", "negl (%rdi)", 4},
		{"f617", "notb (%rdi)", 1},
		{"0f4407", "cmovel (%rdi),%eax", 4},
		{"0f9407", "sete (%rdi)", 1},
		{"ff37", "pushq (%rdi)", 8},
		{"8f07", "popq (%rdi)", 8},
		{"ff17", "call *(%rdi)", 8},
		{"f348ab", "rep stosq", 8},
		{"f3a4", "rep movsb", 1},
		{"a5", "movsl", 4},
		{"f30f1007", "movss (%rdi),%xmm0", 4},
		{"f20f110f", "movsd %xmm1,(%rdi)", 8},
		{"0f1007", "movups (%rdi),%xmm0", 16},
		{"660f2907", "movapd %xmm0,(%rdi)", 16},
		{"f30f6f1f", "movdqu (%rdi),%xmm3", 16},
		{"66450f7f0a", "movdqa %xmm9,(%r10)", 16},
		{"660f1207", "movlpd (%rdi),%xmm0", 8},
		{"0f1707", "movhps %xmm0,(%rdi)", 8},
		{"660f6e07", "movd (%rdi),%xmm0", 4},
		{"f30f7e07", "movq (%rdi),%xmm0", 8},
		{"660fd607", "movq %xmm0,(%rdi)", 8},
		{"f20f5807", "addsd (%rdi),%xmm0", 8},
		{"f30f5807", "addss (%rdi),%xmm0", 4},
		{"660f5907", "mulpd (%rdi),%xmm0", 16},
		{"0f5e07", "divps (%rdi),%xmm0", 16},
		{"f20f5107", "sqrtsd (%rdi),%xmm0", 8},
		{"660f2e07", "ucomisd (%rdi),%xmm0", 8},
		{"0f2f07", "comiss (%rdi),%xmm0", 4},
		{"f20f2a07", "cvtsi2sdl (%rdi),%xmm0", 4},
		{"f2480f2a07", "cvtsi2sdq (%rdi),%xmm0", 8},
		{"f20f2c07", "cvttsd2si (%rdi),%eax", 8},
		{"f30f5a07", "cvtss2sd (%rdi),%xmm0", 4},
		{"0f5a07", "cvtps2pd (%rdi),%xmm0", 8},
		{"f30fe607", "cvtdq2pd (%rdi),%xmm0", 8},
		{"f20f1207", "movddup (%rdi),%xmm0", 8},
		{"660fe707", "movntdq %xmm0,(%rdi)", 16},
		{"0f2b07", "movntps %xmm0,(%rdi)", 16},
		{"660f700701", "pshufd $1,(%rdi),%xmm0", 16},
		{"660ffe07", "paddd (%rdi),%xmm0", 16},
		{"0f5407", "andps (%rdi),%xmm0", 16},
		{"0fae17", "ldmxcsr (%rdi)", 4},
		{"d907", "flds (%rdi)", 4},
		{"dd07", "fldl (%rdi)", 8},
		{"db2f", "fldt (%rdi)", 10},
		{"db3f", "fstpt (%rdi)", 10},
		{"df2f", "fildll (%rdi)", 8},
		{"db1f", "fistpl (%rdi)", 4},
		{"dc07", "faddl (%rdi)", 8},
		{"c5fb1007", "vmovsd (%rdi),%xmm0", 8},
		{"c5fa1107", "vmovss %xmm0,(%rdi)", 4},
		{"c5fd1007", "vmovupd (%rdi),%ymm0", 32},
		{"c5fc1107", "vmovups %ymm0,(%rdi)", 32},
		{"c5f97f07", "vmovdqa %xmm0,(%rdi)", 16},
		{"c5fd580f", "vaddpd (%rdi),%ymm0,%ymm1", 32},
		{"c5fb580f", "vaddsd (%rdi),%xmm0,%xmm1", 8},
		{"c4e2f9b90f", "vfmadd231sd (%rdi),%xmm0,%xmm1", 8},
		{"c4e27da80f", "vfmadd213ps (%rdi),%ymm0,%ymm1", 32},
		{"c4e2f9980f", "vfmadd132pd (%rdi),%xmm0,%xmm1", 16},
		{"c4e279bd0f", "vfnmadd231ss (%rdi),%xmm0,%xmm1", 4},
		{"c4e27d1907", "vbroadcastsd (%rdi),%ymm0", 8},
		{"c4e27d1807", "vbroadcastss (%rdi),%ymm0", 4},
		{"c4e37d190701", "vextractf128 $1,%ymm0,(%rdi)", 16},
		{"c4e37d180701", "vinsertf128 $1,(%rdi),%ymm0,%ymm0", 16},
		{"c5fc5a07", "vcvtps2pd (%rdi),%ymm0", 16},
		{"c5fee607", "vcvtdq2pd (%rdi),%ymm0", 16},
		{"c5f91207", "vmovlpd (%rdi),%xmm0,%xmm0", 8},
		{"c5f91707", "vmovhpd %xmm0,(%rdi)", 8},
		{"c4e27d2507", "vpmovsxdq (%rdi),%ymm0", 16},
		{"c4e2793107", "vpmovzxbd (%rdi),%xmm0", 4},
		{"c5fd2b07", "vmovntpd %ymm0,(%rdi)", 32},
		{"62f1fd481007", "vmovupd (%rdi),%zmm0", 64},
		{"62e17c48110f", "vmovups %zmm17,(%rdi)", 64},
		{"62e1fe286f17", "vmovdqu64 (%rdi),%ymm18", 32},
		{"62f1fd58580f", "vaddpd (%rdi){1to8},%zmm0,%zmm1", 8},
		{"62f17c58580f", "vaddps (%rdi){1to16},%zmm0,%zmm1", 4},
		{"62f2fd48b80f", "vfmadd231pd (%rdi),%zmm0,%zmm1", 64},
		{"62e1ff08110f", "vmovsd %xmm17,(%rdi)", 8},
		{"c4e2fd9214cf", "vgatherdpd %ymm0,(%rdi,%xmm1,8),%ymm2", 8},
		{"0f38f007", "movbe (%rdi),%eax", 4},
		{"f20f38f007", "crc32b (%rdi),%eax", 1},
		{"648b07", "fs movl (%rdi),%eax", 4},
		{"660f3a0b0701", "roundsd $1,(%rdi),%xmm0", 8},
		{"660f3a220701", "pinsrd $1,(%rdi),%xmm0", 4},
		{"660f3a150701", "pextrw $1,%xmm0,(%rdi)", 2},
	} {
		code, err := hex.DecodeString(c.code)
		require.NoError(t, err)
		require.Equal(t, c.bytes, accessBytes(code), "%s (%s)", c.text, c.code)
	}
}

// Whatever stands there, it is looked at and no further.
func FuzzBytesOfAnAccess(f *testing.F) {
	f.Add([]byte{0xf3, 0x0f, 0x11, 0x07})
	f.Fuzz(func(t *testing.T, code []byte) {
		n := accessBytes(code[:min(len(code), 15)])
		require.True(t, n >= 0 && n <= 128)
	})
}
