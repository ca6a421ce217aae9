package web

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/lmittmann/tint"
	"golang.org/x/term"
)

// NewLogger makes the log of the process: coloured text when w is a terminal,
// JSON lines for machines otherwise. Every line that is logged with the context
// of a request carries its id.
func NewLogger(w io.Writer) *slog.Logger {
	f, ok := w.(*os.File)
	return newLogger(w, ok && term.IsTerminal(int(f.Fd())))
}

func newLogger(w io.Writer, terminal bool) *slog.Logger {
	var h slog.Handler
	if terminal {
		h = tint.NewTextHandler(w, &tint.Options{TimeFormat: time.TimeOnly})
	} else {
		h = slog.NewJSONHandler(w, nil)
	}
	return slog.New(requestHandler{h})
}

// requestHandler adds the request id of the context to each line.
type requestHandler struct{ slog.Handler }

func (h requestHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := RequestID(ctx); id != "" {
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

func (h requestHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestHandler{h.Handler.WithAttrs(attrs)}
}

func (h requestHandler) WithGroup(name string) slog.Handler {
	return requestHandler{h.Handler.WithGroup(name)}
}

// slogPrinter lets a library that wants a Println logger use the log.
type slogPrinter struct{ log *slog.Logger }

func (p slogPrinter) Println(v ...any) {
	p.log.Warn(strings.TrimSpace(fmt.Sprintln(v...)))
}
