package findings

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"libportable/cmd/yaklcheck/internal/trace"
)

// This file compares the report in SARIF with the schema of SARIF 2.1.0, for the objects that we
// write: required properties, no other properties, the values of enumerations.

// sarifObjects are the types of the schema that we use: property to type; a leading ! marks a required property. A type
// is string, integer, bool, another object, [] of one, or values joined by |.
var sarifObjects = map[string]map[string]string{
	"log":                    {"!version": "2.1.0", "!runs": "[]run", "$schema": "string"},
	"run":                    {"!tool": "tool", "invocations": "[]invocation", "results": "[]result", "columnKind": "utf16CodeUnits|unicodeCodePoints", "originalUriBaseIds": "{}artifactLocation"},
	"tool":                   {"!driver": "toolComponent"},
	"toolComponent":          {"!name": "string", "version": "string", "rules": "[]reportingDescriptor"},
	"reportingDescriptor":    {"!id": "string", "name": "string", "shortDescription": "message", "help": "message", "defaultConfiguration": "reportingConfiguration"},
	"reportingConfiguration": {"level": "none|note|warning|error"},
	"invocation":             {"!executionSuccessful": "bool", "toolExecutionNotifications": "[]notification"},
	"notification":           {"!message": "message", "level": "none|note|warning|error"},
	"result": {"!message": "message", "ruleId": "string", "ruleIndex": "integer", "level": "none|note|warning|error", "locations": "[]location",
		"relatedLocations": "[]location", "stacks": "[]stack", "codeFlows": "[]codeFlow", "occurrenceCount": "integer", "partialFingerprints": "{}string"},
	"message":            {"text": "string"},
	"location":           {"id": "integer", "physicalLocation": "physicalLocation", "logicalLocations": "[]logicalLocation", "message": "message"},
	"physicalLocation":   {"artifactLocation": "artifactLocation", "region": "region"},
	"artifactLocation":   {"uri": "string", "uriBaseId": "string"},
	"region":             {"startLine": "integer"},
	"logicalLocation":    {"name": "string", "kind": "string"},
	"stack":              {"!frames": "[]stackFrame", "message": "message"},
	"stackFrame":         {"location": "location", "module": "string"},
	"codeFlow":           {"!threadFlows": "[]threadFlow"},
	"threadFlow":         {"!locations": "[]threadFlowLocation"},
	"threadFlowLocation": {"location": "location"},
}

func checkSARIF(t *testing.T, where, kind string, value any) {
	t.Helper()
	switch {
	case strings.HasPrefix(kind, "[]"):
		list, ok := value.([]any)
		require.True(t, ok, "%s is a list", where)
		for _, v := range list {
			checkSARIF(t, where, kind[2:], v)
		}
	case strings.HasPrefix(kind, "{}"):
		all, ok := value.(map[string]any)
		require.True(t, ok, "%s is an object", where)
		for _, v := range all {
			checkSARIF(t, where, kind[2:], v)
		}
	case kind == "string":
		require.IsType(t, "", value, where)
	case kind == "bool":
		require.IsType(t, true, value, where)
	case kind == "integer":
		require.IsType(t, 0.0, value, where)
		require.GreaterOrEqual(t, value, 0.0, where)
	case sarifObjects[kind] == nil:
		require.Contains(t, strings.Split(kind, "|"), value, where)
	default:
		all, ok := value.(map[string]any)
		require.True(t, ok, "%s is an object", where)
		properties := sarifObjects[kind]
		for name, v := range all {
			of, known := properties[name]
			if !known {
				of, known = properties["!"+name]
			}
			require.True(t, known, "%s has a property %q that the schema's %s has not", where, name, kind)
			checkSARIF(t, where+"."+name, of, v)
		}
		for name := range properties {
			if required, is := strings.CutPrefix(name, "!"); is {
				require.Contains(t, all, required, where)
			}
		}
	}
}

func sarifOf(t *testing.T, files ...*trace.File) map[string]any {
	var b bytes.Buffer
	require.NoError(t, collect(Options{}, files...).WriteSARIF(&b, "0.1.0", ""))
	var log map[string]any
	require.NoError(t, json.Unmarshal(b.Bytes(), &log))
	checkSARIF(t, "log", "log", log)
	return log["runs"].([]any)[0].(map[string]any)
}

func TestSARIF(t *testing.T) {
	run := sarifOf(t, made(1, -1, overrun(), leak(), &trace.Finding{What: trace.ForeignFree, HereStack: 5}))
	results := run["results"].([]any)
	require.Len(t, results, 3)
	rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
	for _, r := range results {
		r := r.(map[string]any)
		require.Equal(t, rules[int(r["ruleIndex"].(float64))].(map[string]any)["id"], r["ruleId"])
	}
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
	s := sarif{}
	of := func(line int) string {
		f := &Finding{Kind: &kinds[0], Label: "h", Sites: []Site{{Frames: []Frame{at("step", "/a/sw.f90", line)}}}}
		return s.fingerprint(f)
	}
	require.Equal(t, of(4), of(5))
}
