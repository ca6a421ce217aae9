// Package intake takes what arrives from any network into conversations: it finds or makes
// the conversation, stores each message once, joins albums, and notes edits, deletions,
// reactions and reads.
//
// It promises that all of it happens in the transaction in which something arrives, that
// what is handed over twice changes nothing, and that a certain stop request opts the person
// out in that same transaction, whether or not an AI is on (contract 20.7). It refuses to know
// which network it is (package channel), and lets imported messages start nothing
// (contract 22).
package intake

import (
	"context"

	find "svc/ai/signals"
	"svc/app/api"
	"svc/app/event"
	"svc/app/inbox/channel"
	"svc/app/inbox/conversation"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/signal"
	"svc/store"
)

// Service takes in what arrives.
type Service struct {
	networks channel.Networks
	bus      *signal.Bus
	orders   []Order
}

var _ channel.Intake = (*Service)(nil)

// New makes the service. networks is read when something arrives: it may be filled later.
func New(networks channel.Networks, bus *signal.Bus) *Service {
	return &Service{networks: networks, bus: bus}
}

// Arrived is published when a message of a customer, or of the owner in the network's own
// app, was stored, once for each and never for imported ones.
type Arrived struct {
	Org string
	// Elsewhere: another application answers the customer.
	Elsewhere    bool
	Conversation conversation.Conversation
	Message      conversation.Message
}

// Received implements channel.Intake.
func (s *Service) Received(tx *store.Tx, at channel.At, in channel.Incoming) (out channel.Stored, err error) {
	m, err := conversation.OfPart(tx, at.Org, at.Owner, in.ID)
	switch {
	case store.IsNotFound(err):
		return s.add(tx, at, &in)
	case err != nil:
		return out, err
	}
	return s.again(tx, at, &in, &m)
}

// again is for a message that is there already: one that an import brought first becomes
// live.
func (s *Service) again(tx *store.Tx, at channel.At, in *channel.Incoming, m *conversation.Message) (out channel.Stored, err error) {
	out = channel.Stored{Conversation: m.Conversation, Message: m.ID}
	if !m.Imported || in.Imported {
		return out, nil
	}
	k, err := conversation.Get(tx, at.Org, m.Conversation)
	if err != nil {
		return out, err
	}
	if err := conversation.Promote(tx, at.Org, &k, m); err != nil {
		return out, err
	}
	out.New, out.RecipientID = true, k.RecipientID
	return out, s.follow(tx, at, &k, m, in)
}

// add stores a message that nobody has.
func (s *Service) add(tx *store.Tx, at channel.At, in *channel.Incoming) (out channel.Stored, err error) {
	known, err := s.networks.Of(at.Channel).Recognise(tx, at.Org, in.From)
	if err != nil {
		return out, err
	}
	k, found, err := conversation.Find(tx, at.Org, at, in.From)
	if err == nil && found.Turned {
		err = conversation.Turn(tx, customer(tx, at.Org, k.RecipientID), s.bus, at.Org, &k)
	}
	if err != nil {
		return out, err
	}
	if in.Out && !in.Imported && !found.Made {
		own, err := conversation.TakeCopy(tx, at.Org, &k, in, func() (string, error) {
			return s.networks.Of(at.Channel).Sending(tx, at.Org, at.Account, k.ID)
		})
		if err != nil || own != nil {
			return channel.Stored{Conversation: k.ID, RecipientID: k.RecipientID}, err
		}
	}
	joined, err := conversation.Join(tx, at.Org, &k, in, s.bus)
	if err != nil {
		return out, err
	}
	if joined != nil {
		return channel.Stored{Conversation: k.ID, Message: joined.ID, RecipientID: k.RecipientID}, s.stopWord(tx, at, &k, in)
	}
	m, err := conversation.Add(tx, at.Org, &k, in, conversation.Arrival{Made: found.Made, Bus: s.bus, Recipient: known})
	if err != nil {
		return out, err
	}
	out = channel.Stored{New: !in.Imported, Conversation: k.ID, Message: m.ID, RecipientID: k.RecipientID}
	if in.Imported {
		return out, nil
	}
	return out, s.follow(tx, at, &k, &m, in)
}

// follow is what a live message starts: contact with the recipient, a stop word, and
// whatever others do.
func (s *Service) follow(tx *store.Tx, at channel.At, k *conversation.Conversation, m *conversation.Message, in *channel.Incoming) error {
	contact := recipient.Contact{At: in.At.UTC(), Received: !in.Out, MessageID: m.ID}
	if err := conversation.NoteContact(tx, at.Org, k, contact); err != nil {
		return err
	}
	if err := s.stopWord(tx, at, k, in); err != nil {
		return err
	}
	return signal.Publish(s.bus, tx, customer(tx, at.Org, k.RecipientID), Arrived{Org: at.Org, Elsewhere: in.Elsewhere, Conversation: *k, Message: *m})
}

// customer is the call of a person who writes.
func customer(tx *store.Tx, org, recipientID string) *api.Call {
	c := api.System(context.Background(), org, tx.DB().Now())
	c.Caller = api.Caller{Kind: api.Customer, ID: recipientID}
	return c
}

// stopWord opts a customer out who wrote a stop word, and stops the conversation for good.
func (s *Service) stopWord(tx *store.Tx, at channel.At, k *conversation.Conversation, in *channel.Incoming) error {
	if in.Out || in.Imported {
		return nil
	}
	o, err := org.Get(tx, at.Org)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	word, ok := saysStop(in.Text, o.Keywords().All(), k.Personal)
	if ok && find.CancelsToo(word) {
		words, err := s.StopWords(tx, &o, k)
		if err != nil {
			return err
		}
		word, ok = saysStop(in.Text, words, k.Personal)
	}
	if !ok {
		return nil
	}
	c := customer(tx, at.Org, k.RecipientID)
	if err := s.networks.Of(at.Channel).OptOut(tx, c, in.From); err != nil {
		return err
	}
	if k.AIState == conversation.Stopped {
		return nil
	}
	reason := conversation.Transition{Event: conversation.SaidStop, Reason: "The customer asked to stop.", Handoff: k.HandoffID}
	if err := conversation.Apply(tx, c, at.Org, k, reason); err != nil {
		return err
	}
	if err := signal.Publish(s.bus, tx, c, conversation.Stop{Org: at.Org, Conversation: k.ID}); err != nil {
		return err
	}
	return conversation.Emit(tx, at.Org, k, event.ConversationOptedOut, map[string]any{
		"channel": k.Channel, "account_id": k.AccountID, "detection": "KEYWORD", "keyword": word,
	})
}

// Edited implements channel.Intake. A message that nobody has is stored; a stop word counts
// in an edit too.
func (s *Service) Edited(tx *store.Tx, at channel.At, in channel.Incoming) (out channel.Stored, err error) {
	m, err := conversation.OfPart(tx, at.Org, at.Owner, in.ID)
	if store.IsNotFound(err) {
		return s.add(tx, at, &in)
	}
	if err != nil || !m.DeletedAt.IsZero() {
		return out, err
	}
	k, err := conversation.Get(tx, at.Org, m.Conversation)
	if err != nil {
		return out, err
	}
	if err := conversation.Edit(tx, at.Org, &k, &m, &in); err != nil {
		return out, err
	}
	return channel.Stored{Conversation: k.ID, Message: m.ID, RecipientID: k.RecipientID}, s.stopWord(tx, at, &k, &in)
}

// Deleted implements channel.Intake: what a message said is forgotten, its row stays.
func (s *Service) Deleted(tx *store.Tx, at channel.At, ids []string) error {
	for _, id := range ids {
		m, err := conversation.OfPart(tx, at.Org, at.Owner, id)
		if err == nil {
			before := m.Files
			err = conversation.Delete(tx, at.Org, &m, id)
			if err == nil {
				err = conversation.DropFiles(tx, s.bus, at.Org, before, m.Files)
			}
		}
		if store.IgnoreNotFound(err) != nil {
			return err
		}
	}
	return nil
}

// ReadByPeer implements channel.Intake.
func (s *Service) ReadByPeer(tx *store.Tx, at channel.At, person string, seq int64) error {
	k, err := conversation.Of(tx, at.Org, at.Channel, at.Owner, person)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	return conversation.ReadByCustomer(tx, at.Org, &k, seq)
}

// ReadHere implements channel.Intake.
func (s *Service) ReadHere(tx *store.Tx, at channel.At, person string, seq int64) error {
	k, err := conversation.Of(tx, at.Org, at.Channel, at.Owner, person)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	return conversation.ReadByOwner(tx, at.Org, &k, seq)
}

// Reacted implements channel.Intake.
func (s *Service) Reacted(tx *store.Tx, at channel.At, id string, now []channel.Reaction) error {
	m, err := conversation.OfPart(tx, at.Org, at.Owner, id)
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	return conversation.React(tx, at.Org, &m, now)
}
