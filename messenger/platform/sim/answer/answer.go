// Package answer is how the simulated networks and the simulated calendar answer.
package answer

import (
	"encoding/json"
	"net/http"
)

// JSON writes body as JSON.
func JSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a client that left is nobody's error
}

// HangUp cuts the line without an answer.
func HangUp(w http.ResponseWriter) {
	if h, ok := w.(http.Hijacker); ok {
		if conn, _, err := h.Hijack(); err == nil {
			_ = conn.Close()
			return
		}
	}
	panic(http.ErrAbortHandler)
}
