package api

import (
	"github.com/danielgtaylor/huma/v2"
)

// RawIn is the input of an operation that reads its body itself, as it arrived: what is
// signed by its sender, and forms of other services. Embed it; MaxBody bounds it.
type RawIn struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	body        []byte
}

// Resolve takes the body of the request as it is.
func (in *RawIn) Resolve(ctx huma.Context) []error {
	if in.body != nil {
		return nil
	}
	var err error
	if in.body, err = bodyOf(ctx); err != nil {
		return []error{&sendable{From(err)}}
	}
	return nil
}

// Raw is the body, valid while the operation runs.
func (in RawIn) Raw() []byte { return in.body }

// RawBody is an input with that body, for tests.
func RawBody(body []byte) RawIn { return RawIn{body: body} }

func (RawIn) bodies(huma.Registry) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{anyType: {Schema: &huma.Schema{Type: huma.TypeString}}}
}
