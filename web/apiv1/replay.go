package apiv1

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"svc/app/api"
	"svc/app/api/replay"
)

// Headers of idempotency (contract 1.2).
const (
	keyHeader      = "Idempotency-Key"
	replayedHeader = "Idempotent-Replayed"
	maxKey         = 128
)

// replay runs an operation, or repeats the answer that its key has already.
func (a *API) replay(c *api.Call, ctx huma.Context, body []byte, next func(huma.Context)) {
	e := c.Endpoint
	key := ctx.Header(keyHeader)
	if key == "" || !e.Keyed() {
		next(ctx)
		return
	}
	if !sane(key) {
		api.Refuse(ctx, api.Wrong(keyHeader, "must have 1 to 128 printable characters"))
		return
	}
	r, w := humago.Unwrap(ctx)
	req := replay.Request{
		Caller: c.Caller.ID + " " + c.Org, Operation: e.ID, Key: key, Owner: cmp.Or(c.Org, c.Caller.ID),
		Fingerprint: replay.Fingerprint(r.URL.RequestURI(), ctx.Header("Content-Type"), body),
	}
	before, err := replay.Begin(c, a.c.DB, req)
	if err != nil {
		a.refuse(c, ctx, err)
		return
	}
	if before != nil {
		w.Header().Set(replayedHeader, "true")
		ctx.SetHeader("Content-Type", before.ContentType)
		ctx.SetStatus(before.Status)
		_, _ = ctx.BodyWriter().Write(before.Body)
		return
	}
	kept := &keeper{inner: ctx}
	a.run(c, req, kept, next)
}

// run runs the operation and keeps its answer. It runs to its end, and its answer is
// kept, although the client has gone: that is whom it is kept for.
func (a *API) run(c *api.Call, req replay.Request, kept *keeper, next func(huma.Context)) {
	later := *c
	later.Context = context.WithoutCancel(c.Context)
	ctx, cancel := staying(c.Context, c.Endpoint)
	defer cancel()
	c.Context = replay.Following(ctx, req)
	ran := false
	defer func() {
		var err error
		switch {
		case ran && kept.refused():
			err = replay.Forget(&later, a.c.DB, req)
		case ran && kept.keepable():
			err = replay.End(&later, a.c.DB, req, kept.answer(c.Endpoint))
		default:
			err = replay.Lose(&later, a.c.DB, req)
		}
		if err != nil {
			a.c.Log.ErrorContext(c, "an answer could not be kept for its Idempotency-Key", "operation", c.Endpoint.ID, "error", err.Error())
		}
	}()
	next(kept)
	ran = true
}

func sane(key string) bool {
	if key == "" || len(key) > maxKey {
		return false
	}
	for i := range len(key) {
		if key[i] < ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}

// inner lets keeper embed an interface that has a method of its own name.
type inner = huma.Context

// keeper is a context that remembers the answer.
type keeper struct {
	inner
	status      int
	contentType string
	out         bytes.Buffer
	large       bool
}

// Unwrap gives the context below, for adapters.
func (k *keeper) Unwrap() huma.Context { return k.inner }

func (k *keeper) SetStatus(code int) {
	k.status = code
	k.inner.SetStatus(code)
}

func (k *keeper) Status() int { return k.status }

func (k *keeper) SetHeader(name, value string) {
	if http.CanonicalHeaderKey(name) == "Content-Type" {
		k.contentType = value
	}
	k.inner.SetHeader(name, value)
}

func (k *keeper) BodyWriter() io.Writer { return io.MultiWriter(k.inner.BodyWriter(), k) }

// Write remembers a piece of the answer.
func (k *keeper) Write(p []byte) (int, error) {
	if room := replay.MaxAnswer - k.out.Len(); len(p) > room {
		k.large = true
		_, _ = k.out.Write(p[:room]) // a buffer takes everything
		return len(p), nil
	}
	return k.out.Write(p)
}

// answer is what is kept. Of a large answer that is its status and the id of what it is
// about (contract 21.3, Kept answers).
func (k *keeper) answer(e *api.Endpoint) replay.Answer {
	if !k.large {
		return replay.Answer{Status: k.status, ContentType: k.contentType, Body: withoutSecrets(k.out.Bytes(), e.Secrets())}
	}
	body, err := json.Marshal(partial{
		ID: idOf(k.out.Bytes()), Partial: true,
		Message: "The request was carried out. Its answer was too long to be kept; this is what is known of it. Read what it made or changed.",
	})
	if err != nil {
		panic(err) // two strings
	}
	return replay.Answer{Status: k.status, ContentType: "application/json; charset=utf-8", Body: body, Partial: true}
}

// partial stands in the place of an answer that was too long to be kept.
type partial struct {
	ID      string `json:"id,omitempty"`
	Partial bool   `json:"partial"`
	Message string `json:"message"`
}

// idOf is the field id of a JSON object of which only the beginning may be there, "" for
// none.
func idOf(beginning []byte) string {
	d := json.NewDecoder(bytes.NewReader(beginning))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return ""
		}
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return ""
		}
		var id string
		if name == "id" && json.Unmarshal(value, &id) == nil {
			return id
		}
	}
	return ""
}

// refused says whether the operation was refused for now, which is worth another try.
func (k *keeper) refused() bool {
	return k.status == http.StatusTooManyRequests || k.status == http.StatusUnauthorized
}

// keepable says whether the answer stands for the change. A failure of ours is worth
// another try, when nothing was changed before it.
func (k *keeper) keepable() bool { return k.status != 0 && k.status < 500 }

// staying is a context with the time limit of another that does not end when its client
// leaves.
func staying(ctx context.Context, e *api.Endpoint) (context.Context, context.CancelFunc) {
	stay := context.WithoutCancel(ctx)
	if until, limited := ctx.Deadline(); limited {
		return context.WithDeadlineCause(stay, until, e.Late())
	}
	return context.WithCancel(stay)
}

// withoutSecrets takes the fields that are shown once out of an answer, and leaves
// the rest as it was, byte for byte.
func withoutSecrets(body []byte, fields []string) []byte {
	if len(fields) == 0 {
		return body
	}
	if !json.Valid(body) {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(body))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil // it has secrets, and we cannot tell where
	}
	out := []byte("{")
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil
		}
		end := d.InputOffset()
		begin := bytes.LastIndexByte(body[:end-1], '"') // names of ours have no quotes
		var value json.RawMessage
		if d.Decode(&value) != nil {
			return nil
		}
		if slices.Contains(fields, name.(string)) {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, body[begin:d.InputOffset()]...)
	}
	return append(out, '}', '\n')
}
