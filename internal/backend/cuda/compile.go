package cuda

/*
#include <stdlib.h>
#include "nvrtc.h"
*/
import "C"

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"libportable/internal/backend/opencl/door"
)

// compile runs NVRTC, hiprtc or clang. The log names the user's file and lines.
func (b *build) compile() (image []byte, log string, err error) {
	names, texts := headerTexts()
	if b.driver == OpenCL {
		return b.compileOpenCL(names, texts)
	}
	text := string(b.text)
	if b.code.Line > 0 || b.driver == Hip {
		text = fmt.Sprintf("#line %d \"%s\"\n%s", max(b.code.Line, 1), strings.ReplaceAll(b.file, `\`, `\\`), text)
	}
	if b.driver == Hip {
		text = hipPrelude + text
	}
	// The texts are Go's memory, pinned for the call: C.CString ends the program if there is no memory.
	var pinned runtime.Pinner
	defer pinned.Unpin()
	c := func(s string) *C.char {
		text := append([]byte(s), 0)
		pinned.Pin(&text[0])
		return (*C.char)(unsafe.Pointer(&text[0]))
	}
	list := func(all []string) **C.char {
		to := make([]*C.char, len(all)+1)
		for i, s := range all {
			to[i] = c(s)
		}
		pinned.Pin(&to[0])
		return &to[0]
	}
	work := new(C.struct_portable__nvrtc_work)
	work.text, work.name = c(text), c(b.file)
	work.headers, work.header_names, work.header_texts = C.int32_t(len(names)), list(names), list(texts)
	work.options, work.option = C.int32_t(len(b.options)), list(b.options)
	if b.cubin {
		work.cubin = 1
	}
	var r C.struct_portable__nvrtc_result
	failed := C.portable__nvrtc_compile(C.int(b.driver), work, &r) != 0
	if r.log != nil {
		log = strings.Trim(C.GoString(r.log), "\n")
	}
	if !failed {
		image = C.GoBytes(unsafe.Pointer(r.image), C.int(r.image_bytes))
	}
	C.free(unsafe.Pointer(r.image))
	C.free(unsafe.Pointer(r.log))
	switch {
	case !failed:
		return image, log, nil
	case r.code == C.PORTABLE__NVRTC_COMPILATION:
		return nil, log, &Problem{Lasting: true, Text: "its device version does not compile:\n" + firstErrors(log)}
	}
	return nil, log, &Problem{Text: fmt.Sprintf("%s does not compile its device version: %s gives %d (%s); options: %s%s", []string{"NVRTC", "hiprtc"}[b.driver],
		callOf(b.driver, C.GoString(r.call)), int(r.code), C.GoString(C.portable__nvrtc_error(C.int(b.driver), r.code)), strings.Join(b.options, " "), lines("\n", log))}
}

// compileOpenCL runs clang.
func (b *build) compileOpenCL(names, texts []string) (image []byte, log string, err error) {
	image, log, wrong, err := door.Compile(string(b.text), b.file, b.code.Line, names, texts, b.options, variable, ordinalOf(b.index))
	switch {
	case wrong:
		return nil, log, &Problem{Lasting: true, Text: "its device version does not compile:\n" + firstErrors(log)}
	case err != nil:
		return nil, log, &Problem{Text: fmt.Sprintf("clang does not compile its device version: %v; options: %s%s", err, strings.Join(b.options, " "), lines("\n", log))}
	}
	return image, log, nil
}

func lines(before, log string) string {
	if log == "" {
		return ""
	}
	return before + firstErrors(log)
}

// mostText is the part of a compiler's log that an error shows; portable_kernel_cuda_log has all of it.
const mostText = 3000

// firstErrors returns the log from the first error on.
func firstErrors(log string) string {
	if at := strings.Index(log, "error"); at >= 0 {
		log = log[strings.LastIndexByte(log[:at], '\n')+1:]
	}
	if len(log) > mostText {
		log = log[:strings.LastIndexByte(log[:mostText], '\n')+1] + "... (portable_kernel_cuda_log has all of it)"
	}
	return strings.TrimRight(log, "\n")
}

// callOf is the name of a compiler's function.
func callOf(driver Interface, call string) string {
	if driver == Hip {
		return "hiprtc" + strings.Replace(call, "PTX", "Code", 1)
	}
	return "nvrtc" + call
}
