package lead

import "svc/store"

// Newest is the lead of a conversation that was opened last; found is false when there is none.
func Newest(tx *store.Tx, org, conversation string) (l Lead, found bool, err error) {
	l, err = ofConversation.Last(tx, org, store.Is(store.Text(conversation)))
	return l, err == nil, store.IgnoreNotFound(err)
}
