package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// ignoredHeader names the fields of a body and the parameters of a query that nobody
// read (messaging decisions, 1.2 and 21.1): a typing error can be seen and older
// clients keep working.
const ignoredHeader = "X-Svc-Ignored-Fields"

// maxIgnored is how many names that header has at most; each has at most 64 bytes.
const maxIgnored = 20

// nameIgnored adds to the header of the answer which fields and parameters nobody
// read. names are printable.
func (c *Call) nameIgnored(to interface{ SetHeader(name, value string) }, names []string) {
	if len(names) == 0 {
		return
	}
	c.ignored = append(c.ignored, names...)
	slices.Sort(c.ignored)
	c.ignored = slices.Compact(c.ignored)
	c.ignored = c.ignored[:min(len(c.ignored), maxIgnored)]
	to.SetHeader(ignoredHeader, strings.Join(c.ignored, ", "))
}

// ignoredFields tells the caller which parameters of the query and which fields of a
// JSON body the operation does not know. It reads the body and hands it on. An operation
// that reads its body itself tells of its fields itself.
func ignoredFields(a huma.API, e *Endpoint) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		op, c := ctx.Operation(), callOf(ctx.Context())
		u := ctx.URL()
		c.nameIgnored(ctx, unknownParameters(op, u.RawQuery))
		if op.RequestBody == nil || op.SkipValidateBody || op.RequestBody.Content[plainJSON] == nil || !isJSON(ctx.Header("Content-Type")) {
			next(ctx)
			return
		}
		body, err := io.ReadAll(io.LimitReader(ctx.BodyReader(), e.maxBody+1))
		if err != nil {
			Refuse(ctx, ErrTimeout.Saying("The body did not arrive whole.").Because(err))
			return
		}
		c.nameIgnored(ctx, unknownFields(a.OpenAPI().Components.Schemas, op.RequestBody.Content[plainJSON].Schema, body))
		next(&withBody{ctx, bytes.NewReader(body)})
	}
}

// unknownParameters are the names in a query that the operation has no parameter for.
func unknownParameters(op *huma.Operation, query string) (out []string) {
	if query == "" {
		return nil
	}
	sent, _ := url.ParseQuery(query) // what can be read of it, as whoever reads the parameters does
	for name := range sent {
		known := func(p *huma.Param) bool { return p.In == "query" && p.Name == name }
		if name != "" && !slices.ContainsFunc(op.Parameters, known) {
			out = append(out, printable(name))
		}
	}
	return out
}

func isJSON(contentType string) bool {
	t, _, _ := strings.Cut(contentType, ";")
	t = strings.ToLower(strings.TrimSpace(t))
	return t == "" || t == plainJSON || strings.HasSuffix(t, "+json")
}

// inner lets withBody embed an interface that has a method of its own name.
type inner = huma.Context

// withBody is a context whose body was read already.
type withBody struct {
	inner
	body io.Reader
}

func (w *withBody) BodyReader() io.Reader { return w.body }

// Unwrap gives the context below, for adapters.
func (w *withBody) Unwrap() huma.Context { return w.inner }

// unknownFields are the fields of body that schema has no property for. Maps with free
// keys, such as attributes, take any.
func unknownFields(r huma.Registry, schema *huma.Schema, body []byte) []string {
	var v any
	if json.Unmarshal(body, &v) != nil {
		return nil // huma says what is wrong with it
	}
	var out []string
	walk(r, schema, v, "", &out)
	return out
}

func walk(r huma.Registry, s *huma.Schema, v any, at string, out *[]string) {
	if s == nil || len(*out) >= maxIgnored {
		return
	}
	if s.Ref != "" {
		s = r.SchemaFromRef(s.Ref)
	}
	if len(s.AnyOf) > 0 { // of a record or null, see nullable
		walk(r, s.AnyOf[0], v, at, out)
		return
	}
	switch v := v.(type) {
	case map[string]any:
		if s.Type != "object" || s.Properties == nil {
			return
		}
		for name, value := range v {
			if p := s.Properties[name]; p != nil {
				walk(r, p, value, at+name+".", out)
			} else if len(*out) < maxIgnored {
				*out = append(*out, printable(at+name))
			}
		}
	case []any:
		for i, value := range v {
			walk(r, s.Items, value, fmt.Sprintf("%s[%d].", strings.TrimSuffix(at, "."), i), out)
		}
	}
}

// printable makes a field's name safe inside a header.
func printable(name string) string {
	const most = 64
	safe := strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' || c == ',' {
			return '?'
		}
		return c
	}, name)
	if len(safe) > most {
		return safe[:most]
	}
	return safe
}
