package apiv1

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
)

// FuzzBody: whatever a body is, the answer is a thing or a refusal with its envelope,
// and never a failure of ours.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a"}`, `{"name":"a","name":"b"}`, `{"NAME":"a"}`, `{"name":1e999}`, `{"name":"\ud800"}`, "{\"name\":\"\xff\"}", `{"name":null}`, `[]`, `null`, ``, `{`,
		`{"name":"a"}{"name":"b"}`, `{"name":["a"]}`, `{"a":{"a":{"a":{"a":{}}}}}`, "\ufeff{}", `{"name":"a","zzz":1}`, `{"":""}`, `"name"`,
	} {
		f.Add([]byte(seed))
	}
	failing := []string{"broken", "panic", "half", "large", "patient"} // what the operation does on purpose
	f.Fuzz(func(t *testing.T, body []byte) {
		var in struct{ Name string }
		if json.Unmarshal(body, &in) == nil && slices.Contains(failing, in.Name) {
			return
		}
		resp := setup(t).do(t, "POST /things", string(body), "Authorization", "Bearer key")
		answer := read(t, resp)
		switch resp.StatusCode {
		case http.StatusCreated, http.StatusConflict: // made, or odd
		case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
			if code(t, answer) == "" {
				t.Errorf("%q: %s", body, answer)
			}
		default:
			t.Errorf("%q: %d %s", body, resp.StatusCode, answer)
		}
	})
}
