package api

import "github.com/danielgtaylor/huma/v2"

// RawIn is the input of an operation that reads its body itself, as it arrived: [RawIn.Raw].
type RawIn struct{ FormIn[struct{}] }

// Raw is the body, valid while the operation runs.
func (in RawIn) Raw() []byte { return in.body }
func (RawIn) bodies(huma.Registry) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{anyType: {Schema: &huma.Schema{Type: huma.TypeString}}}
}
