// Package sarifcheck compares a log with the schema of SARIF 2.1.0, for the objects that our
// commands write: required properties, no other properties, the values of enumerations. It is for
// tests only. Threads: those of the tests.
package sarifcheck

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Run checks a log and returns its one run.
func Run(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var log map[string]any
	require.NoError(t, json.Unmarshal(text, &log))
	check(t, "log", "log", log)
	runs := log["runs"].([]any)
	require.Len(t, runs, 1)
	run := runs[0].(map[string]any)
	rules := run["tool"].(map[string]any)["driver"].(map[string]any)["rules"].([]any)
	for _, result := range run["results"].([]any) {
		result := result.(map[string]any)
		require.Equal(t, rules[int(result["ruleIndex"].(float64))].(map[string]any)["id"], result["ruleId"])
	}
	return run
}

// objects are the types of the schema that we use: property to type; a leading ! marks a required property. A type
// is string, integer, bool, another object, [] of one, or values joined by |.
var objects = map[string]map[string]string{
	"log":                    {"!version": "2.1.0", "!runs": "[]run", "$schema": "string"},
	"run":                    {"!tool": "tool", "invocations": "[]invocation", "results": "[]result", "columnKind": "utf16CodeUnits|unicodeCodePoints", "originalUriBaseIds": "{}artifactLocation"},
	"tool":                   {"!driver": "toolComponent"},
	"toolComponent":          {"!name": "string", "version": "string", "rules": "[]reportingDescriptor"},
	"reportingDescriptor":    {"!id": "string", "name": "string", "shortDescription": "message", "help": "message", "defaultConfiguration": "reportingConfiguration"},
	"reportingConfiguration": {"level": "none|note|warning|error"},
	"invocation":             {"!executionSuccessful": "bool", "toolExecutionNotifications": "[]notification"},
	"notification":           {"!message": "message", "level": "none|note|warning|error"},
	"result": {"!message": "message", "ruleId": "string", "ruleIndex": "integer", "level": "none|note|warning|error", "locations": "[]location",
		"relatedLocations": "[]location", "stacks": "[]stack", "codeFlows": "[]codeFlow", "occurrenceCount": "integer", "kind": "notApplicable|pass|fail|review|open|informational", "partialFingerprints": "{}string"},
	"message":            {"text": "string"},
	"location":           {"id": "integer", "physicalLocation": "physicalLocation", "logicalLocations": "[]logicalLocation", "message": "message"},
	"physicalLocation":   {"artifactLocation": "artifactLocation", "region": "region"},
	"artifactLocation":   {"uri": "string", "uriBaseId": "string"},
	"region":             {"startLine": "integer", "startColumn": "integer"},
	"logicalLocation":    {"name": "string", "kind": "string"},
	"stack":              {"!frames": "[]stackFrame", "message": "message"},
	"stackFrame":         {"location": "location", "module": "string"},
	"codeFlow":           {"!threadFlows": "[]threadFlow"},
	"threadFlow":         {"!locations": "[]threadFlowLocation"},
	"threadFlowLocation": {"location": "location"},
}

func check(t *testing.T, where, kind string, value any) {
	t.Helper()
	switch {
	case strings.HasPrefix(kind, "[]"):
		list, ok := value.([]any)
		require.True(t, ok, "%s is a list", where)
		for _, v := range list {
			check(t, where, kind[2:], v)
		}
	case strings.HasPrefix(kind, "{}"):
		all, ok := value.(map[string]any)
		require.True(t, ok, "%s is an object", where)
		for _, v := range all {
			check(t, where, kind[2:], v)
		}
	case kind == "string":
		require.IsType(t, "", value, where)
	case kind == "bool":
		require.IsType(t, true, value, where)
	case kind == "integer":
		require.IsType(t, 0.0, value, where)
		require.GreaterOrEqual(t, value, 0.0, where)
	case objects[kind] == nil:
		require.Contains(t, strings.Split(kind, "|"), value, where)
	default:
		all, ok := value.(map[string]any)
		require.True(t, ok, "%s is an object", where)
		properties := objects[kind]
		for name, v := range all {
			of, known := properties[name]
			if !known {
				of, known = properties["!"+name]
			}
			require.True(t, known, "%s has a property %q that the schema's %s has not", where, name, kind)
			check(t, where+"."+name, of, v)
		}
		for name := range properties {
			if required, is := strings.CutPrefix(name, "!"); is {
				require.Contains(t, all, required, where)
			}
		}
	}
}
