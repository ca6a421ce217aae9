// Package anchor publishes the ends of the audit chains outside of the database every
// hour: in the log and, where they are set, in a file and at an address (contract 21.3).
//
// It promises that a chain which grew is anchored at each destination, also after one
// was out of reach for a time. What anchors prove is in package audit.
package anchor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"svc/app/audit"
	"svc/app/hook"
	"svc/app/module"
	"svc/store"
	"svc/store/kv/files"
	"svc/store/queue"
)

// Sender reaches the address of anchors: who configures it owns the machine, so it may be
// a private one.
type Sender struct{ hook.Sender }

// Service publishes anchors.
type Service struct {
	db     *store.DB
	o      module.Options
	sender hook.Sender
	log    *slog.Logger
}

// Slice registers anchors. An address is reached by the [Sender] that is provided.
func Slice() module.Slice {
	return module.Slice{Name: "anchor", New: func(e *module.Env) module.Module {
		sender, _ := module.Find[Sender](e)
		s := &Service{db: e.DB, o: e.Options, sender: sender.Sender, log: e.Log}
		return module.Module{Workers: func(w *queue.Workers) { queue.Register(w, s.anchor) }, Periodic: s.schedule}
	}}
}

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

// schedule asks for the jobs that run for ever, one for each destination. A new
// destination is served at once.
func (s *Service) schedule(tx *store.Tx) error {
	for _, to := range []anchorDestination{anchorLog, anchorFile, anchorAddress} {
		if s.anchorsGoTo(to) {
			if _, err := queue.Add(tx, anchoring{to}, time.Time{}, queue.Once(string(to))); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Service) anchorsGoTo(to anchorDestination) bool {
	switch to {
	case anchorFile:
		return s.o.AuditAnchors != ""
	case anchorAddress:
		return s.o.AuditAnchorURL != ""
	}
	return to == anchorLog
}

// anchor brings one destination up to date. After an error it comes back soon, and what
// was missed is not lost. The job ends when the destination is configured no more.
func (s *Service) anchor(ctx context.Context, _ queue.Job, job anchoring) error {
	if !s.anchorsGoTo(job.To) {
		return nil
	}
	all, deliver := false, s.anchorInLog
	switch job.To {
	case anchorFile:
		info, err := os.Stat(s.o.AuditAnchors)
		all = err != nil || info.Size() == 0 // a new file gets every chain
		deliver = func(_ context.Context, list []audit.Anchor) error { return appendAnchors(s.o.AuditAnchors, list) }
	case anchorAddress:
		deliver = s.postAnchors
	}
	err := audit.Anchors(ctx, s.db, string(job.To), all, deliver)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		s.log.Error("the ends of the audit chains could not be anchored", "destination", job.To, "error", err)
		return queue.Snooze(anchorAgain)
	}
	return queue.Snooze(anchorEvery)
}

func (s *Service) anchorInLog(_ context.Context, list []audit.Anchor) error {
	for _, x := range list {
		s.log.Info(audit.AnchorMessage, "chain", x.Chain, "seq", x.Seq, "hash", x.Hash)
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
	return files.SyncFolder(filepath.Dir(path))
}

// postAnchors sends anchors to the address that is set, as {"anchors": [...]}.
func (s *Service) postAnchors(ctx context.Context, list []audit.Anchor) error {
	body, err := json.Marshal(map[string]any{"anchors": list})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, anchorWithin)
	defer cancel()
	answer := s.sender.Send(ctx, hook.Request{
		URL: s.o.AuditAnchorURL, Body: body, Begun: func() {},
		Header: [][2]string{{"Content-Type", "application/json"}, {"User-Agent", "svc/" + s.o.Version}},
	})
	if answer.Failure != "" {
		return fmt.Errorf("the address answered with %d (%s)", answer.Status, answer.Failure)
	}
	return nil
}
