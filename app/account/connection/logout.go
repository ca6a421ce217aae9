package connection

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"svc/app/recipient"
	"svc/messenger"
	"svc/store"
	"svc/store/coord"
	"svc/store/queue"
)

// pendingLogout is a session that is to be ended at the platform: that of an account
// that was deleted, or of a sign-in that may not become an account.
type pendingLogout struct {
	ID     string       `json:"id"` // of the account that was, or would have been
	Secret store.Sealed `json:"secret"`
}

// logoutSecret is what is sealed of a pending logout.
type logoutSecret struct {
	Session []byte          `json:"session"`
	Via     messenger.Route `json:"via"`
}

var (
	pendingLogouts = store.NewTable("account_departure", "acc", func(d *pendingLogout) string { return d.ID })
	logoutSecrets  = pendingLogouts.Sealed("secret", func(d *pendingLogout) *store.Sealed { return &d.Secret })
)

// LogOut has a session ended at the platform soon, and what belonged to its account
// removed.
func LogOut(tx *store.Tx, org, id string, secret []byte, via messenger.Route) error {
	data, err := json.Marshal(logoutSecret{secret, via})
	if err != nil {
		return err
	}
	d := pendingLogout{ID: id}
	if err := logoutSecrets.Set(tx, org, &d, data); err != nil {
		return err
	}
	if err := pendingLogouts.Insert(tx, org, &d); err != nil {
		return err
	}
	if _, err := queue.Add(tx, logOut{Org: org, Account: id}, time.Time{}, queue.For(org, id)); err != nil {
		return err
	}
	return Clear(tx, org, id)
}

// Clear has what belonged to an account that is gone removed soon.
func Clear(tx *store.Tx, org, id string) error {
	_, err := queue.Add(tx, clearing{Org: org, Account: id}, time.Time{}, queue.For(org, id))
	return err
}

// logOut ends the session of a pending logout.
type logOut struct {
	Org     string `json:"org"`
	Account string `json:"account"`
}

// Kind names the job.
func (logOut) Kind() string { return "account.log_out" }

// Queue is where it waits.
func (logOut) Queue() queue.Name { return queue.Maintenance }

func (p *Pool) logOut(ctx context.Context, j queue.Job, a logOut) error {
	var l logoutSecret
	err := p.db.View(ctx, func(tx *store.Tx) error {
		d, err := pendingLogouts.Get(tx, a.Org, a.Account)
		if err != nil {
			return err
		}
		data, err := logoutSecrets.Open(p.db, a.Org, &d)
		if err != nil {
			return err
		}
		l = logoutSecret{}
		return json.Unmarshal(data, &l)
	})
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	k := key{a.Org, a.Account}
	p.adjust(ctx, k) // the account's own connection ends first
	err = p.endSession(ctx, k, l)
	if err != nil && j.Attempts < j.MaxAttempts {
		return err
	}
	// It is over, or nobody reaches the platform: the secret is not kept for ever.
	return p.db.Update(ctx, func(tx *store.Tx) error {
		if err := pendingLogouts.Delete(tx, a.Org, a.Account); err != nil && !store.IsNotFound(err) {
			return err
		}
		return queue.Finish(tx, j)
	})
}

func (p *Pool) endSession(ctx context.Context, k key, l logoutSecret) error {
	ctx, cancel := context.WithTimeout(ctx, connectWithin)
	defer cancel()
	// So does one of another node. Nobody asks for the lease of an account that is gone.
	unlock, err := coord.Of(p.db).Lock(ctx, leases+k.id)
	if err != nil {
		return err
	}
	defer unlock()
	c, err := p.o.Driver.Connect(ctx, messenger.Account{Session: l.Session, Via: l.Via, State: stateStore{p, k.org, k.id}})
	if err == nil {
		err = errors.Join(c.LogOut(ctx), c.Close())
	}
	if e := messenger.As(err); e != nil && e.Fault == messenger.SessionEnded {
		return nil
	}
	return err
}

// clearing removes what belonged to an account that is gone.
type clearing struct {
	Org     string `json:"org"`
	Account string `json:"account"`
}

// Kind names the job.
func (clearing) Kind() string { return "account.clear" }

// Queue is where it waits.
func (clearing) Queue() queue.Name { return queue.Maintenance }

// clearedAtATime bounds one transaction of it.
const clearedAtATime = 200

func (p *Pool) clear(ctx context.Context, j queue.Job, a clearing) error {
	for done := false; !done; {
		err := p.db.Update(ctx, func(tx *store.Tx) error {
			n, err := p.clearAny(tx, a)
			if done = n == 0; err != nil || !done {
				return err
			}
			return errors.Join(coord.Forget(tx, leases+a.Account), queue.Finish(tx, j))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// clearAny removes some of what is left, and says how much.
func (p *Pool) clearAny(tx *store.Tx, a clearing) (n int, err error) {
	if n, err = recipient.ForgetAccount(tx, a.Org, a.Account, clearedAtATime); err != nil || n > 0 {
		return n, err
	}
	if n, err = clearSome(tx, peers, a.Org, a.Account, func(x *peer) string { return x.ID }, clearedAtATime); err != nil || n > 0 {
		return n, err
	}
	if n, err = clearSome(tx, files, a.Org, a.Account, func(f *fileRef) string { return f.ID }, clearedAtATime); err != nil || n > 0 {
		return n, err
	}
	return p.o.Accounts.Forget(tx, a.Org, a.Account, clearedAtATime)
}
