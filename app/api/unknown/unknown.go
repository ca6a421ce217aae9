// Package unknown finds the fields of a JSON body that its schema does not know.
//
// It promises to pass over the body once and to build nothing of it, so that a body costs no
// more memory than it has bytes. Names that it answers are printable ASCII of at most 64 bytes.
package unknown

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"
)

// Most is how many unknown fields a body may have: beyond that it is no body of ours
// (contract 21.3, Public bodies). Named is how many of them are named.
const (
	Most  = 200
	Named = 20
)

// ErrMany is the error of a body with more than Most unknown fields.
var ErrMany = errors.New("unknown: too many fields that the schema does not know")

// Fields are the names of the fields of body that schema has no property for, the first
// Named of them, and the body without them. Maps with free keys, such as attributes,
// take any. The error is ErrMany for more than Most; any other is about what is no JSON. A
// body that may be absent is.
func Fields(r huma.Registry, schema *huma.Schema, body []byte) (names []string, known []byte, err error) {
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
	if err != nil {
		return nil, nil, err
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
	if s.unknown++; s.unknown > Most {
		return ErrMany
	}
	if len(s.names) < Named {
		s.names = append(s.names, Printable(name))
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

// Printable makes a field's name safe inside a header.
func Printable(name string) string {
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
