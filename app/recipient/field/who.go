package field

import (
	"strings"

	"svc/store"
)

// OptOutSource says how somebody came to be opted out or suppressed.
type OptOutSource string

// The sources (contract 33).
const (
	ByLink   OptOutSource = "OPT_OUT_LINK"
	ByPerson OptOutSource = "MANUAL"
	ByKey    OptOutSource = "API"
	ByImport OptOutSource = "IMPORT"
	ByAdmin  OptOutSource = "ADMIN"
)

// Who names a person: by user id, by username, or by both. Zero values name nobody.
type Who struct {
	MessengerID int64
	Username    string
}

// Check says what is wrong with a name, by field; a name without any part is wrong too.
func (w Who) Check() map[string]string {
	wrong := map[string]string{}
	if w.MessengerID != 0 {
		if err := CheckMessengerID(w.MessengerID); err != nil {
			wrong["messenger_id"] = err.Error()
		}
	}
	if w.Username != "" {
		if err := CheckUsername(w.Username); err != nil {
			wrong["username"] = err.Error()
		}
	}
	if w == (Who{}) {
		wrong["messenger_id"] = "or username is needed"
	}
	return wrong
}

// MessengerKey is a user id in an index; 0 is in none.
func MessengerKey(id int64) store.Key {
	if id == 0 {
		return nil
	}
	return store.Int(id)
}

// UsernameKey is a username in an index, the same in any case; "" is in none.
func UsernameKey(username string) store.Key {
	if username == "" {
		return nil
	}
	return store.Text(strings.ToLower(username))
}
