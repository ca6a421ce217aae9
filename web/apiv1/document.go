package apiv1

import (
	"encoding/json"
	"net/http"
	"sync"
)

// Where the description is (specification, Versioning). /openapi.json leads here.
const documentPath = Prefix + "/openapi/openapi.json"

// mountDocument serves the OpenAPI description: public, and the same for everybody.
func (a *API) mountDocument() {
	whole := sync.OnceValues(func() ([]byte, error) { return json.Marshal(a.doc.OpenAPI()) })
	a.mux.HandleFunc("GET "+Prefix+"/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, documentPath, http.StatusFound)
	})
	a.mux.HandleFunc("GET "+documentPath, func(w http.ResponseWriter, _ *http.Request) {
		data, err := whole()
		if err != nil {
			panic(err) // of our own types
		}
		h := w.Header()
		h.Set("Content-Type", "application/json; charset=utf-8")
		h.Set("Cache-Control", "public, max-age=300")
		h.Set("Access-Control-Allow-Origin", "*")
		_, _ = w.Write(data)
	})
}
