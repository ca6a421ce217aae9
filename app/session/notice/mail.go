// Package notice brings notifications to people outside of the console: by mail, as each
// of them chose, and what concerns the security of an account whatever was chosen.
//
// It promises bounds on how many mails one person gets. It refuses to decide what people
// are told: whoever sends the notification does.
package notice

import (
	"context"
	"errors"
	"strconv"
	"time"

	"svc/app/mail"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/user"
	"svc/store"
	"svc/store/queue"
)

// noticesAnHour bounds the notifications that one person gets by mail: a bad hour of
// an installation fills nobody's mailbox. All of them stand in the console.
const noticesAnHour = 20

// Work registers the job that mails notifications.
func Work(w *queue.Workers, db *store.DB) {
	queue.Register(w, func(ctx context.Context, j queue.Job, in notify.ForMail) error {
		return mailNotification(ctx, db, j, in)
	})
}

// mailNotification sends a notification to those who see it and want it by mail. The
// mails and the end of the job are one change.
func mailNotification(ctx context.Context, db *store.DB, j queue.Job, in notify.ForMail) error {
	return db.Update(ctx, func(tx *store.Tx) error {
		n, err := notify.Get(tx, in.Org, in.ID)
		if errors.Is(err, store.ErrNotFound) {
			return queue.Finish(tx, j) // too old, or the organization is gone
		}
		if err != nil {
			return err
		}
		people, err := org.People(tx, in.Org)
		if err != nil {
			return err
		}
		for i := range people {
			if err := mailNotificationTo(tx, in.Org, &n, &people[i]); err != nil {
				return err
			}
		}
		return queue.Finish(tx, j)
	})
}

func mailNotificationTo(tx *store.Tx, orgID string, n *notify.Notification, p *org.Person) error {
	if !wantsByMail(n, p) {
		return nil
	}
	o, err := org.Get(tx, orgID)
	if err != nil {
		return err
	}
	return mailNotice(tx, &p.User, o.Name, n, mail.Limit{Key: "notices " + p.User.ID, Most: noticesAnHour, Within: time.Hour})
}

// wantsByMail says whether a member sees a notification and chose to get it by mail.
func wantsByMail(n *notify.Notification, p *org.Person) bool {
	choice := p.User.MailChoice()
	switch {
	case p.User.Status != user.Active, choice == user.MailOff, choice == user.MailImportant && !n.Severity.Important():
		return false
	case n.User != "":
		return n.User == p.User.ID
	}
	return p.Role.Permissions().Has(n.Kind.Perm())
}

// mailNotice sends a notification to one person.
func mailNotice(tx *store.Tx, u *user.User, organization string, n *notify.Notification, limits ...mail.Limit) error {
	base, on, err := mail.Base(tx)
	if err != nil || !on {
		return err
	}
	link := n.Link
	if link == "" {
		link = "/notifications"
	}
	vars := map[string]string{"notice": string(n.Kind), "title": n.Title, "text": n.Body, "organization": organization, "link": base + "/console" + link}
	if n.Count > 1 {
		vars["count"] = strconv.Itoa(n.Count)
	}
	_, err = mail.Add(tx, mail.Message{Kind: mail.Notice, To: u.Email, Language: u.Language, Vars: vars, Limits: limits})
	return err
}
