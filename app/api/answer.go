package api

import (
	"io"
	"strconv"

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

func (Created[T]) status() int { return int(created) }

// NoContent is an answer of 204.
type NoContent struct{}

func (NoContent) status() int { return 204 }

const created = 201

// Redirect sends the client elsewhere, with 302.
type Redirect struct{ To string }

func (Redirect) status() int { return 302 }

func (r Redirect) write(_ *Call, ctx huma.Context) {
	if !safeRedirect(r.To) {
		panic("api: a redirect to something that is no address")
	}
	ctx.SetHeader("Location", r.To)
	ctx.SetStatus(r.status())
}

// Text is an answer that streams: an export, a page. Write is called once, after
// the headers are sent; its error ends the connection.
type Text struct {
	Type     string // Content-Type
	FileName string // "" for none
	Write    func(io.Writer) error
}

func (t Text) write(_ *Call, ctx huma.Context) {
	ctx.SetHeader("Content-Type", t.Type)
	ctx.SetHeader("Cache-Control", "no-store")
	if t.FileName != "" {
		ctx.SetHeader("Content-Disposition", "attachment; filename="+strconv.Quote(t.FileName))
	}
	ctx.SetStatus(200)
	if err := t.Write(ctx.BodyWriter()); err != nil {
		panic(ErrAborted) // the status is sent: only the connection can still tell
	}
}
