// Package described holds answers of the API against its own description.
package described

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"svc/web/apiv1"
)

// Description is what /openapi.json says about answers.
type Description struct {
	// routes finds the operation of a request as the server does; its patterns are the
	// keys of operations.
	routes     *http.ServeMux
	operations map[string]answers
}

// answers are those that the description allows one operation.
type answers struct {
	Responses map[string]struct {
		Content map[string]struct{} `json:"content"`
	} `json:"responses"`
	Codes []string `json:"x-svc-errors"`
}

// Parse reads a description.
func Parse(data []byte) (d Description, err error) {
	var doc struct {
		Paths map[string]map[string]answers `json:"paths"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return d, err
	}
	d = Description{http.NewServeMux(), map[string]answers{}}
	for path, item := range doc.Paths {
		for method, o := range item {
			pattern := strings.ToUpper(method) + " " + apiv1.Prefix + path
			d.routes.Handle(pattern, http.NotFoundHandler())
			d.operations[pattern] = o
		}
	}
	return d, nil
}

// Undeclared says what of an answer the description does not allow, "" for nothing: its
// status, its media type, or the code of a refusal.
func (d Description) Undeclared(req *http.Request, resp *http.Response, body []byte) string {
	code := codeOf(body)
	_, pattern := d.routes.Handler(req)
	o, found := d.operations[pattern]
	if !found {
		if code == "route_not_found" || code == "method_not_allowed" || req.Method == http.MethodOptions || strings.HasPrefix(req.URL.Path, apiv1.Prefix+"/openapi") {
			return ""
		}
		return fmt.Sprintf("status %d for what is not described", resp.StatusCode)
	}
	answer, found := o.Responses[fmt.Sprint(resp.StatusCode)]
	if !found {
		return fmt.Sprintf("status %d %s is not described for %s", resp.StatusCode, code, pattern)
	}
	kind, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	if resp.StatusCode >= http.StatusBadRequest && kind == "application/json" && req.Method != http.MethodHead && !slices.Contains(o.Codes, code) {
		return fmt.Sprintf("the code %q is not in x-svc-errors of %s", code, pattern)
	}
	_, named := answer.Content[kind]
	_, ofAnyKind := answer.Content["*/*"]
	if kind != "" && !named && !ofAnyKind {
		return fmt.Sprintf("an answer of %s with status %d as %s is not described", pattern, resp.StatusCode, kind)
	}
	return ""
}

// codeOf is the code of a refusal, "" of other answers.
func codeOf(body []byte) string {
	var answer struct{ Error json.RawMessage }
	var refusal struct{ Code string }
	if json.Unmarshal(body, &answer) == nil {
		_ = json.Unmarshal(answer.Error, &refusal) // the map service has a sentence there
	}
	return refusal.Code
}
