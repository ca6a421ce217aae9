package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/org"
	"svc/app/session"
	"svc/app/session/support"
	"svc/app/signal"
	"svc/app/user"
	"svc/store"
)

// administer does what an administrator of the platform does to an organization or
// a person, through the slices themselves.
func (h *service) administer(name, arg string) error {
	whom, rest, _ := strings.Cut(arg, " ")
	rest = strings.TrimSpace(rest)
	bus := &signal.Bus{}
	users, orgs := user.New(bus, "svc"), org.New(h.app.DB, bus, org.Options{})
	session.New(h.app.DB, bus, users, session.Options{}) // ends sessions of the disabled
	return h.app.DB.Update(context.Background(), func(tx *store.Tx) (err error) {
		c := api.System(context.Background(), store.Platform, tx.DB().Now())
		c.Endpoint = &api.Endpoint{Perm: perm.Administrator}
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
			err = lookIn(tx, c, whom, strings.SplitN(rest, " ", 3))
		default:
			err = fmt.Errorf("no such action")
		}
		return err
	})
}

// lookIn lets a person look at an organization for an hour, in a session of his:
// where names the session, the organization and why.
func lookIn(tx *store.Tx, c *api.Call, person string, where []string) error {
	if len(where) != 3 {
		return fmt.Errorf("write: support USER SESSION ORG REASON")
	}
	u, err := user.Get(tx, person)
	if err != nil {
		return err
	}
	c.Caller = api.Caller{Kind: api.Person, ID: u.ID, Name: u.Label(), Session: where[0], Administrator: true}
	token := org.NewToken()
	if _, err := support.Open(tx, c, where[1], where[2], 60, token); err != nil {
		return err
	}
	return session.UseSupportLink(tx, c, token)
}
