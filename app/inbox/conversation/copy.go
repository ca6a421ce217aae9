package conversation

import (
	"svc/app/inbox/channel"
	"svc/store"
)

// TakeCopy finds the reply that a message of the account is a copy of, and notes on it what the
// network knows it by; nil when there is none, and somebody wrote it in the network's own app.
// A process that was killed between the request and its answer does not know that a reply
// arrived: it learns it from the copy, or sends the reply again, which the network takes for the
// same and answers without an id. So the reply is one that sending names as on its way, or one
// that was sent and has no id, with the same text and a file when it has one.
func TakeCopy(tx *store.Tx, org string, k *Conversation, in *channel.Incoming, sending func() (string, error)) (*Message, error) {
	list, _, err := Older(tx, org, k.ID, "", lookedBack)
	for i := len(list) - 1; i >= 0 && err == nil; i-- {
		m := &list[i]
		var same bool
		if same, err = copied(tx, org, m, in); !same {
			continue
		}
		if m.Status == Queued {
			var id string
			if id, err = sending(); id != m.ID {
				continue
			}
		}
		return m, takeCopy(tx, org, k, m, in)
	}
	return nil, err
}

// copied says whether a message says what a reply does whose id is not known.
func copied(tx *store.Tx, org string, m *Message, in *channel.Incoming) (bool, error) {
	ours := m.Author == Human || m.Author == AI
	if !ours || m.Status != Sent && m.Status != Queued || !m.DeletedAt.IsZero() || m.Purged || (in.File != nil) != (len(m.Files) > 0) {
		return false, nil
	}
	if len(m.Parts) > 0 { // the other parts of an album have no text
		return in.Album != "" && m.Album == in.Album && len(m.Parts) < len(m.Files), nil
	}
	c, err := m.Open(tx.DB(), org)
	return err == nil && c.Text == in.Text, err
}

func takeCopy(tx *store.Tx, org string, k *Conversation, m *Message, in *channel.Incoming) error {
	p := Part{in.ID, in.Seq}
	m.Parts = append(m.Parts, p)
	if len(m.Files) > 1 {
		m.Album = in.Album
	}
	k.LastSeq = max(k.LastSeq, p.Seq)
	if err := messages.Put(tx, org, m); err != nil {
		return err
	}
	return conversations.Put(tx, org, k)
}

// takeStored is for a reply that was sent and whose id nobody told: a copy of it that was taken
// for one of the owner's app becomes part of it.
func takeStored(tx *store.Tx, org string, k *Conversation, m *Message) error {
	if len(m.Parts) > 0 {
		return nil
	}
	list, _, err := Older(tx, org, k.ID, "", lookedBack)
	if err != nil {
		return err
	}
	words, err := m.Open(tx.DB(), org)
	for i := len(list) - 1; i >= 0 && err == nil; i-- {
		duplicate := &list[i]
		if duplicate.Author != OwnerPhone || duplicate.Imported || duplicate.CreatedAt.Before(m.CreatedAt) || len(duplicate.Files) != len(m.Files) || len(duplicate.Parts) == 0 {
			continue
		}
		var c Content
		if c, err = duplicate.Open(tx.DB(), org); err == nil && c.Text == words.Text {
			m.Parts = duplicate.Parts
			return merge(tx, org, k, duplicate, m.ID)
		}
	}
	return err
}
