// Package network is the photo and the page network in the inbox: what webhooks bring becomes
// messages of conversations, and replies go out in parts that are proven to have arrived.
//
// It promises that a part is sent once although the networks know no idempotency key: it is
// noted before the request, and what is uncertain is looked for before it is tried again, once
// (contract 16.3). It promises that an unsent message is never stored, whichever comes first, and
// that older news never overwrites newer. It refuses to know a shape of the wire.
package network

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"time"

	"svc/app/api"
	outside "svc/app/channel"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/messenger/platform"
	"svc/messenger/platform/graph"
	"svc/store"
	"svc/store/queue"
)

// Options of New.
type Options struct {
	Name     channel.Name
	Outside  *outside.Service
	Intake   channel.Intake
	Outbox   channel.Outbox
	Networks channel.Networks
	Log      *slog.Logger
}

// Network is one network in the inbox.
type Network struct {
	db  *store.DB
	o   Options
	log *slog.Logger
}

var (
	_ channel.Channel   = (*Network)(nil)
	_ channel.Historian = (*Network)(nil)
	_ channel.Proving   = (*Network)(nil)
	_ channel.Simulator = (*Network)(nil)
)

// New makes the network.
func New(db *store.DB, o Options) *Network {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Network{db: db, o: o, log: o.Log}
}

// Tables are what a store is opened with.
func Tables() []store.AnyTable { return []store.AnyTable{sends, echoes, marks} }

// Name implements channel.Channel.
func (n *Network) Name() channel.Name { return n.o.Name }

func (n *Network) platform() platform.Name { return platform.Name(n.o.Name) }

// Bounds of the networks (contract 16.3).
const (
	window      = 24 * time.Hour
	humanWindow = 7 * 24 * time.Hour
	closesEarly = time.Minute
	photoBytes  = 1000
	pageUnits   = 2000
	maxImage    = 8 << 20
	maxOther    = 25 << 20
	mostFiles   = 10
)

// Rules implements channel.Channel.
func (n *Network) Rules() channel.Rules {
	r := channel.Rules{
		MaxLength: photoBytes, Unit: "bytes", Window: window, WindowLimit: window, Early: closesEarly, MaxFiles: mostFiles,
		MaxBytes: map[channel.FileKind]int64{channel.Photo: maxImage, channel.Video: maxOther, channel.Audio: maxOther, channel.Voice: maxOther, channel.Document: maxOther, channel.Animation: maxImage},
	}
	if n.o.Outside.HumanAgent() {
		r.HumanWindow = humanWindow
	}
	reachable := n.o.Outside.FileBase() != ""
	if n.o.Name == channel.PageNetwork {
		r.MaxLength, r.Unit, r.Quotes = pageUnits, "characters", true
		r.Files = []channel.FileKind{channel.Photo, channel.Video, channel.Voice, channel.Audio, channel.Document, channel.Animation}
	} else if reachable { // the photo network fetches files, so it must reach this service
		r.Files = []channel.FileKind{channel.Photo, channel.Video, channel.Voice, channel.Audio}
	}
	if len(r.Files) == 0 {
		r.MaxFiles, r.Files = 0, []channel.FileKind{}
	}
	return r
}

// Account implements channel.Channel.
func (n *Network) Account(tx *store.Tx, org, id string) (channel.Account, error) {
	a, err := outside.Get(tx, org, id)
	if err == nil && a.Platform != n.platform() {
		err = store.ErrNotFound
	}
	if err != nil {
		return channel.Account{}, err
	}
	return channel.Account{ID: a.ID, Name: a.DisplayName(), Username: a.Username, Owner: a.ExternalID, Unavailable: unavailable(&a)}, nil
}

// unavailable is why nothing goes out over an account, "" when it does.
func unavailable(a *outside.Account) string {
	switch {
	case a.Status == outside.AuthRequired:
		return channel.AuthRequired
	case !a.Sends(), !a.MayMessage():
		return channel.Unavailable
	}
	return ""
}

// Recognise implements channel.Channel: a network's people are never compared with recipients.
func (*Network) Recognise(*store.Tx, string, channel.Person) (string, error) { return "", nil }

// Standing implements channel.Channel. Consent of a recipient lets nobody be written to here: the
// network alone says when.
func (*Network) Standing(tx *store.Tx, org string, _ channel.Person, recipientID string) (s channel.Standing, err error) {
	s.Consent = field.Unknown
	if recipientID == "" {
		return s, nil
	}
	r, err := recipient.Get(tx, org, recipientID)
	if err != nil {
		return s, store.IgnoreNotFound(err)
	}
	s.RecipientID, s.OptedOutAt, s.OptedOut, s.Suppressed = r.ID, r.OptedOutAt, r.Consent == field.OptedOut, r.Suppressed
	return s, nil
}

// OptOut implements channel.Channel: the conversation alone keeps a stop.
func (*Network) OptOut(*store.Tx, *api.Call, channel.Person) error { return nil }

// MarkRead implements channel.Channel: the network marks the whole thread.
func (n *Network) MarkRead(ctx context.Context, org, account string, p channel.Person, _ int64) error {
	sp, err := n.o.Outside.Speak(ctx, org, account)
	if err != nil {
		return channel.ErrUnreachable.WithCause(err)
	}
	if sp.Wait(outside.Wanted, n.db.Now()) > 0 {
		return channel.ErrUnreachable
	}
	err = n.o.Outside.Done(ctx, sp, sp.MarkSeen(ctx, sp.Access, p.ID))
	if e := platform.As(err); e != nil {
		switch e.Fault {
		case platform.Uncertain, platform.Unsent, platform.Limited:
			return channel.ErrUnreachable.WithCause(err)
		}
		return channel.ErrRefused.WithCause(err)
	}
	return err
}

// Fetch implements channel.Channel: a file is where the webhook said.
func (n *Network) Fetch(ctx context.Context, f channel.Fetch, w io.Writer) (int64, error) {
	net := n.o.Outside.Network(n.platform())
	if len(f.Ref) == 0 || net == nil {
		return 0, channel.ErrFileGone
	}
	k, err := net.Download(ctx, string(f.Ref), w, f.From, f.Most)
	switch e := platform.As(err); {
	case errors.Is(err, graph.ErrTooLarge):
		return k, channel.ErrFileTooLarge
	case e != nil && e.Fault == platform.Gone:
		return k, channel.ErrFileGone
	case e != nil && e.Fault == platform.Limited:
		return k, &channel.Later{After: max(e.Wait, time.Minute)}
	}
	return k, err
}

// Elsewhere implements channel.Channel: any node speaks for an account.
func (*Network) Elsewhere(*store.Tx, string) (bool, error) { return false, nil }

// Simulates implements channel.Simulator.
func (n *Network) Simulates() bool { return n.o.Outside.People() != nil }

// Simulate implements channel.Simulator: the person writes in the simulated world, and the signed
// webhook brings it.
func (n *Network) Simulate(
	ctx context.Context, db *store.DB, org, account string, from channel.Simulated, text string, files []channel.SimulatedFile, _ time.Time,
) (owner, id string, err error) {
	var a outside.Account
	err = db.View(ctx, func(tx *store.Tx) error {
		a, err = outside.Get(tx, org, account)
		return err
	})
	if err != nil {
		return "", "", err
	}
	if len(files) > 0 {
		return "", "", api.Wrong("files", "cannot be made up on this network; leave them out")
	}
	who := from.Username
	if who == "" {
		who = usernameOf(from.Name)
	}
	mid, ok := n.o.Outside.People().Say(a.Platform, a.ExternalID, who, from.Name, text)
	if !ok {
		return "", "", channel.ErrUnreachable
	}
	return a.ExternalID, mid, nil
}

// usernameOf makes a username of a name.
func usernameOf(name string) string {
	out := []rune{}
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			out = append(out, r)
		case r >= 'A' && r <= 'Z':
			out = append(out, r+'a'-'A')
		}
	}
	if len(out) == 0 {
		return "customer"
	}
	return string(out)
}

// chatToken finds a thread again.
type chatToken struct {
	Thread string `json:"thread"`
	Person string `json:"person"`
}

// threadMessages is how many messages of a thread the networks give.
const threadMessages = 20

// background opens an account for work that waits for replies.
func (n *Network) background(ctx context.Context, org, account string) (*outside.Speaker, error) {
	sp, err := n.o.Outside.Speak(ctx, org, account)
	if err != nil {
		return nil, err
	}
	if wait := sp.Wait(outside.Background, n.db.Now()); wait > 0 {
		return nil, &channel.Later{After: wait}
	}
	return sp, nil
}

func later(err error) error {
	if e := platform.As(err); e != nil && e.Fault == platform.Limited {
		return &channel.Later{After: max(e.Wait, time.Minute)}
	}
	return err
}

// Chats implements channel.Historian.
func (n *Network) Chats(ctx context.Context, org, account, after string) (out channel.ChatPage, err error) {
	sp, err := n.background(ctx, org, account)
	if err != nil {
		return out, err
	}
	page, err := sp.Threads(ctx, sp.Access, after)
	if err = n.o.Outside.Done(ctx, sp, err); err != nil {
		return out, later(err)
	}
	out.Next = page.Next
	for _, t := range page.Data {
		token, err := json.Marshal(chatToken{t.ID, t.Person.ID})
		if err != nil {
			return out, err
		}
		out.Chats = append(out.Chats, channel.Chat{Person: personOf(&t.Person), At: t.Updated, Token: token})
	}
	return out, nil
}

// Messages implements channel.Historian: what a network gives of a thread is one page.
func (n *Network) Messages(ctx context.Context, org, account string, chat channel.Chat, _ string, limit int) (out channel.MessagePage, err error) {
	var t chatToken
	if err := json.Unmarshal(chat.Token, &t); err != nil {
		return out, err
	}
	sp, err := n.background(ctx, org, account)
	if err != nil {
		return out, err
	}
	list, err := sp.Network.Messages(ctx, sp.Access, t.Thread, min(limit, threadMessages))
	err = n.o.Outside.Done(ctx, sp, err)
	if e := platform.As(err); e != nil && e.Fault == platform.Gone {
		return out, nil
	}
	if err != nil {
		return out, later(err)
	}
	for i := range list {
		for _, in := range translate(&list[i], chat.Person) {
			in.Imported = true
			out.Messages = append(out.Messages, in)
		}
	}
	return out, nil
}

func personOf(p *platform.Person) channel.Person {
	out := channel.Person{ID: p.ID, Username: p.Username, FirstName: p.FirstName, LastName: p.LastName}
	if out.FirstName == "" && out.LastName == "" {
		out.FirstName = p.Name
	}
	return out
}

// profiling is the job that learns the name of somebody.
type profiling struct {
	Org          string `json:"org"`
	Conversation string `json:"conversation"`
}

func (profiling) Kind() string      { return "inbox.profile" }
func (profiling) Queue() queue.Name { return queue.Inbound }

const profileTries = 5

// profile learns the name of the other side, which only the network knows.
func profile(s *outside.Service, db *store.DB) func(context.Context, queue.Job, profiling) error {
	return func(ctx context.Context, j queue.Job, a profiling) error {
		var k conversation.Conversation
		err := db.View(ctx, func(tx *store.Tx) (err error) {
			k, err = conversation.Get(tx, a.Org, a.Conversation)
			return err
		})
		if err != nil {
			return store.IgnoreNotFound(err)
		}
		sp, err := s.Speak(ctx, a.Org, k.AccountID)
		if err != nil {
			return nil //nolint:nilerr // it is asked for again with the next message
		}
		if wait := sp.Wait(outside.Wanted, db.Now()); wait > 0 {
			return queue.Snooze(wait)
		}
		p, err := sp.Profile(ctx, sp.Access, k.Person.ID)
		if err = s.Done(ctx, sp, err); err != nil {
			e := platform.As(err)
			if e != nil && (e.Fault == platform.Gone || e.Fault == platform.Refused || e.Fault == platform.NoPermission) || j.Attempts >= j.MaxAttempts {
				return nil
			}
			if e != nil {
				return queue.RetryIn(max(e.Wait, time.Minute<<min(j.Attempts, 8)), err)
			}
			return err
		}
		return db.Update(ctx, func(tx *store.Tx) error {
			k, err := conversation.Get(tx, a.Org, a.Conversation)
			if err != nil {
				return store.IgnoreNotFound(err)
			}
			return conversation.SetPerson(tx, a.Org, &k, personOf(&p))
		})
	}
}
