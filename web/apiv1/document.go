package apiv1

import (
	"encoding/json"
	"net/http"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"svc/app/api"
	"svc/app/api/schema"
)

// Where the descriptions are (contract 48 and 19).
// /openapi.json leads to the first.
const (
	documentPath = Prefix + "/openapi/openapi.json"
	strictPath   = Prefix + "/openapi/openapi.strict.json"
)

// mountDocument serves the OpenAPI descriptions: public, and the same for everybody.
// They are made when somebody first asks.
func (a *API) mountDocument() {
	a.mux.HandleFunc("GET "+Prefix+"/openapi.json", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, documentPath, http.StatusFound)
	})
	a.serveDocument(documentPath, a.document)
	a.serveDocument(strictPath, a.strictDocument)
}

func (a *API) serveDocument(path string, make func() ([]byte, error)) {
	once := sync.OnceValues(make)
	a.mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
		data, err := once()
		if err != nil {
			panic(err) // of our own types
		}
		h := w.Header()
		h.Set("Content-Type", "application/json; charset=utf-8")
		h.Set("Cache-Control", "public, max-age=300")
		if h.Get("Access-Control-Allow-Origin") == "" { // else a named origin may, with its cookies
			h.Set("Access-Control-Allow-Origin", "*")
		}
		_, _ = w.Write(data)
	})
}

// Description is the OpenAPI description as JSON: the one for everybody, or the strict
// one for clients that are made from it.
func (a *API) Description(strict bool) ([]byte, error) {
	if strict {
		return a.strictDocument()
	}
	return a.document()
}

// document is the description, which marks no field as required.
func (a *API) document() ([]byte, error) {
	data, err := schema.Document(a.doc.OpenAPI())
	if err != nil {
		return nil, err
	}
	var tree any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, err
	}
	withoutRequired(tree)
	return json.Marshal(tree)
}

// withoutRequired takes the lists of required fields out of every schema; that a
// parameter of a path is required stays.
func withoutRequired(tree any) {
	switch t := tree.(type) {
	case map[string]any:
		if _, list := t["required"].([]any); list {
			delete(t, "required")
		}
		for _, v := range t {
			withoutRequired(v)
		}
	case []any:
		for _, v := range t {
			withoutRequired(v)
		}
	}
}

// strictDocument is the description for clients that are made from it: what an
// answer always has is required. What a request must have is as everywhere.
func (a *API) strictDocument() ([]byte, error) {
	config := api.StrictConfig()
	config.Servers = a.doc.OpenAPI().Servers
	doc := humago.NewWithPrefix(http.NewServeMux(), Prefix, config)
	api.Mount(doc, a.guard, a.c.Endpoints)
	strict, loose := doc.OpenAPI(), a.doc.OpenAPI()
	asked, answered := map[string]bool{}, map[string]bool{}
	for path, item := range loose.Paths {
		for method, o := range operationsOf(item) {
			if o.RequestBody != nil {
				operationsOf(strict.Paths[path])[method].RequestBody = o.RequestBody
				refsOf(loose.Components.Schemas, o.RequestBody.Content, asked)
			}
			for _, r := range o.Responses {
				refsOf(loose.Components.Schemas, r.Content, answered)
			}
		}
	}
	schemas := strict.Components.Schemas.Map()
	for name := range asked {
		if !answered[name] {
			schemas[name] = loose.Components.Schemas.Map()[name]
		}
	}
	return schema.Document(strict)
}

func operationsOf(item *huma.PathItem) map[string]*huma.Operation {
	out := map[string]*huma.Operation{}
	for method, o := range map[string]*huma.Operation{
		http.MethodGet: item.Get, http.MethodPost: item.Post, http.MethodPatch: item.Patch, http.MethodPut: item.Put, http.MethodDelete: item.Delete,
	} {
		if o != nil {
			out[method] = o
		}
	}
	return out
}

// refsOf collects the names of the schemas that bodies need.
func refsOf(r huma.Registry, content map[string]*huma.MediaType, into map[string]bool) {
	for _, m := range content {
		followRefs(r, m.Schema, into)
	}
}

const refPrefix = "#/components/schemas/"

func followRefs(r huma.Registry, s *huma.Schema, into map[string]bool) {
	if s == nil {
		return
	}
	if s.Ref != "" {
		name := s.Ref[len(refPrefix):]
		if !into[name] {
			into[name] = true
			followRefs(r, r.SchemaFromRef(s.Ref), into)
		}
		return
	}
	followRefs(r, s.Items, into)
	for _, p := range s.Properties {
		followRefs(r, p, into)
	}
	for _, p := range append(append([]*huma.Schema{}, s.AnyOf...), s.OneOf...) {
		followRefs(r, p, into)
	}
}
