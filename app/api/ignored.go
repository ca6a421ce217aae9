package api

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"
)

// ignoredHeader names the fields of a body and the parameters of a query that nobody
// read (contract 1.2 and 21.1): a typing error can be seen and older
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

// maxUnknown is how many unknown fields a body may have: beyond that it is no body of ours
// (contract 21.3, Public bodies).
const maxUnknown = 200

// errUnknownFields refuses such a body.
var errUnknownFields = Wrong("body", "has more than %d fields that this operation does not know", maxUnknown)

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
		unknown, known, err := unknownFields(a.OpenAPI().Components.Schemas, op.RequestBody.Content[plainJSON].Schema, body)
		if err != nil {
			Refuse(ctx, err)
			return
		}
		c.nameIgnored(ctx, unknown)
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

// unknownFields are the fields of body that schema has no property for, the first
// maxIgnored of them, and the body without them. Maps with free keys, such as attributes,
// take any. The error is errUnknownFields for more than maxUnknown, and invalid_json for
// what is no JSON. A body that may be absent is.
func unknownFields(r huma.Registry, schema *huma.Schema, body []byte) (names []string, known []byte, err error) {
	s := scanner{
		Decoder:  jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
		registry: r, body: body,
	}
	if len(body) == 0 {
		return nil, body, nil
	}
	if err = s.value(schema, ""); err == nil {
		if _, err = s.ReadToken(); errors.Is(err, io.EOF) {
			err = nil
		} else if err == nil {
			err = errors.New("something stands behind the body")
		}
	}
	switch {
	case errors.Is(err, errUnknownFields):
		return nil, nil, errUnknownFields
	case err != nil:
		return nil, nil, ErrInvalidJSON.WithCause(err)
	}
	return s.names, s.known(), nil
}

// scanner passes over JSON beside its schema.
type scanner struct {
	*jsontext.Decoder
	registry huma.Registry
	body     []byte
	names    []string
	unknown  int
	cuts     []piece // what is unknown, in order
}

// piece is a part of a body.
type piece struct{ from, to int64 }

// known is the body without what is unknown.
func (s *scanner) known() []byte {
	if len(s.cuts) == 0 {
		return s.body
	}
	out, at := make([]byte, 0, len(s.body)), int64(0)
	for _, c := range s.cuts {
		out, at = append(out, s.body[at:c.from]...), c.to
	}
	return append(out, s.body[at:]...)
}

// value passes over the next value, whose fields have names that begin with at.
func (s *scanner) value(schema *huma.Schema, at string) error {
	if schema != nil && schema.Ref != "" {
		schema = s.registry.SchemaFromRef(schema.Ref)
	}
	if schema != nil && len(schema.AnyOf) > 0 { // of a record or null, see nullable
		return s.value(schema.AnyOf[0], at)
	}
	switch kind := s.PeekKind(); {
	case schema != nil && kind == '{' && schema.Type == huma.TypeObject && schema.Properties != nil:
		return s.object(schema, at)
	case schema != nil && kind == '[' && schema.Items != nil:
		return s.list(schema, at)
	}
	return s.SkipValue()
}

func (s *scanner) object(schema *huma.Schema, at string) error {
	if _, err := s.ReadToken(); err != nil {
		return err
	}
	closed := schema.AdditionalProperties == false // the schema refuses what is unknown, by its name
	kept, dropped := false, false
	for s.PeekKind() == '"' {
		// A member begins behind the one before it: with its comma, when it has one.
		begin := s.InputOffset()
		name, err := s.ReadToken()
		if err != nil {
			return err
		}
		text := name.String()
		p := schema.Properties[text]
		stays := p != nil || closed
		if stays && !kept && dropped { // it is the first one now
			comma := int64(bytes.IndexByte(s.body[begin:], ','))
			s.cuts = append(s.cuts, piece{begin, begin + comma + 1})
		}
		kept, dropped = kept || stays, dropped || !stays
		if p == nil {
			err = s.ignore(at + text)
		} else {
			err = s.value(p, at+text+".")
		}
		if err != nil {
			return err
		}
		if !stays {
			s.cuts = append(s.cuts, piece{begin, s.InputOffset()})
		}
	}
	_, err := s.ReadToken()
	return err
}

func (s *scanner) ignore(name string) error {
	if s.unknown++; s.unknown > maxUnknown {
		return errUnknownFields
	}
	if len(s.names) < maxIgnored {
		s.names = append(s.names, printable(name))
	}
	return s.SkipValue()
}

func (s *scanner) list(schema *huma.Schema, at string) error {
	if _, err := s.ReadToken(); err != nil {
		return err
	}
	for i := 0; ; i++ {
		switch s.PeekKind() {
		case ']':
			_, err := s.ReadToken()
			return err
		case 0: // it is not JSON
			_, err := s.ReadToken()
			return err
		}
		if err := s.value(schema.Items, fmt.Sprintf("%s[%d].", strings.TrimSuffix(at, "."), i)); err != nil {
			return err
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
