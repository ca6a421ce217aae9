package api

import (
	"bytes"
	"io"

	"github.com/danielgtaylor/huma/v2"
)

// Body is a body that has arrived: a context whose BodyReader answers one gives whoever
// wants it whole the bytes themselves, not a copy.
type Body struct {
	*bytes.Reader
	content []byte
}

// NewBody is the body with that content.
func NewBody(content []byte) *Body { return &Body{bytes.NewReader(content), content} }

// Close makes it the body of a request of a test. It does nothing.
func (*Body) Close() error { return nil }

// bodyOf is the whole body of a request, which is valid while its operation runs. The
// error is timeout, or body_too_large for one that the operation does not take.
func bodyOf(ctx huma.Context) ([]byte, error) {
	in, limit := ctx.BodyReader(), ctx.Operation().MaxBodyBytes
	if b, ok := in.(*Body); ok {
		if int64(len(b.content)) >= limit {
			return nil, ErrBodyTooLarge
		}
		return b.content, nil
	}
	if in == nil {
		return nil, nil
	}
	content, err := io.ReadAll(io.LimitReader(in, limit))
	switch {
	case err != nil:
		return nil, ErrTimeout.WithMessage("The body did not arrive whole.").WithCause(err)
	case int64(len(content)) == limit:
		return nil, ErrBodyTooLarge
	}
	return content, nil
}
