package findings

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/yaklcheck/internal/trace"
	"libportable/internal/report"
	"libportable/internal/report/sarifcheck"
)

// This file tests the report in SARIF. Package sarifcheck compares it with the schema.

func sarifOf(t *testing.T, files ...*trace.File) map[string]any {
	var b bytes.Buffer
	require.NoError(t, collect(Options{}, files...).WriteSARIF(&b, "0.1.0", ""))
	return sarifcheck.Run(t, b.Bytes())
}

func TestSARIF(t *testing.T) {
	run := sarifOf(t, made(1, -1, overrun(), leak(), &trace.Finding{What: trace.ForeignFree, HereStack: 5}))
	results := run["results"].([]any)
	require.Len(t, results, 3)
	first := results[0].(map[string]any)
	location, _ := json.Marshal(first["locations"])
	require.JSONEq(t, `[{"message": {"text": "at max_stable_dt"}, "logicalLocations": [{"kind": "function", "name": "max_stable_dt"}],
		"physicalLocation": {"artifactLocation": {"uri": "src/sw.f90", "uriBaseId": "SRCROOT"}, "region": {"startLine": 41}}}]`, string(location))
	require.Len(t, first["codeFlows"], 1)
	require.Len(t, first["stacks"], 2)
	require.Equal(t, "file:///home/u/model/", run["originalUriBaseIds"].(map[string]any)["SRCROOT"].(map[string]any)["uri"])
	// A finding without a known file is a result, too.
	require.Empty(t, results[1].(map[string]any)["locations"])
}

func TestSARIFWithoutFindings(t *testing.T) {
	killed := made(1, -1)
	killed.Finish = nil
	run := sarifOf(t, killed)
	require.Empty(t, run["results"])
	require.Len(t, run["invocations"].([]any)[0].(map[string]any)["toolExecutionNotifications"], 1)
}

func TestSARIFFingerprintsHoldWhenLinesMove(t *testing.T) {
	s := sarif{&report.SARIF{}}
	of := func(line int) string {
		f := &Finding{Kind: &kinds[0], Label: "h", Sites: []Site{{Frames: []Frame{{Frame: at("step", "/a/sw.f90", line)}}}}}
		return s.fingerprint(f)
	}
	require.Equal(t, of(4), of(5))
}
