package terminal

import (
	"encoding/json"
	"io"
)

// JSON writes a value for programs, with <, > and & as people wrote them.
func JSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
