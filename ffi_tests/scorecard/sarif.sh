#!/bin/bash
# sarif.sh YAKLCHECK PROGRAMS SOURCES WORK: reports of all cases as SARIF, held against the official schema of SARIF 2.1.0. The schema is OASIS's, so it is
# not kept here: it is in a Go module of the public domain, which is fetched; where that cannot be done, says so and gives 77. The test
# sarif_test.go has the rules of the schema that our reports need (cmd/yaklcheck/internal/findings).
set -u
yaklcheck=$1 programs=$2 sources=$3 work=$4 go=${GO:-go}
rm -rf "$work"
mkdir -p "$work/reports" && cd "$work" || exit 1
cat >go.mod <<'EOF'
module sarif
go 1.24
require (
	github.com/owenrumney/go-sarif/v3 v3.3.1
	github.com/xeipuuv/gojsonschema v1.2.0
)
EOF
cat >main.go <<'EOF'
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/xeipuuv/gojsonschema"
)

func main() {
	file, err := parser.ParseFile(token.NewFileSet(), os.Args[1], nil, 0)
	if err != nil {
		panic(err)
	}
	text := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING && len(literal.Value) > len(text) {
			text = literal.Value
		}
		return true
	})
	text, _ = strconv.Unquote(text)
	schema, err := gojsonschema.NewSchema(gojsonschema.NewStringLoader(text))
	if err != nil {
		panic(err)
	}
	failed := 0
	for _, path := range os.Args[2:] {
		report, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		result, err := schema.Validate(gojsonschema.NewBytesLoader(report))
		if err == nil && result.Valid() {
			continue
		}
		failed++
		fmt.Println("FAILED", path, err)
		if result != nil {
			for _, e := range result.Errors() {
				fmt.Println("  ", e)
			}
		}
	}
	fmt.Printf("%d reports, %d failed\n", len(os.Args)-2, failed)
	if failed > 0 || len(os.Args) < 3 {
		os.Exit(1)
	}
}
EOF
export GOFLAGS=-mod=mod GOTOOLCHAIN=local GOWORK=off
if ! "$go" mod tidy >tidy.log 2>&1; then
  echo "skipped: the module with the schema cannot be fetched: $(tail -1 tidy.log)"
  exit 77
fi
"$go" build -o validate . || exit 1
schema=$("$go" list -m -f '{{.Dir}}' github.com/owenrumney/go-sarif/v3)/pkg/report/v210/sarif/schema.go
cases() { grep -hoE '(!|//|/\*) (fault|clean) \w+:' "$1" | sed -E 's/.* (\w+):/\1/'; }
for pair in pool.f90:pool kernels.f90:kernels allocate.f90:allocate faults.c:faults_c devices.c:devices_c faults.cpp:faults_cpp; do
  program=$programs/${pair#*:}
  [ -x "$program" ] || continue
  for name in $(cases "$sources/${pair%:*}"); do
    timeout 60 "$yaklcheck" --format=sarif --quiet --checks=launch,arrays --fill --output="reports/$name.sarif" --error-exitcode=0 "$program" "$name" >/dev/null 2>&1
    [ -s "reports/$name.sarif" ] || { echo "FAILED: $name has no report"; exit 1; }
  done
done
# Other commands that write reports.
"$yaklcheck" lint --format=sarif --quiet --output=reports/lint.sarif --error-exitcode=0 "$sources"/*.f90 "$sources"/../../../cmd/yaklcheck/internal/lint/testdata/*.f90 || exit 1
"$yaklcheck" statics --format=sarif --quiet --output=reports/statics.sarif --error-exitcode=0 "$programs/devices_c" || exit 1
portablef=${yaklcheck%/*}/portablef
if [ -x "$portablef" ]; then
  # It ends with 1: some of these loops are refused, though a directive asks for them.
  "$portablef" survey --sarif "$sources/../../loops/refused" >reports/portablef.sarif || [ $? = 1 ] || exit 1
fi
# A report that is wrong must be seen.
sed 's/"version": "2.1.0"/"version": "2.0"/' "$(ls reports/*.sarif | head -1)" >wrong.sarif
./validate "$schema" wrong.sarif >/dev/null && { echo "FAILED: a wrong version is not seen"; exit 1; }
./validate "$schema" reports/*.sarif
