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

// nvidia are options without a meaning for other compilers. Their division and square root are exact, and small numbers are kept.
var nvidia = []string{"--gpu-architecture", "-arch", "--maxrregcount", "-maxrregcount", "-default-device", "--device-as-default-execution-space", "-lineinfo",
	"--generate-line-info", "--ftz", "-ftz", "--prec-div", "-prec-div", "--prec-sqrt", "-prec-sqrt"}

// valued are options with a value, which may be a word of its own.
var valued = []string{"--gpu-architecture", "-arch", "--offload-arch", "--maxrregcount", "-maxrregcount", "--ftz", "-ftz", "--prec-div", "-prec-div", "--prec-sqrt", "-prec-sqrt",
	"--fmad", "-fmad", "--std", "-std", "--include-path", "-include-path"}

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
