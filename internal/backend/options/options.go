// Package options reads the options that a program gives for a kernel's source. They are those
// of NVRTC, whatever device the kernel runs on; the rooms of the drivers translate them. In this
// package: the words of such a text, and which options mean something to NVIDIA's compiler only.
// Not in it: what an option becomes (internal/backend/cuda, internal/backend/opencl). Threads:
// safe.
package options

import (
	"slices"
	"strings"
)

// nvidiaValued are options without a meaning for other compilers, with a value, which may be a word of its own. Division and square root of these
// compilers are exact, and they keep small numbers.
var nvidiaValued = []string{"--gpu-architecture", "-arch", "--maxrregcount", "-maxrregcount", "--ftz", "-ftz", "--prec-div", "-prec-div", "--prec-sqrt", "-prec-sqrt"}

// nvidia are all options without a meaning for other compilers.
var nvidia = append([]string{"-default-device", "--device-as-default-execution-space", "-lineinfo", "--generate-line-info"}, nvidiaValued...)

// valued are all options with a value, which may be a word of its own.
var valued = append([]string{"--offload-arch", "--fmad", "-fmad", "--std", "-std", "--include-path", "-include-path"}, nvidiaValued...)

// Words returns the options of a text. A value that is a word of its own stands behind its option: "-arch sm_80" gives "-arch=sm_80".
func Words(text string) (words []string) {
	for _, word := range strings.Fields(text) {
		if last := len(words) - 1; last >= 0 && !strings.HasPrefix(word, "-") && slices.Contains(valued, words[last]) {
			words[last] += "=" + word
		} else {
			words = append(words, word)
		}
	}
	return words
}

// Nvidia tells whether the option of that name, without its value, is for NVIDIA's compiler only.
func Nvidia(name string) bool { return slices.Contains(nvidia, name) }
