package capi

// This file has the exports for layouts by rule, and the rules of the process.

/*
#include "questions.h"
#include "../arrays/owner/layout.h"
*/
import "C"

import (
	"fmt"
	"strings"
	"sync/atomic"
	"unsafe"

	"libportable/arrays"
	"libportable/exec"
)

// layouts are the rules of the process, tuned the tuning file that they are of.
var (
	layouts arrays.Rules
	tuned   []exec.Tuning
)

// rulesOfDevices: an order for an array on a device was looked up.
var rulesOfDevices atomic.Bool

func ended(t C.portable__text) string { return C.GoString((*C.char)(unsafe.Pointer(t))) }

// layoutsOutside takes the rules for arrays of a tuning file.
func layoutsOutside(list []exec.Tuning) {
	var rules []arrays.Rule
	tuned = list
	for _, t := range list {
		rules = append(rules, t.Layouts...)
	}
	layouts.SetOutside(rules)
	C.portable__layout_count(C.int64_t(layouts.Len()))
}

//export portable__go_layout_rule
func portable__go_layout_rule(label, device, layout C.portable__text, rowBytes C.uint64_t) (st C.portable_status) {
	defer guard(&st)
	if label == nil {
		return status(arrays.Missing("label"))
	}
	if ended(label) == "" {
		return fail(C.PORTABLE_ERR_ARG, `the label is empty; "*" stands for all`)
	}
	r := arrays.Rule{Device: strings.TrimSpace(ended(device))}
	r.Label, r.Prefix = strings.CutSuffix(ended(label), "*")
	if layout != nil {
		if why := r.ParseOrder(ended(layout)); why != "" {
			return fail(C.PORTABLE_ERR_ARG, fmt.Sprintf("the layout %q is invalid (%s)", ended(layout), why))
		}
	}
	if why := r.SetRow(uint64(rowBytes)); why != "" {
		return fail(C.PORTABLE_ERR_ARG, fmt.Sprintf("row_bytes is %d; %s", uint64(rowBytes), why))
	}
	layouts.Add(r)
	C.portable__layout_count(C.int64_t(layouts.Len()))
	return C.PORTABLE_OK
}

//export portable__go_layout_find
func portable__go_layout_find(label C.portable__text, device, rank, otherwise C.int32_t, layout *C.portable_layout) (st C.portable_status) {
	defer guard(&st)
	switch {
	case label == nil:
		return status(arrays.Missing("label"))
	case layout == nil:
		return status(arrays.Missing("layout_out"))
	}
	if err := arrays.LayoutAsked(int(rank), arrays.Order(otherwise)); err != nil {
		return status(err)
	}
	if n := C.int32_t(C.portable_device_count()); device != arrays.OnHost && (device < 0 || device > n) {
		return fail(C.PORTABLE_ERR_NODEVICE, fmt.Sprintf("there is no device %d; there are %d", device, n))
	}
	r := machine{}.Rule(ended(label), int32(device), int(rank))
	layout.order, layout.row_bytes = otherwise, C.uint64_t(r.RowBytes)
	if r.Ordered {
		layout.order = C.int32_t(r.Order)
		*dims(&layout.fastest[0]) = r.Fastest
	}
	return C.PORTABLE_OK
}
