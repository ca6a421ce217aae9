package history

import (
	"cmp"
	"strings"
	"time"

	"svc/app/account"
	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/inbox/channel"
	"svc/store"
	"svc/store/queue"
)

// Bounds of an import (contract 47).
const (
	maxPerChat     = 10_000
	defaultPerChat = 500
	shownRuns      = 50
)

// Endpoints are the operations of the package.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("POST /accounts/{id}/history/import", "accounts.import_history", perm.AccountsManage,
			"Import messages of an account's private chats from before it was connected.", api.Write(s.db, s.start), api.Status(202), api.Errors(api.ErrConflict, api.ErrState)),
		api.E("GET /accounts/{id}/history", "accounts.history", perm.AccountsRead, "List the imports of an account's history, the newest first.", s.list),
		api.E("POST /accounts/{id}/history/cancel", "accounts.cancel_history", perm.AccountsManage,
			"Cancel the import that is under way; what was imported stays.", s.cancel, api.Errors(api.ErrState)),
		api.E("POST /channels/accounts/{id}/history/import", "channels.import_history", perm.AccountsManage,
			"Import the last messages of each conversation of a photo or page network account; the network gives twenty at most.", api.Write(s.db, s.start),
			api.Status(202), api.Errors(api.ErrConflict, api.ErrState)),
		api.E("GET /channels/accounts/{id}/history", "channels.history", perm.AccountsRead, "List the imports of a channel account's history, the newest first.", s.list),
		api.E("POST /channels/accounts/{id}/history/cancel", "channels.cancel_history", perm.AccountsManage,
			"Cancel the import of a channel account that is under way; what was imported stays.", s.cancel, api.Errors(api.ErrState)),
	}
}

// The refusals of this package.
var (
	errUnderWay    = api.ErrConflict.WithMessage("An import of this account is under way; wait for its end or cancel it.")
	errNotUnderWay = api.ErrState.WithMessage("No import of this account is under way.")
	errUnavailable = api.ErrState.WithMessage("The account is not connected; sign it in first.")
)

type accountIn struct {
	ID string `path:"id" maxLength:"64"`
}

type startIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Since        string `json:"since" required:"true" maxLength:"40" doc:"A date-time (RFC 3339), or all." example:"2026-01-01T00:00:00Z"`
		PerChatLimit *int   `json:"per_chat_limit" doc:"1 to 10000; 500 when left out."`
	}
}

// start begins an import.
func (s *Service) start(c *api.Call, tx *store.Tx, in startIn) (out Run, err error) {
	net, a, err := s.find(tx, c, in.ID)
	if err != nil {
		return out, err
	}
	r, err := in.run(c)
	if err != nil {
		return out, err
	}
	if a.Unavailable != "" {
		return out, errUnavailable
	}
	if _, err := current(tx, c.Org, in.ID); !store.IsNotFound(err) {
		return out, cmp.Or(err, error(errUnderWay))
	}
	r.ID = tx.DB().NewID("hst")
	if r.Channel = net.Name(); r.Channel != channel.OnMessenger {
		r.PerChatLimit = min(r.PerChatLimit, perThread)
	}
	if err := begin(tx, c.Org, &r); err != nil {
		return out, err
	}
	return r.Run, audit.Write(tx, c, "account.history_import_started", audit.On(resourceOf(&r), a.ID, a.Name))
}

// run is the import that a request asks for.
func (in *startIn) run(c *api.Call) (r run, err error) {
	r = run{Run: Run{AccountID: in.ID, Status: Queued, PerChatLimit: defaultPerChat, StartedAt: c.Now}}
	if in.Body.Since != "all" {
		since, err := time.Parse(time.RFC3339, in.Body.Since)
		if err != nil || since.After(c.Now) {
			return r, api.Wrong("since", "must be a time such as 2026-01-01T00:00:00Z, not later than now, or all")
		}
		since = since.UTC()
		r.Since = &since
	}
	if n := in.Body.PerChatLimit; n != nil {
		if r.PerChatLimit = *n; *n < 1 || *n > maxPerChat {
			return r, api.Wrong("per_chat_limit", "must be from 1 to %d", maxPerChat)
		}
	}
	return r, nil
}

// begin stores an import with its job, and notes it among what the account does.
func begin(tx *store.Tx, org string, r *run) error {
	if err := runs.Insert(tx, org, r); err != nil {
		return err
	}
	job := importing{org, r.AccountID, r.ID}
	if _, err := queue.Add(tx, job, time.Time{}, queue.Once(r.ID), queue.Attempts(tries), queue.For(org, r.ID)); err != nil {
		return err
	}
	return note(tx, org, r, "The import of the history began.", "")
}

// perThread is how many messages of a conversation the photo and the page network give.
const perThread = 20

// find finds the network of an account, which is of the kind that the path names.
func (s *Service) find(tx *store.Tx, c *api.Call, id string) (channel.Channel, channel.Account, error) {
	ofChannel := c.Endpoint != nil && strings.HasPrefix(c.Endpoint.Path, "/channels/")
	for _, net := range s.o.Networks {
		if ofChannel == (net.Name() == channel.OnMessenger) {
			continue
		}
		if a, err := net.Account(tx, c.Org, id); !store.IsNotFound(err) {
			return net, a, err
		}
	}
	return nil, channel.Account{}, store.ErrNotFound
}

// note writes into the activity of an account of the messenger; others have none.
func note(tx *store.Tx, org string, r *run, words, code string) error {
	if r.Channel != channel.OnMessenger {
		return nil
	}
	return account.Note(tx, org, r.AccountID, account.HistoryImport, words, "", code)
}

func resourceOf(r *run) string {
	if r.Channel == channel.OnMessenger {
		return "account"
	}
	return "channel_account"
}

// current is the run of an account that is under way, or store.ErrNotFound.
func current(tx *store.Tx, org, accountID string) (run, error) {
	return underWay.First(tx, org, store.Is(store.Text(accountID)))
}

func (s *Service) list(c *api.Call, in accountIn) (out api.List[Run], err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		if _, _, err := s.find(tx, c, in.ID); err != nil {
			return err
		}
		list, _, err := ofAccount.Walk(tx, c.Org, store.Range{Span: store.Is(store.Tuple(store.Text(in.ID))), Limit: shownRuns, Reverse: true})
		rows := make([]Run, len(list))
		for i := range list {
			rows[i] = list[i].Run
		}
		out = api.NewList(rows)
		return err
	})
	return out, err
}

func (s *Service) cancel(c *api.Call, in accountIn) (out Run, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		_, a, err := s.find(tx, c, in.ID)
		if err != nil {
			return err
		}
		r, err := current(tx, c.Org, in.ID)
		if store.IsNotFound(err) {
			return errNotUnderWay
		}
		if err == nil {
			err = finish(tx, c.Org, &r, Cancelled, "")
		}
		out = r.Run
		if err != nil {
			return err
		}
		return audit.Write(tx, c, "account.history_import_cancelled", audit.On(resourceOf(&r), a.ID, a.Name))
	})
	return out, err
}
