package api

import (
	"context"
	"io"
	"reflect"
	"strconv"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// Created is an answer of 201 with a body.
type Created[T any] struct{ Value T }

// New is a record that this call made.
func New[T any](v T) Created[T] { return Created[T]{v} }

// MarshalJSON writes the record.
func (c Created[T]) MarshalJSON() ([]byte, error) { return marshal(c.Value) }

// Schema is that of the record.
func (Created[T]) Schema(r huma.Registry) *huma.Schema { return r.Schema(typeOf[T](), true, "") }

func (Created[T]) status() int { return created }

// MaybeCreated is an answer of 201 when the call made the record, and of 200 when it
// only tells of it.
type MaybeCreated[T any] struct {
	Made  bool
	Value T
}

func (m MaybeCreated[T]) write(_ *Call, ctx huma.Context) {
	status := ok
	if m.Made {
		status = created
	}
	writeJSON(ctx, status, m.Value)
}

func (MaybeCreated[T]) content(r huma.Registry) map[string]*huma.MediaType {
	return record{typeOf[T]()}.content(r)
}

func (MaybeCreated[T]) statuses() []int { return []int{ok, created} }

// MaybeAccepted is an answer of 202 when the call began something that goes on, and of 200 when
// it only tells of what is there.
type MaybeAccepted[T any] struct {
	Later bool
	Value T
}

func (m MaybeAccepted[T]) write(_ *Call, ctx huma.Context) {
	writeJSON(ctx, map[bool]int{false: ok, true: accepted}[m.Later], m.Value)
}

func (MaybeAccepted[T]) content(r huma.Registry) map[string]*huma.MediaType {
	return MaybeCreated[T]{}.content(r)
}

func (MaybeAccepted[T]) statuses() []int { return []int{ok, accepted} }

// writeJSON writes a body as every other JSON answer is written.
func writeJSON(ctx huma.Context, status int, body any) {
	data, err := marshal(body)
	if err != nil {
		panic(err) // a record of ours that is no JSON
	}
	ctx.SetHeader("Content-Type", jsonType)
	ctx.SetStatus(status)
	_, _ = ctx.BodyWriter().Write(data) // a client that left is nobody's error
}

// NoContent is an answer of 204.
type NoContent struct{}

func (NoContent) status() int { return noContent }

func (NoContent) write(_ *Call, ctx huma.Context) { ctx.SetStatus(noContent) }

func (NoContent) content(huma.Registry) map[string]*huma.MediaType { return nil }

const (
	ok        = 200
	created   = 201
	accepted  = 202
	noContent = 204
	found     = 302
	partial   = 206
	unchanged = 304
)

// named are the statuses of answers as the description calls them.
var named = map[int]string{
	ok: "OK", created: "Created", accepted: "Accepted", noContent: "No Content", partial: "Partial Content",
	found: "Found", unchanged: "Not Modified",
}

// Redirect sends the client elsewhere, with 302.
type Redirect struct{ To string }

func (Redirect) status() int { return found }

func (Redirect) content(huma.Registry) map[string]*huma.MediaType { return nil }

func (r Redirect) write(_ *Call, ctx huma.Context) {
	if !safeRedirect(r.To) {
		panic("api: a redirect to something that is no address")
	}
	ctx.SetHeader("Location", r.To)
	ctx.SetStatus(r.status())
}

// Text is an answer that is written as it is read: an export, a page. Write is
// called once, after the headers are sent; its error ends the connection.
type Text struct {
	Type     string // Content-Type
	FileName string // "" for none
	Status   int    // 0 is 200
	Write    func(io.Writer) error
}

func (t Text) write(_ *Call, ctx huma.Context) {
	ctx.SetHeader("Content-Type", t.Type)
	ctx.SetHeader("Cache-Control", "no-store")
	if t.FileName != "" {
		ctx.SetHeader("Content-Disposition", "attachment; filename="+strconv.Quote(t.FileName))
	}
	ctx.SetStatus(max(t.Status, ok))
	if err := t.Write(ctx.BodyWriter()); err != nil {
		panic(ErrAborted) // the status is sent: only the connection can still tell
	}
}

func (Text) content(huma.Registry) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"text/plain": {Schema: &huma.Schema{Type: "string"}}}
}

// Blob is a file, of which the client may ask for a part (Range) or whether it
// changed (If-None-Match).
type Blob struct {
	Type     string // Content-Type
	FileName string // for whoever saves it
	Inline   bool   // to be shown, not saved
	// Pages: it is a document that browsers show with a viewer of their own, which they do
	// not start in a sandbox.
	Pages    bool
	ETag     string // without quotes; "" for none
	Modified time.Time
	Content  io.ReadSeekCloser // closed when it was sent
}

func (b Blob) write(c *Call, _ huma.Context) { c.response.Blob(b) }

// content: a file has a type of its own.
func (Blob) content(huma.Registry) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{anyType: {Schema: &huma.Schema{Type: "string", Format: "binary"}}}
}

func (Blob) statuses() []int { return []int{ok, partial, unchanged} }

func (Blob) refusals() []*Error { return []*Error{ErrPrecondition, ErrRange} }

// parameters are read where the file is sent.
func (Blob) parameters() []*huma.Param {
	text := func() *huma.Schema { return &huma.Schema{Type: huma.TypeString} }
	return []*huma.Param{
		{Name: "Range", In: "header", Schema: text(), Description: "Which part of the file to send.", Example: "bytes=0-1023"},
		{Name: "If-None-Match", In: "header", Schema: text(), Description: "The ETag of the file that is there already: 304 when it is still that one."},
	}
}

// MaybeBlob is a file, or 202 with what to say while it is not there yet.
type MaybeBlob struct {
	Blob    Blob
	Pending any // nil: the file is there
}

func (b MaybeBlob) write(c *Call, ctx huma.Context) {
	if b.Pending == nil {
		b.Blob.write(c, ctx)
		return
	}
	c.SetHeader("Retry-After", "2")
	writeJSON(ctx, accepted, b.Pending)
}

func (MaybeBlob) content(r huma.Registry) map[string]*huma.MediaType { return Blob{}.content(r) }

func (MaybeBlob) statuses() []int { return []int{ok, accepted, partial, unchanged} }

func (MaybeBlob) refusals() []*Error { return Blob{}.refusals() }

func (MaybeBlob) parameters() []*huma.Param { return Blob{}.parameters() }

// Stream is an answer that goes on for as long as both sides want: server-sent
// events. Run writes frames until its context ends or send fails, which it does
// when the client has gone or does not read.
type Stream struct {
	Run func(ctx context.Context, send func(frame []byte) error)
}

func (s Stream) write(c *Call, _ huma.Context) { c.response.Stream(s) }

func (Stream) content(huma.Registry) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{Type: "string"}}}
}

// Either is a JSON body, or a text instead of it when the caller asked for one.
type Either[T any] struct {
	JSON T
	text *Text
}

// Whole answers with the body.
func Whole[T any](body T) Either[T] { return Either[T]{JSON: body} }

// Streamed answers with a text.
func Streamed[T any](text Text) Either[T] { return Either[T]{text: &text} }

// Body is the body, for tests.
func (e Either[T]) Body() T { return e.JSON }

// Text is the text, nil for none.
func (e Either[T]) Text() *Text { return e.text }

func (e Either[T]) write(c *Call, ctx huma.Context) {
	if e.text != nil {
		e.text.write(c, ctx)
		return
	}
	writeJSON(ctx, ok, e.JSON)
}

func (Either[T]) content(r huma.Registry) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{
		"application/json": {Schema: r.Schema(typeOf[T](), true, "")},
		"text/csv":         {Schema: &huma.Schema{Type: "string"}},
	}
}

// described is an answer that says itself what it holds.
type described interface {
	content(huma.Registry) map[string]*huma.MediaType
}

// descriptionOf says what answers of a type hold: what the type says itself, else a JSON body.
func descriptionOf[Out any]() described {
	var out Out
	if d, ok := any(out).(described); ok {
		return d
	}
	return record{typeOf[Out]()}
}

// record is an answer that is a JSON body of a type.
type record struct{ of reflect.Type }

func (j record) content(r huma.Registry) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{"application/json": {Schema: r.Schema(j.of, true, "")}}
}

// describe says what an answer holds, with each status that it may have. textType
// is what its text is when that is not the usual.
func describe(d described, r huma.Registry, status int, textType string) map[string]*huma.Response {
	content := d.content(r)
	if textType != "" {
		for _, usual := range []string{"text/plain", "text/csv"} {
			if m := content[usual]; m != nil {
				delete(content, usual)
				content[textType] = m
			}
		}
	}
	all := []int{status}
	if s, several := d.(interface{ statuses() []int }); several {
		all = s.statuses()
	}
	out := map[string]*huma.Response{}
	for _, code := range all {
		answer := &huma.Response{Description: named[code]}
		if code != unchanged {
			answer.Content = content
		}
		out[strconv.Itoa(code)] = answer
	}
	return out
}

// ResponseWriter is what an answer that is not a JSON body needs from the server.
type ResponseWriter interface {
	// SetHeader sets a header of the answer, a refusal too.
	SetHeader(name, value string)
	Blob(Blob)
	Stream(Stream)
}
