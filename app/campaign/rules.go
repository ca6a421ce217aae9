package campaign

import (
	"slices"
	"strings"

	"svc/app/account"
	"svc/app/campaign/record"
)

// changeable are the fields that may change in a status (contract 4.4); in
// a draft all may, and in a campaign that has ended none.
var changeable = map[record.Status][]string{
	record.Scheduled: {"name", "description", "scheduled_at", "end_at", "sending_window", "repeat", "account_ids"},
	record.Running:   {"name", "description", "end_at"},
	record.Paused:    {"name", "description", "end_at", "sending_window", "account_ids", "message.text"},
}

// checkChange says whether these fields may change in a status.
func checkChange(s record.Status, fields []string) error {
	switch {
	case s.Ended():
		return ErrLocked
	case s == record.Draft:
		return nil
	}
	var locked []string
	for _, f := range fields {
		if !slices.Contains(changeable[s], f) {
			locked = append(locked, f)
		}
	}
	if len(locked) == 0 {
		return nil
	}
	slices.Sort(locked)
	return ErrFieldLocked.WithMessage("While the campaign is %s, these fields cannot change: %s. These can: %s.", s, strings.Join(locked, ", "), strings.Join(changeable[s], ", "))
}

// ill says whether a campaign may not begin with an account in that status (contract 36.2).
func ill(s account.Status) bool {
	return s == account.AuthRequired || s == account.Restricted || s == account.Disconnected || s == account.Failed
}

// trouble is what a change of an account's status does to its running campaigns: the
// reason for which they pause, and whether they do so although another of their
// accounts still sends (contract 4.2 and 20.3). "" is nothing.
func trouble(ch account.Changed) (reason record.PauseReason, always bool) {
	if ch.From == account.Active && ch.To == account.Paused {
		return record.AccountPaused, ch.Event == account.FloodedLong
	}
	switch ch.To {
	case account.AuthRequired:
		return record.AccountAuthRequired, true
	case account.Restricted:
		return record.AccountRestricted, true
	case account.Disconnected:
		return record.AccountDisconnected, true
	case account.Failed:
		return record.AccountError, true
	}
	return "", false
}
