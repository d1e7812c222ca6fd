package report

import (
	"encoding/json"
	"io"
)

// Encode writes a value as the outputs of our commands have it: indented, with < and > as they are.
func Encode(to io.Writer, value any) error {
	encoder := json.NewEncoder(to)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}
