package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/org"
	"svc/app/session"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
)

// administer does what an administrator of the platform does to an organization or
// a person, through the slices themselves.
func (h *house) administer(name, arg string) error {
	whom, rest, _ := strings.Cut(arg, " ")
	rest = strings.TrimSpace(rest)
	bus := &signal.Bus{}
	users, orgs := user.New(bus, "svc"), org.New(h.app.DB, bus, org.Options{})
	session.New(h.app.DB, bus, users, session.Options{}) // ends sessions of the disabled
	return h.app.DB.Update(context.Background(), func(tx *store.Tx) (err error) {
		c := api.System(context.Background(), store.Platform, tx.DB().Now())
		switch name {
		case "suspend":
			_, err = orgs.Suspend(tx, c, whom, rest)
		case "reactivate":
			_, err = orgs.Reactivate(tx, c, whom)
		case "limits":
			var change map[string]any
			if err := json.Unmarshal([]byte(rest), &change); err != nil {
				return err
			}
			_, err = org.SetOverrides(tx, c, whom, change)
		case "disable":
			_, err = users.Disable(tx, c, whom, rest)
		case "enable":
			_, err = users.Enable(tx, c, whom)
		case "support":
			err = session.EnterSupport(tx, whom, session.Support{ID: tx.DB().NewID("ssn"), Org: rest, ExpiresAt: tx.DB().Now().Add(time.Hour)})
		default:
			err = fmt.Errorf("no such action")
		}
		return err
	})
}
