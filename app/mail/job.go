package mail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"svc/store"
	"svc/store/queue"
)

// Letter is a mail as it is sent.
type Letter struct {
	ID       string // of the mail, for its Message-ID: the same at each try
	To       string
	Language string
	Subject  string // without line breaks
	Text     string
	HTML     string
}

// Sender gives a letter to a mail server. Its error is a *Failure when the server
// spoke; it names no address and quotes nothing.
type Sender interface {
	Send(context.Context, Letter) error
}

// Failure is what a mail server said to a letter.
type Failure struct {
	// Stage is where: connect, tls, auth, from, recipient, data.
	Stage string
	// Code is the server's reply, 0 for none.
	Code int
	// Permanent: trying again is of no use.
	Permanent bool
}

// Error is a sentence without anything of the letter.
func (f *Failure) Error() string {
	if f.Code == 0 {
		return "the mail server failed at " + f.Stage
	}
	return fmt.Sprintf("the mail server answered %d at %s", f.Code, f.Stage)
}

// delivery is the job of one mail. Nothing of the mail stands in it.
type delivery struct {
	ID string `json:"id"`
}

// Kind implements queue.Args.
func (delivery) Kind() string { return "mail.send" }

// Queue implements queue.Args.
func (delivery) Queue() queue.Name { return queue.Maintenance }

const (
	attempts = 10 // about four hours
	timeout  = 2 * time.Minute
	lanes    = 2
)

// laneOf lets two mails be on their way at a time: a mail server that hangs holds no
// more of the workers.
func laneOf(id string) string { return fmt.Sprintf("mail %d", int(id[len(id)-1])%lanes) }

// backoff is how long a refused mail waits: 30 s doubling to an hour.
func backoff(failures int) time.Duration {
	return min(30*time.Second<<min(max(failures, 1)-1, 10), time.Hour)
}

// Work registers the worker. Without a sender mails that wait stay until they are of
// no use.
func Work(w *queue.Workers, db *store.DB, sender Sender) {
	queue.Register(w, func(ctx context.Context, j queue.Job, d delivery) error {
		err := deliver(ctx, db, sender, d.ID)
		if err == nil {
			return db.Update(ctx, func(tx *store.Tx) error { return errors.Join(end(tx, d.ID), queue.Finish(tx, j)) })
		}
		var f *Failure
		permanent := errors.As(err, &f) && f.Permanent || errors.Is(err, errOver)
		if !permanent && j.Attempts < j.MaxAttempts {
			return err
		}
		return errors.Join(db.Update(ctx, func(tx *store.Tx) error { return end(tx, d.ID) }), queue.Drop(err))
	}, queue.WithBackoff(backoff), queue.WithTimeout(timeout))
}

var (
	errOver     = errors.New("the mail is of no use any more")
	errNoServer = errors.New("no mail server is configured (--smtp-url)")
)

func deliver(ctx context.Context, db *store.DB, sender Sender, id string) error {
	var l Letter
	err := db.View(ctx, func(tx *store.Tx) error {
		m, err := table.Get(tx, store.Platform, id)
		if errors.Is(err, store.ErrNotFound) || err == nil && (m.Ended || tx.DB().Now().After(m.Until)) {
			return errOver
		}
		if err != nil {
			return err
		}
		plain, err := sealed.Open(tx.DB(), store.Platform, &m)
		if err != nil {
			return err
		}
		var c content
		if err := json.Unmarshal(plain, &c); err != nil {
			return errors.New("the content of a mail does not decode")
		}
		l = letter(m.ID, m.Kind, c)
		return nil
	})
	switch {
	case err != nil:
		return err
	case sender == nil:
		return errNoServer
	}
	return sender.Send(ctx, l)
}

// end forgets the content of a mail that was sent or given up.
func end(tx *store.Tx, id string) error {
	_, err := table.Edit(tx, store.Platform, id, func(m *outgoing) error {
		m.Ended, m.Content = true, store.Sealed{}
		return nil
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}
