package memory

import "svc/store"

// Line is a message as a model reads it: masked, with its id and author.
type Line = line

// Lines are the newest messages of a conversation, masked, the oldest first; at most 60, and
// 12,000 bytes. Whoever calls it has made sure that the chat is not personal.
func Lines(tx *store.Tx, org, id string) ([]Line, error) { return lines(tx, org, id) }

// Tongue is the language that the customer writes in: uz, ru or en.
func Tongue(list []Line) string { return tongue(list) }
