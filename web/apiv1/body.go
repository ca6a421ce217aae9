package apiv1

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"golang.org/x/sync/semaphore"

	"svc/app/api"
)

// slack is how long an answer may take to be written behind the time of its operation.
const slack = 30 * time.Second

// Bounds of bodies (contract 21.3, Slow bodies): each has bodyTime, and a
// second more for every bodyRate bytes of it. Those larger than light are weighed: all of
// them together, from their first byte until their operation has ended, are at most
// uploadsAtOnce; more wait up to uploadWait. Lighter ones are bounded by the number of
// connections.
const (
	bodyTime      = 30 * time.Second
	bodyRate      = 256 << 10
	light         = 64 << 10
	uploadsAtOnce = 256 << 20
	uploadWait    = 10 * time.Second
	firstPiece    = 512 // bytes of memory before anything has arrived
)

// errBusy refuses a body that found no room.
var errBusy = api.ErrTimeout.WithMessage("Too many uploads are under way; send this one again as Retry-After says.").After(5 * time.Second)

// uploads is the room for large bodies.
type uploads struct{ room *semaphore.Weighted }

func newUploads() *uploads { return &uploads{semaphore.NewWeighted(uploadsAtOnce)} }

// enter waits for room for so many bytes; leave gives it back.
func (u *uploads) enter(ctx context.Context, bytes int64) (leave func(), err error) {
	if bytes <= light {
		return func() {}, nil
	}
	bytes = min(bytes, uploadsAtOnce)
	wait, cancel := context.WithTimeout(ctx, uploadWait)
	defer cancel()
	if err := u.room.Acquire(wait, bytes); err != nil {
		return nil, errBusy.WithCause(err)
	}
	return func() { u.room.Release(bytes) }, nil
}

// body reads the body of a request whole before its operation begins, within its bounds.
// nil is none. release gives back the room that it took; call it when the operation has
// ended.
func (a *API) body(w http.ResponseWriter, r *http.Request, e *api.Endpoint) (body []byte, release func(), err error) {
	keyed := e.Keyed() && r.Header.Get(keyHeader) != "" // the body is compared with that of the first request
	if r.Body == nil || r.Body == http.NoBody || !e.HasBody() && !keyed {
		return nil, func() {}, nil
	}
	size := r.ContentLength
	if size < 0 {
		size = e.BodyLimit()
	}
	release, err = a.uploads.enter(r.Context(), size)
	if err != nil {
		return nil, nil, err
	}
	body, err = receive(http.NewResponseController(w), r, e)
	if err != nil {
		release()
		return nil, nil, err
	}
	return body, release, nil
}

// receive reads a body that arrives in time. The time follows from its length: from what
// was announced, or else from what arrived so far.
func receive(control *http.ResponseController, r *http.Request, e *api.Endpoint) ([]byte, error) {
	begin, limit := time.Now(), e.BodyLimit()
	room := firstPiece
	if r.ContentLength >= 0 {
		room = int(min(r.ContentLength+1, light)) // the end is seen behind the last byte
	}
	until := allow(begin, r.ContentLength)
	if err := errors.Join(supported(control.SetReadDeadline(until)), supported(control.SetWriteDeadline(until.Add(slack)))); err != nil {
		return nil, err
	}
	buf := make([]byte, 0, room)
	for {
		if len(buf) == cap(buf) {
			buf = append(make([]byte, 0, min(2*int64(cap(buf)), limit+1)), buf...)
		}
		n, err := r.Body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		switch {
		case int64(len(buf)) > limit:
			return nil, api.ErrBodyTooLarge
		case errors.Is(err, io.EOF):
			return buf, nil
		case err != nil:
			return nil, notWhole(err, e)
		}
		if r.ContentLength < 0 {
			if err := supported(control.SetReadDeadline(allow(begin, int64(len(buf))))); err != nil {
				return nil, err
			}
		}
	}
}

// allow is when a body of so many bytes must have arrived.
func allow(begin time.Time, bytes int64) time.Time {
	return begin.Add(bodyTime + time.Duration(max(bytes, 0))*time.Second/bodyRate)
}

// notWhole is the refusal of a body that did not arrive, or is not written as HTTP asks.
func notWhole(err error, e *api.Endpoint) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return api.ErrTimeout.WithMessage("The body did not arrive in time: it may take %g seconds, and one more for every %d KiB.", bodyTime.Seconds(), bodyRate>>10).WithCause(err)
	}
	return e.Unreadable().WithMessage("The body is not whole, or its chunks are malformed.").WithCause(err)
}

// begin bounds the operation of a request whose body is there. The bounds of the
// connection are for clients that send or read slowly: they are lifted now, or the server
// would take their end for a client that went away, in the middle of an operation that
// asks somebody else.
func begin(w http.ResponseWriter, limit time.Duration) error {
	control := http.NewResponseController(w)
	write := time.Time{} // a stream bounds each piece by itself
	if limit > 0 {
		write = time.Now().Add(limit + slack)
	}
	return errors.Join(supported(control.SetReadDeadline(time.Time{})), supported(control.SetWriteDeadline(write)))
}

func supported(err error) error {
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}
