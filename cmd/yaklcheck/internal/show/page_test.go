package show

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/yaklcheck/internal/trace"
)

// This file tests the rows of the page that a reader opens, and its script.

// fileOf is a trace of these records.
func fileOf(t *testing.T, records ...trace.Record) string {
	path := filepath.Join(t.TempDir(), "written.trace")
	var buffer bytes.Buffer
	w, err := trace.NewWriter(&buffer)
	require.NoError(t, err)
	for _, r := range records {
		require.NoError(t, w.Write(r))
	}
	require.NoError(t, os.WriteFile(path, buffer.Bytes(), 0o666))
	return path
}

// written is the run of these records, of one thread and with a microsecond between them.
func written(t *testing.T, records ...trace.Record) *Run {
	for i, r := range records {
		*r.When() = trace.Head{Thread: 1, Time: uint64(1000 * (i + 1))}
	}
	r, err := Load(fileOf(t, records...))
	require.NoError(t, err)
	return r
}

func pageOf(t *testing.T, r *Run) string {
	var page bytes.Buffer
	require.NoError(t, Page(&page, []*Run{r}))
	return page.String()
}

// TestPageNamesAll: labels beyond the first ones are in a part that the reader opens.
func TestPageNamesAll(t *testing.T) {
	var records []trace.Record
	for i := range 24 {
		id := uint64(i + 1)
		records = append(records, &trace.Begin{ID: id, Work: 1, Count: 10, Label: fmt.Sprintf("loop %d;", i)}, &trace.End{ID: id, Work: 1})
	}
	for i := range 30 {
		records = append(records, &trace.Alloc{Address: uint64(i+1) << 12, Bytes: 100, Label: fmt.Sprintf("array %d;", i)})
	}
	page := pageOf(t, written(t, records...))
	pictures := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(page, -1)
	require.Len(t, pictures, 3)
	require.Contains(t, pictures[1], "(others)")
	require.NotContains(t, pictures[2], "(others)")
	for i := range 24 {
		require.Contains(t, pictures[2], fmt.Sprintf(">loop %d;</text>", i))
	}
	require.Contains(t, page, "<details><summary>a row for each label</summary>")
	_, all, found := strings.Cut(page, "<summary>all 30 labels</summary>")
	require.True(t, found)
	for i := range 30 {
		require.Contains(t, all, fmt.Sprintf("<td>array %d;</td>", i))
	}

	few := pageOf(t, written(t, records[:6]...))
	require.NotContains(t, few, "<details>", "all is shown already")
}

// TestNoBlocks: the page explains how a trace gets the arrays of ALLOCATE.
func TestNoBlocks(t *testing.T) {
	r := written(t, &trace.Begin{ID: 1, Work: 1, Label: "a"}, &trace.End{ID: 1, Work: 1})
	const note = "programs that link portable::allocate"
	require.Contains(t, pageOf(t, r), note)
	var text bytes.Buffer
	r.Text(&text)
	require.Contains(t, text.String(), note)
	require.Equal(t, 1, strings.Count(text.String(), note))
	require.NotContains(t, pageOf(t, written(t, &trace.Alloc{Address: 1, Bytes: 10})), note)
}

// TestZoom runs the script on a made-up picture.
func TestZoom(t *testing.T) {
	require.Contains(t, pageOf(t, written(t, &trace.Alloc{Address: 1, Bytes: 10})), zoomScript)
	require.NotContains(t, zoomScript, "</script", "it would end the script")
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("there is no node to run the page's script")
	}
	out, err := exec.Command(node, "testdata/zoom_test.js", "zoom.js").CombinedOutput()
	require.NoError(t, err, "%s", out)
}
