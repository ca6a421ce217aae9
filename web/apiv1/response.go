package apiv1

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"mime"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/api"
)

// response sends what is no JSON body.
type response struct {
	w     http.ResponseWriter
	r     *http.Request
	limit time.Duration
	// stopping is closed when the server begins to stop.
	stopping <-chan struct{}
}

// SetHeader sets a header of the answer. Cookies add up.
func (o *response) SetHeader(name, value string) {
	if http.CanonicalHeaderKey(name) == "Set-Cookie" {
		o.w.Header().Add(name, value)
		return
	}
	o.w.Header().Set(name, value)
}

// Blob answers with a file, a part of it, or 304. A part that the file does not have,
// and a condition that it does not meet, are refused as everything else is.
func (o *response) Blob(b api.Blob) {
	defer b.Content.Close()
	h := o.w.Header()
	h.Set("Content-Type", b.Type)
	h.Set("Cache-Control", "private, no-cache")
	if b.ETag != "" {
		h.Set("ETag", `"`+b.ETag+`"`)
	}
	disposition := "attachment"
	if b.Inline {
		disposition = "inline"
	}
	if v := mime.FormatMediaType(disposition, map[string]string{"filename": b.FileName}); v != "" {
		h.Set("Content-Disposition", v)
	}
	// A file of somebody else, shown in our origin, may run nothing.
	if b.Pages {
		h.Set("Content-Security-Policy", "frame-ancestors 'self'")
	} else {
		h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	}
	http.ServeContent(&refusing{ResponseWriter: o.w}, o.r, "", b.Modified, b.Content)
}

// refusing writes the envelope where the standard library would write a sentence.
type refusing struct {
	http.ResponseWriter
	refused bool
}

// WriteHeader implements http.ResponseWriter.
func (w *refusing) WriteHeader(status int) {
	if status < http.StatusBadRequest {
		w.ResponseWriter.WriteHeader(status)
		return
	}
	w.refused = true
	h := w.Header()
	for _, ofFile := range []string{"Content-Disposition", "Content-Length", "ETag", "Last-Modified"} {
		h.Del(ofFile)
	}
	h.Set("Cache-Control", "no-store")
	switch status {
	case http.StatusRequestedRangeNotSatisfiable:
		refuse(w.ResponseWriter, api.ErrRange)
	case http.StatusPreconditionFailed:
		refuse(w.ResponseWriter, api.ErrPrecondition)
	default:
		refuse(w.ResponseWriter, api.ErrInternal)
	}
}

// Write drops the sentence of a refusal.
func (w *refusing) Write(p []byte) (int, error) {
	if w.refused {
		return len(p), nil
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap gives the writer below, for deadlines.
func (w *refusing) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// plain is a context with the body that was read before, which says how its JSON is
// encoded, as every other answer of the server does.
type plain struct {
	inner
	body []byte
}

// BodyReader reads the body, which has arrived.
func (p *plain) BodyReader() io.Reader { return api.NewBody(p.body) }

// SetReadDeadline keeps the router from bounding a body by itself.
func (p *plain) SetReadDeadline(time.Time) error { return nil }

// Unwrap gives the context below, for adapters.
func (p *plain) Unwrap() huma.Context { return p.inner }

func (p *plain) SetHeader(name, value string) {
	if name == "Content-Type" && value == "application/json" {
		value = "application/json; charset=utf-8"
	}
	p.inner.SetHeader(name, value)
}

// frameTimeout is how long a client may take to read one piece of a stream.
const frameTimeout = 20 * time.Second

// Stream answers with server-sent events until either side ends, or the server begins to
// stop: then the last words tell the client when to come back (contract 21.3,
// Stopping).
func (o *response) Stream(s api.Stream) {
	h := o.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	control := http.NewResponseController(o.w)
	o.w.WriteHeader(http.StatusOK)
	ctx, cancel := context.WithCancel(o.r.Context())
	defer cancel()
	go func() {
		select {
		case <-o.stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	gone := false
	write := func(frame []byte, within time.Duration) error {
		err := control.SetWriteDeadline(time.Now().Add(within))
		if err == nil {
			_, err = o.w.Write(frame)
		}
		if err == nil {
			err = control.Flush()
		}
		gone = gone || err != nil
		return err
	}
	s.Run(ctx, func(frame []byte) error { return write(frame, frameTimeout) })
	select {
	case <-o.stopping:
		if !gone {
			_ = write(comeBack(), partingTimeout) // the stream ends either way
		}
	default:
	}
}

// partingTimeout is how long a client may take to read the last words of a stream.
const partingTimeout = time.Second

// Streams that end because the server stops are opened again after a restart, spread
// over some seconds so that not all come at once.
const (
	comeBackAfter  = 3 * time.Second
	comeBackWithin = 5 * time.Second
)

func comeBack() []byte {
	wait := comeBackAfter + rand.N(comeBackWithin)
	return fmt.Appendf(nil, "retry: %d\n\n", wait.Milliseconds())
}
