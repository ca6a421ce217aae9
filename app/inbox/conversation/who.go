package conversation

import (
	"slices"
	"strconv"
	"strings"

	"svc/app/inbox/channel"
	"svc/app/recipient/field"
	"svc/store"
)

// whoKeys are what a recipient may be recognised by.
func whoKeys(c *Conversation) (out []store.Key) {
	for _, v := range whoValues(c) {
		out = append(out, store.Text(v))
	}
	return out
}

// whoValues are the id of the network, and the username.
func whoValues(c *Conversation) []string {
	out := []string{whoValue(c.Channel, c.Person.ID)}
	if c.Person.Username != "" {
		out = append(out, whoValue(c.Channel, nameMark+strings.ToLower(c.Person.Username)))
	}
	return out
}

func whoValue(name channel.Name, of string) string { return string(name) + " " + of }

// valuesOf are those of whom a recipient names.
func valuesOf(name channel.Name, who field.Who) (out []string) {
	if who.MessengerID != 0 {
		out = append(out, whoValue(name, strconv.FormatInt(who.MessengerID, 10)))
	}
	if who.Username != "" {
		out = append(out, whoValue(name, nameMark+strings.ToLower(who.Username)))
	}
	return out
}

// nameMark tells usernames from ids.
const nameMark = "@"

// OfWho are the conversations of a network with a recipient, "" for none, and with whoever has their id or
// username, at most limit of each.
func OfWho(tx *store.Tx, org string, name channel.Name, recipientID string, who field.Who, limit int) (list []Conversation, err error) {
	if recipientID != "" {
		list, err = OfRecipient(tx, org, recipientID, limit)
		list = slices.DeleteFunc(list, func(k Conversation) bool { return k.Channel != name })
	}
	for _, value := range valuesOf(name, who) {
		if err != nil {
			return nil, err
		}
		var more []Conversation
		more, err = withValue(tx, org, value, limit)
		for i := range more {
			if !slices.ContainsFunc(list, func(k Conversation) bool { return k.ID == more[i].ID }) {
				list = append(list, more[i])
			}
		}
	}
	return list, err
}

func withValue(tx *store.Tx, org, value string, limit int) ([]Conversation, error) {
	n, err := whoCount.Count(tx, org, value)
	if n == 0 || err != nil {
		return nil, err
	}
	list, _, err := byWho.Walk(tx, org, store.Range{Span: store.Is(store.Text(value)), Limit: limit})
	return list, err
}

// ReadsOfWho is what OfWho reads where nobody is found (store.Tx.Ahead).
func ReadsOfWho(org string, name channel.Name, who field.Who) (out []store.Read) {
	for _, value := range valuesOf(name, who) {
		out = append(out, whoCount.Read(org, value))
	}
	return out
}
