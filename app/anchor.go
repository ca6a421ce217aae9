package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"svc/app/audit"
	"svc/app/hook"
	"svc/store"
	"svc/store/kv"
	"svc/store/queue"
)

// anchoring is the hourly job that anchors the ends of the audit chains outside of the
// database, one for each destination (contract 21.3).
type anchoring struct {
	To anchorDestination `json:"to"`
}

// anchorDestination is where anchors go.
type anchorDestination string

// The destinations: the log always, a file and an address where they are configured.
const (
	anchorLog     anchorDestination = "log"
	anchorFile    anchorDestination = "file"
	anchorAddress anchorDestination = "address"
)

// Kind implements queue.Args.
func (anchoring) Kind() string { return "audit_anchor" }

// Queue implements queue.Args.
func (anchoring) Queue() queue.Name { return queue.Maintenance }

const (
	anchorEvery = time.Hour
	// anchorAgain is when a destination that failed is tried again.
	anchorAgain = 5 * time.Minute
	// anchorWithin bounds one request.
	anchorWithin = 30 * time.Second
)

// scheduleAnchors asks for the jobs that run for ever, one for each destination. A new
// destination is served at once.
func (a *App) scheduleAnchors(tx *store.Tx) error {
	for _, to := range []anchorDestination{anchorLog, anchorFile, anchorAddress} {
		if a.anchorsGoTo(to) {
			if _, err := queue.Add(tx, anchoring{to}, time.Time{}, queue.Once(string(to))); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *App) anchorsGoTo(to anchorDestination) bool {
	switch to {
	case anchorFile:
		return a.o.AuditAnchors != ""
	case anchorAddress:
		return a.o.AuditAnchorURL != ""
	}
	return to == anchorLog
}

// anchor brings one destination up to date. After an error it comes back soon, and what
// was missed is not lost. The job ends when the destination is configured no more.
func (a *App) anchor(ctx context.Context, _ queue.Job, job anchoring) error {
	if !a.anchorsGoTo(job.To) {
		return nil
	}
	all, deliver := false, a.anchorInLog
	switch job.To {
	case anchorFile:
		info, err := os.Stat(a.o.AuditAnchors)
		all = err != nil || info.Size() == 0 // a new file gets every chain
		deliver = func(_ context.Context, list []audit.Anchor) error { return appendAnchors(a.o.AuditAnchors, list) }
	case anchorAddress:
		deliver = a.postAnchors
	}
	err := audit.Anchors(ctx, a.DB, string(job.To), all, deliver)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		a.log.Error("the ends of the audit chains could not be anchored", "destination", job.To, "error", err)
		return queue.Snooze(anchorAgain)
	}
	return queue.Snooze(anchorEvery)
}

func (a *App) anchorInLog(_ context.Context, list []audit.Anchor) error {
	for _, x := range list {
		a.log.Info(audit.AnchorMessage, "chain", x.Chain, "seq", x.Seq, "hash", x.Hash)
	}
	return nil
}

// appendAnchors adds lines to a file, which is only ever appended to, and syncs it.
func appendAnchors(path string, list []audit.Anchor) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	_, missing := os.Stat(path)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var text []byte
	last := make([]byte, 1)
	if end, err := f.Seek(0, io.SeekEnd); err != nil {
		return err
	} else if end > 0 {
		if _, err := f.ReadAt(last, end-1); err != nil {
			return err
		}
		if last[0] != '\n' { // a process died in the middle of a line
			text = append(text, '\n')
		}
	}
	for _, x := range list {
		line, err := json.Marshal(x)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil || missing == nil {
		return err
	}
	return kv.SyncFolder(filepath.Dir(path))
}

// postAnchors sends anchors to the address that is set, as {"anchors": [...]}.
func (a *App) postAnchors(ctx context.Context, list []audit.Anchor) error {
	body, err := json.Marshal(map[string]any{"anchors": list})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, anchorWithin)
	defer cancel()
	answer := a.o.AnchorSender.Send(ctx, hook.Request{
		URL: a.o.AuditAnchorURL, Body: body, Begun: func() {},
		Header: [][2]string{{"Content-Type", "application/json"}, {"User-Agent", "svc/" + a.o.Version}},
	})
	if answer.Failure != "" {
		return fmt.Errorf("the address answered with %d (%s)", answer.Status, answer.Failure)
	}
	return nil
}
