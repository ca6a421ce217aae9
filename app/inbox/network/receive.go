package network

import (
	"context"
	"strconv"
	"time"

	"svc/app/api"
	outside "svc/app/channel"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/messenger/platform"
	"svc/store"
	"svc/store/queue"
)

// mark is what is known of a message that nobody has: it may come yet.
type mark struct {
	ID      string `json:"id"` // owner and mid
	Deleted bool   `json:"deleted,omitempty"`
	Edits   int    `json:"edits,omitempty"`
	EditAt  time.Time
	Emoji   string       `json:"emoji,omitempty"`
	EmojiAt time.Time    `json:"emoji_at,omitzero"`
	At      time.Time    `json:"at"`
	Text    store.Sealed `json:"text,omitzero"`
}

// markLife is how long a mark waits for its message.
const markLife = 8 * 24 * time.Hour

var (
	marks    = store.NewTable("network_mark", "", func(m *mark) string { return m.ID })
	editText = marks.Sealed("text", func(m *mark) *store.Sealed { return &m.Text })
	oldMarks = marks.Index("at", func(m *mark) store.Key { return store.Time(m.At) })
)

func markID(owner, mid string) string { return owner + ":" + mid }

// kinds are files in the words of the inbox.
var kinds = map[string]channel.FileKind{
	"photo": channel.Photo, "video": channel.Video, "audio": channel.Audio, "document": channel.Document, "sticker": channel.Sticker,
	"animation": channel.Animation, "story": channel.Story, "story_mention": channel.StoryMention,
}

// translate is a message in the words of the inbox: one with several files becomes several parts
// of an album.
func translate(m *platform.Message, with channel.Person) []channel.Incoming {
	in := channel.Incoming{
		ID: m.ID, Seq: m.At.UnixMilli(), From: with, Out: m.Echo, At: m.At, Text: m.Text, ReplyTo: m.ReplyTo, Service: m.Unsupported,
	}
	for _, r := range m.Reactions {
		in.Reactions = append(in.Reactions, channel.Reaction{Emoji: r.Emoji, Out: r.Person != with.ID, At: m.At})
	}
	if len(m.Attachments) == 0 {
		return []channel.Incoming{in}
	}
	var out []channel.Incoming
	for i, a := range m.Attachments {
		part := in
		if i > 0 {
			part.ID, part.Text, part.ReplyTo, part.Reactions = partID(m.ID, i), "", "", nil
		}
		kind := kinds[a.Kind]
		if kind == "" {
			kind = channel.Share
		}
		part.File = &channel.IncomingFile{Kind: kind, Name: a.Name, Ref: []byte(a.URL)}
		if len(m.Attachments) > 1 {
			part.Album = m.ID
		}
		out = append(out, part)
	}
	return out
}

func partID(mid string, n int) string { return mid + "#" + strconv.Itoa(n) }

// maxParts bounds the files of one message.
const maxParts = 20

// Receive takes what a webhook brings: channel.Receiver of package app/channel.
func (n *Network) Receive(tx *store.Tx, org string, a *outside.Account, u *platform.Update) error {
	if a.Platform != n.platform() || !a.MayMessage() {
		return nil
	}
	at := channel.At{Org: org, Account: a.ID, Owner: a.ExternalID, Channel: n.o.Name}
	switch u.Kind {
	case platform.MessageCame, platform.PostbackCame:
		return n.message(tx, at, u)
	case platform.MessageUnsent:
		return n.unsent(tx, at, u)
	case platform.MessageEdited:
		return n.edited(tx, at, u)
	case platform.ReactionChanged:
		return n.reacted(tx, at, u)
	case platform.WasRead:
		return n.read(tx, at, u)
	case platform.WasDelivered:
		return n.proven(tx, at, u.Person, u.Watermark)
	}
	return nil
}

// known is how a person is known in the inbox: webhooks name ids alone.
func (n *Network) known(tx *store.Tx, at channel.At, person string) (p channel.Person, fresh bool, err error) {
	k, err := conversation.Of(tx, at.Org, at.Channel, at.Owner, person)
	if store.IsNotFound(err) {
		return channel.Person{ID: person}, true, nil
	}
	return k.Person, k.Person.FirstName == "" && k.Person.Username == "", err
}

func (n *Network) message(tx *store.Tx, at channel.At, u *platform.Update) error {
	if u.Message.Echo {
		return n.echo(tx, at, u)
	}
	return n.store(tx, at, u)
}

// store puts a message into its conversation, with what came before it.
func (n *Network) store(tx *store.Tx, at channel.At, u *platform.Update) error {
	m, err := marks.Get(tx, at.Org, markID(at.Owner, u.Message.ID))
	switch {
	case err == nil && m.Deleted:
		return nil // it was unsent before it arrived: what it said is never stored
	case err == nil:
		if err := n.applyMark(tx, at, &m, u); err != nil {
			return err
		}
	case !store.IsNotFound(err):
		return err
	}
	p, fresh, err := n.known(tx, at, u.Person)
	if err != nil {
		return err
	}
	var stored channel.Stored
	for i, in := range translate(&u.Message, p) {
		if i >= maxParts {
			break
		}
		in.Elsewhere = u.Standby
		if !m.EditAt.IsZero() {
			in.EditedAt = m.EditAt
		}
		if m.Emoji != "" && i == 0 {
			in.Reactions = []channel.Reaction{{Emoji: m.Emoji, At: m.EmojiAt}}
		}
		got, err := n.o.Intake.Received(tx, at, in)
		if err != nil {
			return err
		}
		if i == 0 {
			stored = got
		}
	}
	if !fresh || !stored.New {
		return nil
	}
	_, err = queue.Add(tx, profiling{at.Org, stored.Conversation}, time.Time{}, queue.Once(stored.Conversation), queue.Attempts(profileTries), queue.For(at.Org, stored.Conversation))
	return err
}

// applyMark puts what came before a message into it.
func (n *Network) applyMark(tx *store.Tx, at channel.At, m *mark, u *platform.Update) error {
	if m.Edits > 0 {
		text, err := editText.Open(tx.DB(), at.Org, m)
		if err != nil {
			return err
		}
		u.Message.Text = string(text)
	}
	return marks.Delete(tx, at.Org, m.ID)
}

// noted changes the mark of a message that nobody has.
func (n *Network) noted(tx *store.Tx, at channel.At, mid string, change func(*mark) error) error {
	m, err := marks.Get(tx, at.Org, markID(at.Owner, mid))
	if store.IsNotFound(err) {
		m, err = mark{ID: markID(at.Owner, mid)}, nil
	}
	if err != nil {
		return err
	}
	m.At = tx.DB().Now()
	if err := change(&m); err != nil {
		return err
	}
	return marks.Put(tx, at.Org, &m)
}

func (n *Network) unsent(tx *store.Tx, at channel.At, u *platform.Update) error {
	m, err := conversation.OfPart(tx, at.Org, at.Owner, u.Message.ID)
	if store.IsNotFound(err) {
		return n.noted(tx, at, u.Message.ID, func(m *mark) error {
			m.Deleted, m.Edits, m.Emoji = true, 0, ""
			return editText.Set(tx, at.Org, m, nil)
		})
	}
	if err != nil {
		return err
	}
	ids := make([]string, len(m.Parts))
	for i, p := range m.Parts {
		ids[i] = p.ID
	}
	return n.o.Intake.Deleted(tx, at, ids)
}

func (n *Network) edited(tx *store.Tx, at channel.At, u *platform.Update) error {
	m, err := conversation.OfPart(tx, at.Org, at.Owner, u.Message.ID)
	if store.IsNotFound(err) {
		return n.noted(tx, at, u.Message.ID, func(m *mark) error {
			if m.Deleted || u.Edits < m.Edits {
				return nil
			}
			m.Edits, m.EditAt = max(u.Edits, 1), u.At
			return editText.Set(tx, at.Org, m, []byte(u.Message.Text))
		})
	}
	if err != nil || !u.At.After(m.EditedAt) {
		return err
	}
	p, _, err := n.known(tx, at, u.Person)
	if err != nil {
		return err
	}
	_, err = n.o.Intake.Edited(tx, at, channel.Incoming{
		ID: u.Message.ID, Seq: m.Seq(), From: p, Out: u.Message.Echo, At: m.At, EditedAt: u.At, Text: u.Message.Text,
	})
	return err
}

func (n *Network) reacted(tx *store.Tx, at channel.At, u *platform.Update) error {
	m, err := conversation.OfPart(tx, at.Org, at.Owner, u.Message.ID)
	if store.IsNotFound(err) {
		return n.noted(tx, at, u.Message.ID, func(m *mark) error {
			if !u.At.Before(m.EmojiAt) {
				m.Emoji, m.EmojiAt = u.Emoji, u.At
				if u.Off {
					m.Emoji = ""
				}
			}
			return nil
		})
	}
	if err != nil {
		return err
	}
	now := []channel.Reaction{}
	for _, r := range m.Reactions {
		if r.Out != u.Message.Echo {
			now = append(now, r)
		} else if r.At.After(u.At) {
			return nil // something newer is known
		}
	}
	if !u.Off {
		now = append(now, channel.Reaction{Emoji: u.Emoji, Out: u.Message.Echo, At: u.At})
	}
	return n.o.Intake.Reacted(tx, at, u.Message.ID, now)
}

// read notes that the customer has read: everything up to a moment, or up to a message.
func (n *Network) read(tx *store.Tx, at channel.At, u *platform.Update) error {
	seq := u.Watermark.UnixMilli()
	if u.Watermark.IsZero() {
		seq = 0
		for _, mid := range u.MIDs {
			m, err := conversation.OfPart(tx, at.Org, at.Owner, mid)
			if store.IgnoreNotFound(err) != nil {
				return err
			}
			seq = max(seq, m.Seq())
		}
	}
	if seq == 0 {
		return nil
	}
	if err := n.proven(tx, at, u.Person, u.Watermark); err != nil {
		return err
	}
	return n.o.Intake.ReadByPeer(tx, at, u.Person, seq)
}

// system is the call of the service itself.
func system(tx *store.Tx, org string) *api.Call {
	return api.System(context.Background(), org, tx.DB().Now())
}

// forgetMarks removes marks whose message never came.
func forgetMarks(tx *store.Tx, org string, limit int) (int, error) {
	list, _, err := oldMarks.Walk(tx, org, store.Range{Span: store.During(time.Time{}, tx.DB().Now().Add(-markLife)), Limit: limit})
	for i := range list {
		if err := marks.Delete(tx, org, list[i].ID); err != nil {
			return i, err
		}
	}
	return len(list), err
}
