package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/internal/instance"
)

// The exports are called here as C calls them; cgo's own names stand for C's types, because tests can not
// import C.

func TestHotPathsAllocateNothing(t *testing.T) {
	require.NoError(t, lib.Init(instance.Request{FastPath: -1}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	label := []byte("a label")
	var out _Ctype_uintptr_t
	pair := func() {
		if portable__go_alloc(1000, 1000, textOf(label), _Ctype_size_t(len(label)), &out) != 0 || portable__go_free(out) != 0 {
			t.Error("allocate or free failed")
		}
	}
	pair() // keeps the label
	require.Zero(t, testing.AllocsPerRun(1000, pair))
}

func TestErrorsHaveCodes(t *testing.T) {
	var out _Ctype_uintptr_t
	require.EqualValues(t, -4, portable__go_alloc(1, 1, nil, 0, &out), "not running")
	require.NoError(t, lib.Init(instance.Request{}))
	defer func() { require.NoError(t, lib.Finalize()) }()
	require.EqualValues(t, -5, portable__go_free(1<<20))
	require.EqualValues(t, -2, portable__go_alloc(1<<60, 1<<60, nil, 0, &out))
	require.Zero(t, out)
	require.EqualValues(t, -3, portable__go_pool_check(12345))
}

func TestGuardMakesAStatusOfAPanic(t *testing.T) {
	st := func() (st _Ctype_portable_status) {
		defer guard(&st)
		panic("on purpose")
	}()
	require.EqualValues(t, -12, st)
	require.True(t, strings.Contains(lastError(), "on purpose"))
	require.True(t, strings.Contains(lastError(), "please report"))
	require.EqualValues(t, -12, crossIn(), "after a fault everything is refused")
}
