package telegram

import (
	"context"
	"log/slog"

	"github.com/gotd/log"
)

// quiet is the library's log, one level lower than it thinks itself and without what
// may hold a secret or a text: the library prints whole updates when it cannot use one.
type quiet struct{ to *slog.Logger }

// spoken are the strings of the library that name things, never people or texts.
var spoken = map[string]bool{"type": true, "error_type": true, "update_type": true, "diff": true, "reason": true}

func levelOf(l log.Level) slog.Level {
	switch {
	case l >= log.LevelError:
		return slog.LevelWarn
	case l >= log.LevelWarn:
		return slog.LevelInfo
	case l >= log.LevelInfo:
		return slog.LevelDebug
	default:
		return slog.LevelDebug - 4
	}
}

// Enabled is asked by the library before it makes attributes.
func (q quiet) Enabled(ctx context.Context, l log.Level) bool { return q.to.Enabled(ctx, levelOf(l)) }

// With forgets the attributes: a thousand connections would keep them for nothing.
func (q quiet) With(...log.Attr) log.Logger { return q }

// Log writes a line.
func (q quiet) Log(ctx context.Context, l log.Level, msg string, attrs ...log.Attr) {
	if !q.Enabled(ctx, l) {
		return
	}
	out := make([]slog.Attr, 0, len(attrs))
	for _, a := range attrs {
		switch a.Value.Kind() {
		case log.KindInt64:
			out = append(out, slog.Int64(a.Key, a.Value.Int64()))
		case log.KindBool:
			out = append(out, slog.Bool(a.Key, a.Value.Bool()))
		case log.KindDuration:
			out = append(out, slog.Duration(a.Key, a.Value.Duration()))
		case log.KindTime:
			out = append(out, slog.Time(a.Key, a.Value.Time()))
		case log.KindError:
			out = append(out, slog.String(a.Key, a.Value.String()))
		case log.KindString:
			if spoken[a.Key] {
				out = append(out, slog.String(a.Key, a.Value.String()))
			}
		}
	}
	q.to.LogAttrs(ctx, levelOf(l), "telegram: "+msg, out...)
}
