package intake

import (
	"slices"

	find "svc/ai/signals"
	"svc/app/inbox/conversation"
	"svc/app/org"
	"svc/store"
)

// saysStop says whether a message certainly asks never to be written to again, and the words
// that say so. In a personal chat only a stop word of the organization counts, alone: nothing
// else is read there.
func saysStop(text string, words []string, personal bool) (phrase string, ok bool) {
	if personal {
		return find.FindBare(text, words)
	}
	s := find.FindStop(text, words)
	return s.Phrase, s.Certainty == find.Certain
}

// Order says whether the customer of a conversation has an order or a booking that is open.
type Order func(tx *store.Tx, org, conversation string) (bool, error)

// Orders takes who knows of orders. It is called before anything arrives.
func (s *Service) Orders(known []Order) { s.orders = known }

// StopWords are the words that opt the customer of a conversation out when a message is
// nothing else. While a question of ours, an order or a booking is open, a usual word that
// cancels one too is none (contract 13.10).
func (s *Service) StopWords(tx *store.Tx, o *org.Organization, k *conversation.Conversation) ([]string, error) {
	list := o.Keywords().All()
	if o.StopKeywords != nil || k.Personal || k.ID == "" {
		return list, nil
	}
	open, err := s.open(tx, o.ID, k)
	if open {
		list = slices.DeleteFunc(slices.Clone(list), find.CancelsToo)
	}
	return list, err
}

// open says whether something is open that a customer may cancel.
func (s *Service) open(tx *store.Tx, org string, k *conversation.Conversation) (bool, error) {
	for _, has := range s.orders {
		if open, err := has(tx, org, k.ID); open || err != nil {
			return open, err
		}
	}
	return conversation.Asked(tx, org, k.ID, find.Asks)
}
