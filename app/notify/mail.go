package notify

import (
	"slices"
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

// ForPush is the job that shows a new notification on the devices of who sees it. Its worker
// is package push's, which knows devices.
type ForPush struct {
	Org string `json:"org"`
	ID  string `json:"id"`
}

// Kind implements queue.Args.
func (ForPush) Kind() string { return "notification.push" }

// Queue implements queue.Args.
func (ForPush) Queue() queue.Name { return queue.Maintenance }

// pushed are the kinds that devices show.
var pushed = []Kind{"HANDOFF_CREATED", "HANDOFF_ASSIGNED", "CUSTOMER_WAITING", "MENTIONED"}

func askForPush(tx *store.Tx, org string, n *Notification) error {
	if !slices.Contains(pushed, n.Kind) {
		return nil
	}
	_, err := queue.Add(tx, ForPush{org, n.ID}, time.Time{}, queue.For(org, n.ID))
	return err
}

// Get reads a notification: store.ErrNotFound when it is gone.
func Get(tx *store.Tx, org, id string) (Notification, error) { return table.Get(tx, org, id) }

// Perm is who sees notifications of a kind that are to nobody alone.
func (k Kind) Perm() perm.Perm { return kinds[k].perm }

// Important says whether it is more than information.
func (s Severity) Important() bool { return s != Info }
