package apiv1

import (
	"errors"
	"io"
	"net/http"
	"time"
)

// slack is how long an answer may take to be written behind the time of its operation.
const slack = 30 * time.Second

// patient lets an operation take the time that it has. The bounds of the connection
// are for clients that send slowly: when the body is read they are lifted, or the
// server would take their end for a client that went away, in the middle of an
// operation that asks somebody else.
func patient(w http.ResponseWriter, r *http.Request, limit time.Duration) error {
	control := http.NewResponseController(w)
	if limit > 0 {
		if err := supported(control.SetWriteDeadline(time.Now().Add(limit + slack))); err != nil {
			return err
		}
	}
	lift := func() error { return supported(control.SetReadDeadline(time.Time{})) }
	if r.Body == nil || r.Body == http.NoBody {
		return lift()
	}
	r.Body = &body{r.Body, lift}
	return nil
}

// SetReadDeadline keeps the router from bounding a body by itself, which it does for
// five seconds and does not end: the server bounds how long a body may take.
func (p *plain) SetReadDeadline(time.Time) error { return nil }

// body lifts the bounds of the connection when it was read to its end.
type body struct {
	io.ReadCloser
	lift func() error
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		if failed := b.lift(); failed != nil {
			return n, failed
		}
	}
	return n, err
}

func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
