package hook

import (
	"errors"
	"slices"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/event"
	"svc/app/notify"
	"svc/app/org"
	"svc/store"
	"svc/store/queue"
)

// Endpoints are the operations of the slice.
func (s *Service) Endpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /webhooks", "webhooks.list", perm.WebhooksRead, "List webhooks, newest first.", api.Read(s.db, s.list)),
		api.E("POST /webhooks", "webhooks.create", perm.WebhooksManage, "Create a webhook; its signing secret is shown once.", s.create,
			api.Errors(api.ErrPlanLimit), api.OneTime("signing_secret")),
		api.E("GET /webhooks/{id}", "webhooks.get", perm.WebhooksRead, "Read a webhook.", api.Read(s.db, s.get)),
		api.E("PATCH /webhooks/{id}", "webhooks.update", perm.WebhooksManage, "Change a webhook, disable it or enable it again.", s.update),
		api.E("DELETE /webhooks/{id}", "webhooks.delete", perm.WebhooksManage, "Delete a webhook with its deliveries.", s.delete),
		api.E("POST /webhooks/{id}/test", "webhooks.test", perm.WebhooksManage, "Send a webhook.test event to this webhook alone.", s.test,
			api.Status(202), api.Errors(ErrDisabled)),
		api.E("POST /webhooks/{id}/rotate-secret", "webhooks.rotate_secret", perm.WebhooksManage,
			"Replace the signing secret; during the overlap both sign.", s.rotate, api.OneTime("signing_secret")),
		api.E("GET /webhooks/{id}/deliveries", "webhooks.deliveries", perm.WebhooksRead, "List the latest 100 deliveries, newest first.", api.Read(s.db, s.deliveries)),
		api.E("POST /webhooks/{id}/deliveries/{delivery_id}/retry", "webhooks.retry_delivery", perm.WebhooksManage,
			"Try a delivery again now.", s.retry, api.Status(202), api.Errors(ErrDisabled, api.ErrState)),
		api.E("POST /webhooks/{id}/recover", "webhooks.recover", perm.WebhooksManage,
			"Queue the events since a time that this webhook has not received.", s.recover, api.Status(202), api.Errors(ErrDisabled)),
	}
}

// signingSecret is the field that is shown once.
const signingSecret = "signing_secret"

// Shown is a webhook in the API.
type Shown struct {
	ID             string     `json:"id"`
	URL            string     `json:"url" example:"https://example.com/hook"`
	Description    *string    `json:"description"`
	Events         []string   `json:"events"`
	Status         Status     `json:"status" enum:"ACTIVE,DISABLED"`
	FailureStreak  int        `json:"failure_streak" doc:"Attempts in a row that failed; at 3 it is probed, at 25 it is disabled."`
	Probing        *Probe     `json:"probing" doc:"While it fails it has one attempt at a time, and everything else waits."`
	SigningSecret  string     `json:"signing_secret,omitempty" doc:"Shown when it is made and never again."`
	LastDeliveryAt *time.Time `json:"last_delivery_at"`
	LastSuccessAt  *time.Time `json:"last_success_at"`
	DisabledAt     *time.Time `json:"disabled_at"`
	DisabledReason *string    `json:"disabled_reason" enum:"FAILURES,USER"`
	CreatedBy      string     `json:"created_by"`
	Creator        *api.Named `json:"creator"`
	CreatedAt      time.Time  `json:"created_at"`
	UpdatedAt      time.Time  `json:"updated_at"`
}

func (w *Webhook) shown(db *store.DB, org string) (Shown, error) {
	url, err := w.url(db, org)
	return Shown{
		ID: w.ID, URL: url, Description: w.Description, Events: w.Events, Status: w.Status, FailureStreak: w.FailureStreak, Probing: w.Probing.shown(),
		LastDeliveryAt: w.LastDeliveryAt, LastSuccessAt: w.LastSuccessAt, DisabledAt: w.DisabledAt, DisabledReason: w.DisabledReason,
		CreatedBy: w.CreatedBy, Creator: api.Ref(org, w.CreatedBy), CreatedAt: w.CreatedAt, UpdatedAt: w.UpdatedAt,
	}, err
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) list(c *api.Call, tx *store.Tx, in api.PageIn) (out api.Page[Shown], err error) {
	page, err := webhooks.Page(tx, c.Org, store.Query[Webhook]{Reverse: true, Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in, func(x *Webhook) (Shown, error) { return x.shown(s.db, c.Org) })
}

type createIn struct {
	Body struct {
		URL         string   `json:"url" required:"true" minLength:"1" maxLength:"2048" example:"https://example.com/hook"`
		Events      []string `json:"events" required:"true" minItems:"1" maxItems:"100" doc:"Types of events; a * at the end stands for any ending, and alone for all." example:"[\"campaign.completed\",\"message.*\"]"`
		Description *string  `json:"description" maxLength:"500"`
	}
}

func (s *Service) create(c *api.Call, in createIn) (out api.Created[Shown], err error) {
	b := in.Body
	if err := s.o.checkURL(b.URL); err != nil {
		return out, err
	}
	events, err := checkEvents(b.Events)
	if err != nil {
		return out, err
	}
	w, made := Webhook{
		ID: s.db.NewID("whk"), Description: b.Description, Events: events, Status: Active,
		CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now,
	}, newSecret()
	var shown Shown
	err = s.db.Update(c, func(tx *store.Tx) error {
		shown, err = s.add(tx, c, w, b.URL, made)
		return err
	})
	shown.SigningSecret = made
	return api.New(shown), err
}

// add inserts a webhook, which gets what happens from now on.
func (s *Service) add(tx *store.Tx, c *api.Call, w Webhook, url, made string) (out Shown, err error) {
	used, err := Count(tx, c.Org)
	if err != nil {
		return out, err
	}
	if err := org.CheckLimit(tx, c.Org, org.LimitWebhooks, used, 1); err != nil {
		return out, err
	}
	if w.Since, err = event.Last(tx); err != nil {
		return out, err
	}
	if err := errors.Join(w.setURL(tx, c.Org, url), secret.Set(tx, c.Org, &w, []byte(made))); err != nil {
		return out, err
	}
	if err := webhooks.Insert(tx, c.Org, &w); err != nil {
		return out, err
	}
	if out, err = w.shown(s.db, c.Org); err != nil {
		return out, err
	}
	return out, audit.Write(tx, c, "webhook.created", w.resource(), audit.Changed("events", nil, w.Events))
}

// checkEvents refuses what is no type of event, nor the beginning of one with a *.
func checkEvents(list []string) ([]string, error) {
	if len(list) == 0 {
		return nil, api.Wrong("events", "must name at least one type of event, or *")
	}
	for _, e := range list {
		if _, ok := event.Match([]string{e}); !ok {
			return nil, api.Wrong("events", "holds what is no type of event, nor the beginning of one with a * behind it")
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(list))), nil
}

func (s *Service) get(c *api.Call, tx *store.Tx, in idIn) (out Shown, err error) {
	w, err := webhooks.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	return w.shown(s.db, c.Org)
}

type updateIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		URL         api.Patch[string]     `json:"url" maxLength:"2048"`
		Events      api.Patch[[]string]   `json:"events" maxItems:"100"`
		Description api.PatchNull[string] `json:"description" maxLength:"500"`
		Status      api.Patch[Status]     `json:"status" enum:"ACTIVE,DISABLED"`
	}
}

func (s *Service) update(c *api.Call, in updateIn) (out Shown, err error) {
	if err := s.checkUpdate(&in); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		w, err := webhooks.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := s.edit(tx, c, &w, in); err != nil {
			return err
		}
		if out, err = w.shown(s.db, c.Org); err != nil {
			return err
		}
		return webhooks.Put(tx, c.Org, &w)
	})
	return out, err
}

// checkUpdate refuses a URL and events that a webhook cannot have; those without a fault are
// as they are stored.
func (s *Service) checkUpdate(in *updateIn) (err error) {
	b := &in.Body
	if b.URL.Set {
		if err := s.o.checkURL(b.URL.Value); err != nil {
			return err
		}
	}
	if b.Events.Set {
		b.Events.Value, err = checkEvents(b.Events.Value)
	}
	return err
}

// edit applies a change to a webhook that its caller saves.
func (s *Service) edit(tx *store.Tx, c *api.Call, w *Webhook, in updateIn) error {
	before, b := *w, &in.Body
	changed := b.Description.Apply(&w.Description)
	changed = b.Events.Apply(&w.Events) || changed
	details := []audit.Detail{
		audit.Changed("description", before.Description, w.Description),
		audit.Changed("events", before.Events, w.Events),
	}
	url, err := w.url(s.db, c.Org)
	if err != nil {
		return err
	}
	if b.URL.Apply(&url) { // its path may be a secret
		if err := w.setURL(tx, c.Org, url); err != nil {
			return err
		}
		if w.Probing != nil && w.Status == Active {
			w.Probing.tryAt(c.Now)
			work.Wake(tx, w, c.Now)
		}
		changed, details = true, append(details, audit.Hidden("url"))
	}
	if changed {
		w.UpdatedAt = c.Now
		if err := audit.Write(tx, c, "webhook.updated", w.resource(), details...); err != nil {
			return err
		}
	}
	switch {
	case !b.Status.Set || b.Status.Value == w.Status:
		return nil
	case b.Status.Value == Active:
		return s.apply(tx, c, w, turnedOn)
	}
	return s.apply(tx, c, w, turnedOff)
}

func (s *Service) delete(c *api.Call, in idIn) (out api.NoContent, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		w, err := webhooks.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := webhooks.Delete(tx, c.Org, w.ID); err != nil {
			return err
		}
		if err := notify.Settle(tx, c.Org, w.ID); err != nil {
			return err
		}
		if _, err := queue.Add(tx, clearing{Org: c.Org, Webhook: w.ID, Remove: true}, time.Time{}, queue.InLane(w.ID), queue.For(c.Org, w.ID)); err != nil {
			return err
		}
		return audit.Write(tx, c, "webhook.deleted", w.resource())
	})
	return out, err
}

type rotateIn struct {
	ID   string      `path:"id" maxLength:"64"`
	Body *rotateBody // may be absent
}

type rotateBody struct {
	OverlapHours int `json:"overlap_hours" minimum:"0" maximum:"72" default:"0" doc:"For how long the old secret signs as well."`
}

func (s *Service) rotate(c *api.Call, in rotateIn) (out Shown, err error) {
	made, overlap := newSecret(), time.Duration(0)
	if in.Body != nil {
		overlap = time.Duration(in.Body.OverlapHours) * time.Hour
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		w, err := webhooks.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		if err := w.replaceSecret(tx, c.Org, made, overlap, c.Now); err != nil {
			return err
		}
		if out, err = w.shown(s.db, c.Org); err != nil {
			return err
		}
		if err := webhooks.Put(tx, c.Org, &w); err != nil {
			return err
		}
		return audit.Write(tx, c, "webhook.secret_rotated", w.resource(), audit.Hidden(signingSecret))
	})
	out.SigningSecret = made
	return out, err
}

// replaceSecret gives a webhook another secret; the old one signs too for overlap, and is
// forgotten at once for 0.
func (w *Webhook) replaceSecret(tx *store.Tx, orgID, made string, overlap time.Duration, now time.Time) (err error) {
	var old []byte
	w.OldUntil = time.Time{}
	if overlap > 0 {
		if old, err = secret.Open(tx.DB(), orgID, w); err != nil {
			return err
		}
		w.OldUntil = now.Add(overlap)
	}
	if err := oldSecret.Set(tx, orgID, w, old); err != nil {
		return err
	}
	w.UpdatedAt = now
	return secret.Set(tx, orgID, w, []byte(made))
}
