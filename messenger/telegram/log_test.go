package telegram

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/gotd/log"
)

// The library prints whole updates, user names and addresses; the log must not.
func TestLogIsQuiet(t *testing.T) {
	var out bytes.Buffer
	q := quiet{slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug - 4}))}
	q.With(log.String("secret", "secret-text")).Log(t.Context(), log.LevelError, "it failed",
		log.Any("update", map[string]string{"message": "secret-text"}),
		log.String("username", "secret-text"), log.Group("g", log.String("reason", "secret-text")),
		log.String("reason", "gap"), log.Int("pts", 7), log.Bool("ok", true), log.Duration("took", time.Second),
		log.Time("at", time.Unix(0, 0)), log.Error(errors.New("broken pipe")))
	got := out.String()
	for _, want := range []string{"level=WARN", "it failed", "reason=gap", "pts=7", "ok=true", "took=1s", "at=1970", "broken pipe"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if strings.Contains(got, "secret-text") {
		t.Errorf("the log says %s", got)
	}
}

// One level lower than the library thinks: its INFO is about its own life.
func TestLogLevels(t *testing.T) {
	for in, want := range map[log.Level]slog.Level{
		log.LevelDebug: slog.LevelDebug - 4, log.LevelInfo: slog.LevelDebug, log.LevelWarn: slog.LevelInfo, log.LevelError: slog.LevelWarn,
	} {
		if got := levelOf(in); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
	var out bytes.Buffer
	q := quiet{slog.New(slog.NewTextHandler(&out, nil))}
	if q.Enabled(t.Context(), log.LevelInfo) || !q.Enabled(t.Context(), log.LevelWarn) {
		t.Error("the library's INFO is shown, or its WARN is not")
	}
	q.Log(t.Context(), log.LevelInfo, "starting")
	if out.Len() != 0 {
		t.Errorf("the log says %s", out.String())
	}
}
