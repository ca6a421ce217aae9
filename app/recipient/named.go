package recipient

import (
	"strconv"
	"strings"

	"svc/app/api"
	"svc/store"
)

// DisplayName is what people call a person, everywhere: first and last name, else
// @username, else the messenger_id.
func (r *Recipient) DisplayName() string {
	name := strings.TrimSpace(r.FirstName + " " + r.LastName)
	switch {
	case name != "":
		return name
	case r.Username != "":
		return "@" + r.Username
	case r.MessengerID != 0:
		return strconv.FormatInt(r.MessengerID, 10)
	}
	return ""
}

// NamesOf are the display names of people by id. One who is gone has none.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, recipients, ids, (*Recipient).DisplayName)
}

// ListNames are the names of lists by id; a list that is gone is not among them.
func ListNames(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, lists, ids, func(l *List) string { return l.Name })
}
