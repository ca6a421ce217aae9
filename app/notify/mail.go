package notify

import (
	"time"

	"svc/app/api/perm"
	"svc/app/mail"
	"svc/store"
	"svc/store/queue"
)

// ForMail is the job that sends a new notification to those who want it by mail. Its
// worker is package session's, which knows people.
type ForMail struct {
	Org string `json:"org"`
	ID  string `json:"id"`
}

// Kind implements queue.Args.
func (ForMail) Kind() string { return "notification.mail" }

// Queue implements queue.Args.
func (ForMail) Queue() queue.Name { return queue.Maintenance }

func askForMail(tx *store.Tx, org, id string) error {
	on, err := mail.Enabled(tx)
	if err != nil || !on {
		return err
	}
	_, err = queue.Add(tx, ForMail{org, id}, time.Time{}, queue.For(org, id))
	return err
}

// Get reads a notification: store.ErrNotFound when it is gone.
func Get(tx *store.Tx, org, id string) (Notification, error) { return table.Get(tx, org, id) }

// Perm is who sees notifications of a kind that are to nobody alone.
func (k Kind) Perm() perm.Perm { return kinds[k].perm }

// Important says whether it is more than information.
func (s Severity) Important() bool { return s != Info }
