package reply

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// JSON answers v as JSON with names as they are: HTML characters not escaped (map
// contract 30). It panics for a value that JSON cannot hold; the server's recovery logs it.
func JSON(w http.ResponseWriter, status int, v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(b.Len())) // so that HEAD tells it too
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // a client that left is nobody's error
}
