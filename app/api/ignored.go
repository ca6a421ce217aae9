package api

import (
	"bytes"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/api/unknown"
)

// ignoredHeader names the fields of a body and the parameters of a query that nobody
// read (contract 1.2 and 21.1): a typing error can be seen and older
// clients keep working.
const ignoredHeader = "X-Svc-Ignored-Fields"

// nameIgnored adds to the header of the answer which fields and parameters nobody
// read. names are printable.
func (c *Call) nameIgnored(to interface{ SetHeader(name, value string) }, names []string) {
	if len(names) == 0 {
		return
	}
	c.ignored = append(c.ignored, names...)
	slices.Sort(c.ignored)
	c.ignored = slices.Compact(c.ignored)
	c.ignored = c.ignored[:min(len(c.ignored), unknown.Named)]
	to.SetHeader(ignoredHeader, strings.Join(c.ignored, ", "))
}

// errUnknownFields refuses a body that is none of ours.
var errUnknownFields = Wrong("body", "has more than %d fields that this operation does not know", unknown.Most)

// ignoredFields tells the caller which parameters of the query and which fields of a
// JSON body the operation does not know. It passes over the body once and builds nothing
// of it; the router then decodes what is known, and never sees the rest. An operation that
// reads its body itself tells of its fields itself.
func ignoredFields(a huma.API) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		op, c := ctx.Operation(), callOf(ctx.Context())
		u := ctx.URL()
		c.nameIgnored(ctx, unknownParameters(op, u.RawQuery))
		if op.RequestBody == nil || op.SkipValidateBody || op.RequestBody.Content[plainJSON] == nil || !isJSON(ctx.Header("Content-Type")) {
			next(ctx)
			return
		}
		body, err := bodyOf(ctx)
		if err != nil {
			Refuse(ctx, err)
			return
		}
		names, known, err := fieldsOf(a.OpenAPI().Components.Schemas, op.RequestBody.Content[plainJSON].Schema, body)
		if err != nil {
			Refuse(ctx, err)
			return
		}
		c.nameIgnored(ctx, names)
		next(&withBody{ctx, bytes.NewReader(known)})
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
			out = append(out, unknown.Printable(name))
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

// fieldsOf is unknown.Fields with the refusals of the API.
func fieldsOf(r huma.Registry, schema *huma.Schema, body []byte) (names []string, known []byte, err error) {
	names, known, err = unknown.Fields(r, schema, body)
	switch {
	case errors.Is(err, unknown.ErrMany):
		return nil, nil, errUnknownFields
	case err != nil:
		return nil, nil, ErrInvalidJSON.WithCause(err)
	}
	return names, known, nil
}
