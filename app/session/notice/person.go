package notice

import (
	"time"

	"svc/app/mail"
	"svc/app/notify"
	"svc/app/org"
	"svc/app/user"
	"svc/store"
)

// noticesOfSecurity bounds the mails about the security of one account, a day.
const noticesOfSecurity = 20

// Person tells a person something about the security of the own account: in each
// of the organizations, and by mail whatever was chosen. Further addresses are those
// that the account had before.
func Person(tx *store.Tx, u *user.User, kind notify.Kind, title, body string, further ...string) error {
	n := notify.Notice{Kind: kind, Title: title, Body: body, Link: "/profile", User: u.ID, Mailed: true}
	all, err := org.Memberships(tx, u.ID)
	if err != nil {
		return err
	}
	for i := range all {
		if err := notify.Send(tx, all[i].Org, n); err != nil {
			return err
		}
	}
	limit := mail.Limit{Key: "security " + u.ID, Most: noticesOfSecurity, Within: 24 * time.Hour}
	for _, address := range append([]string{u.Email}, further...) {
		to := *u
		to.Email = address
		if err := mailNotice(tx, &to, "", &notify.Notification{Kind: kind, Title: title, Body: body, Link: "/profile", Count: 1}, limit); err != nil {
			return err
		}
	}
	return nil
}
