// Package copy copies arrays from one layout to another: the plan and the blocks (copy.c), one block (copy_block.c, copy_stream.c), comparison and
// checksum (copy_look.c). Not here: launches (exec/algorithm), copies that a device does (exec/device, internal/backend/cuda).
// Callers are exec/algorithm and exec/device. In C because compilers vectorise C and not Go.
// Threads: units of one copy run at once; functions keep no state.
package copy

import "C"

// The room whose C this room calls.
import _ "libportable/internal/kernels/base"
