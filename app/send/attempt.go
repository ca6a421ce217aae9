package send

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"svc/app/account/connection"
	"svc/app/content"
	"svc/app/content/markup"
	"svc/app/recipient"
	"svc/app/vault"
	"svc/messenger"
	"svc/store"
	"svc/store/coord"
)

func asSkip(err error, to **Skip) bool { return errors.As(err, to) }

// compose asks for the words of a job.
func (t *dispatchTx) compose(orgID string, j *Job, who *recipient.Recipient) (Draft, error) {
	source := t.s.sources[j.Kind]
	if source == nil {
		return Draft{}, fmt.Errorf("nobody knows messages of kind %s", j.Kind)
	}
	return source.Compose(t.tx, t.call(orgID), j, who)
}

// entityTypes are the styles that the messenger calls otherwise.
var entityTypes = map[markup.Style]string{markup.Strikethrough: "strike", markup.Link: "link"}

// message is a draft as the messenger takes it, without its files.
func message(d Draft, ids []int64) messenger.Message {
	m := messenger.Message{To: d.To, Text: d.Text, Files: d.Files, LinkPreview: d.LinkPreview, ReplyTo: d.ReplyTo, RandomIDs: ids}
	for _, e := range d.Entities {
		kind := entityTypes[e.Type]
		if kind == "" {
			kind = string(e.Type)
		}
		m.Entities = append(m.Entities, messenger.Entity{Type: kind, Offset: e.Offset, Length: e.Length, URL: e.URL, Language: e.Language})
	}
	return m
}

// attach names the files of a message, which are opened while it is sent.
func (s *Service) attach(ctx context.Context, orgID string, m *messenger.Message, list []content.Attachment) {
	for i := range list {
		a := &list[i]
		m.Files = append(m.Files, messenger.File{
			Key: a.SHA256, Kind: string(a.Kind), Name: a.FileName, MimeType: a.MimeType, Size: a.SizeBytes,
			Width: orZero(a.Width), Height: orZero(a.Height), Seconds: orZero(a.DurationSeconds),
			Open: func() (io.ReadCloser, error) {
				_, r, err := s.o.Content.Open(ctx, orgID, a.ID)
				if errors.Is(err, vault.ErrAway) {
					return nil, &messenger.Error{Fault: messenger.Busy, Code: internalError, Cause: err} // it is tried again
				}
				if err != nil {
					return nil, &messenger.Error{Fault: messenger.ContentRefused, Code: "ATTACHMENT_UNREADABLE", Cause: err}
				}
				return r, nil
			},
		})
	}
}

func orZero(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// try tries a message once. done is false when it was we who ended the try, or the account
// is not ours any more: whether the message arrived is not known, and it does not count.
func (s *Service) try(ctx context.Context, m *outboundMessage) (o *outcome, done bool) {
	within := contentWithin
	if len(m.files)+len(m.message.Files) > 0 {
		within = filesWithin
	}
	try, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	s.attach(try, m.org, &m.message, m.files)
	began := time.Now()
	sent, lease, err := s.send(try, m)
	o = &outcome{job: m.job, sent: sent, lease: lease, at: s.db.Now(), took: time.Since(began)}
	if err == nil {
		return o, true
	}
	o.err = messenger.As(err)
	unheard := o.err == nil || o.err.Fault == messenger.Unreachable
	switch {
	case ctx.Err() != nil && unheard, store.IsNotFound(err):
		return o, false // the service stops, or the account is gone
	case errors.Is(err, connection.ErrElsewhere): // since the claim
		coord.Sleep(ctx, elsewherePause)
		return o, false
	case s.stopping.Load() && o.err != nil && unheard:
		return o, false // while the service stops, its connections may end before their messages
	case o.err != nil:
	case try.Err() != nil:
		o.err = &messenger.Error{Fault: messenger.Unreachable, Code: "TIMEOUT", Cause: err}
	default:
		o.err = &messenger.Error{Fault: messenger.Busy, Code: internalError, Cause: err}
		s.log.Error("a message cannot be sent", "job", m.job, "account", m.account, "error", err)
	}
	return o, true
}

// send keeps a panic of the driver in the try.
func (s *Service) send(ctx context.Context, m *outboundMessage) (sent messenger.Sent, lease coord.Lease, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	conn, lease, err := s.o.Accounts.Conn(ctx, m.org, m.account)
	if err != nil {
		return sent, lease, err
	}
	sent, err = conn.Send(ctx, m.message)
	return sent, lease, err
}

// elsewherePause is how long a message waits whose account another node began to connect
// when it was claimed here.
const elsewherePause = time.Second
