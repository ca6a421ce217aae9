package telegram

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gotd/td/bin"
	"github.com/gotd/td/telegram"
	"github.com/gotd/td/tg"
	"github.com/gotd/td/tgerr"

	"svc/messenger"
	"svc/messenger/telegram/fault"
)

// files is a memory without files.
type files struct{ messenger.StateStore }

func (files) File(context.Context, string) ([]byte, error) { return nil, nil }

// offline is a connection whose requests are answered by answer, without a platform.
func offline(t *testing.T, answer func(in bin.Encoder, out bin.Decoder) error) *conn {
	t.Helper()
	d := New(Options{AppID: 1, AppHash: "hash"})
	l, err := d.newLine(t.Context(), lineOptions{middlewares: []telegram.Middleware{
		telegram.MiddlewareFunc(func(tg.Invoker) telegram.InvokeFunc {
			return func(_ context.Context, in bin.Encoder, out bin.Decoder) error { return answer(in, out) }
		}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return &conn{d: d, line: l, memory: files{}, done: make(chan struct{})}
}

// The library sleeps through a flood wait of an upload, and sends a refused part for
// ever: both must come out as answers.
func TestAnswersToPartsOfAFile(t *testing.T) {
	for name, row := range map[string]struct {
		answer func(out bin.Decoder) error
		fault  messenger.Fault
		code   string
		wait   time.Duration
	}{
		"flood":   {func(bin.Decoder) error { return tgerr.New(420, "FLOOD_WAIT_3600") }, messenger.Flood, "FLOOD_WAIT", time.Hour},
		"refused": {func(out bin.Decoder) error { out.(*tg.BoolBox).Bool = &tg.BoolFalse{}; return nil }, messenger.Busy, "FILE_PART_REFUSED", 0},
		"content": {func(bin.Decoder) error { return tgerr.New(400, "FILE_PARTS_INVALID") }, messenger.ContentRefused, "FILE_PARTS_INVALID", 0},
		"session": {func(bin.Decoder) error { return tgerr.New(401, "SESSION_REVOKED") }, messenger.SessionEnded, "SESSION_REVOKED", 0},
		"nobody":  {func(bin.Decoder) error { return io.ErrClosedPipe }, messenger.Unreachable, "TRANSPORT", 0},
	} {
		for size, kind := range map[int64]string{5: "small", 11 << 20: "big"} {
			t.Run(name+" "+kind, func(t *testing.T) {
				asked := 0
				c := offline(t, func(_ bin.Encoder, out bin.Decoder) error { asked++; return row.answer(out) })
				f := messenger.File{Key: "k", Kind: "DOCUMENT", Name: "a.bin", Size: size, Open: func() (io.ReadCloser, error) {
					return io.NopCloser(io.LimitReader(endless{}, size)), nil
				}}
				begin := time.Now()
				_, err := c.media(t.Context(), &tg.InputPeerSelf{}, f, false)
				e := messenger.As(err)
				if e == nil || e.Fault != row.fault || e.Code != row.code || e.Wait != row.wait {
					t.Errorf("%v", err)
				}
				if took := time.Since(begin); took > 10*time.Second || asked == 0 || asked > 4 {
					t.Errorf("asked %d times in %s", asked, took)
				}
			})
		}
	}
}

// A disk that fails in the middle of a file is not the platform's answer.
func TestFileThatBreaksOff(t *testing.T) {
	c := offline(t, func(_ bin.Encoder, out bin.Decoder) error {
		out.(*tg.BoolBox).Bool = &tg.BoolTrue{}
		return nil
	})
	broken := io.MultiReader(strings.NewReader("some"), brokenDisk{})
	f := messenger.File{Key: "k", Kind: "DOCUMENT", Size: 100, Open: func() (io.ReadCloser, error) { return io.NopCloser(broken), nil }}
	_, err := c.media(t.Context(), &tg.InputPeerSelf{}, f, false)
	if e := messenger.As(err); e == nil || e.Fault != messenger.ContentRefused || e.Code != fault.CodeFile {
		t.Errorf("%v", err)
	}
}

type brokenDisk struct{}

func (brokenDisk) Read([]byte) (int, error) { return 0, errors.New("input/output error") }
