package simulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"svc/ai"
	"svc/geo/text/script"
)

// vendor is one provider's wire.
type vendor interface {
	kind() ai.Kind
	// read checks a request as strictly as the real one does.
	read(*exchange) (*question, *refusal)
	good(*question, reply) []byte
	bad(refusal) []byte
	quota() refusal
}

// badKey marks keys that no vendor takes.
const badKey = "bad"

// keyed refuses a missing or a bad key.
func keyed(key string) *refusal {
	if key == "" || strings.Contains(key, badKey) {
		return &refusal{401, "invalid_api_key", "Incorrect API key provided: " + key}
	}
	return nil
}

// decode reads a body and refuses fields that the vendor does not know.
func decode(body []byte, to any) *refusal {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return &refusal{400, "invalid_request_error", "Invalid request: " + err.Error()}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return &refusal{400, "invalid_request_error", "Invalid request: something follows it"}
	}
	return nil
}

func wrong(format string, args ...any) *refusal {
	return &refusal{400, "invalid_request_error", fmt.Sprintf(format, args...)}
}

// subset refuses a schema with more than every vendor takes.
func subset(schema map[string]any, at string) *refusal {
	for name := range schema {
		if !slices.Contains([]string{"type", "description", "enum", "items", "properties", "required", "additionalProperties"}, name) {
			return wrong("response_format: %s: %s is not permitted", at, name)
		}
	}
	fields, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	if fields != nil && (schema["additionalProperties"] != false || len(required) != len(fields)) {
		return wrong("response_format: %s: additionalProperties must be false and every field required", at)
	}
	for name, field := range fields {
		f, ok := field.(map[string]any)
		if !ok {
			return wrong("response_format: %s.%s is no schema", at, name)
		}
		if r := subset(f, at+"."+name); r != nil {
			return r
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		return subset(items, at+"[]")
	}
	return nil
}

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // of maps and texts of ours
	}
	return b
}

// tokensOf counts as the simulated vendors do.
func tokensOf(q *question, r *reply) (in, out int) {
	return len(q.text)/4 + 1, len(r.text)/4 + 1
}

// vectors are near each other for texts that share pieces of words, in either script.
func vectors(texts []string, dims int) (out [][]float32) {
	if dims == 0 {
		dims = 256
	}
	for _, t := range texts {
		v := make([]float32, dims)
		v[0] = 1e-3 // no text is a vector of nothing
		for _, word := range script.Tokens(t) {
			runes := []rune(" " + script.Key(word) + " ")
			for i := 0; i+3 <= len(runes); i++ {
				h := fnv.New32a()
				_, _ = h.Write([]byte(string(runes[i : i+3]))) // it never fails
				v[h.Sum32()%uint32(dims)]++
			}
		}
		out = append(out, v)
	}
	return out
}

// example are the models that a vendor lists beside those that people use.
func listed(names ...string) (out []map[string]any) {
	for _, n := range names {
		out = append(out, map[string]any{"id": n, "object": "model", "display_name": n, "type": "model"})
	}
	return out
}
