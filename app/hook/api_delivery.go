package hook

import (
	"errors"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/event"
	"svc/store"
	"svc/store/queue"
)

type testOut struct {
	EventID string `json:"event_id" doc:"The webhook.test event; its delivery is among the webhook's."`
}

// test records a webhook.test event, which the follower delivers to this endpoint
// alone, behind what came before it.
func (s *Service) test(c *api.Call, in idIn) (out testOut, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		w, err := mustBeActive(tx, c, in.ID)
		if err != nil {
			return err
		}
		data := map[string]any{"webhook_id": w.ID}
		err = event.Emit(tx, c.Org, event.WebhookTest, data, func(e *event.Stored) { out = testOut{e.ID} })
		if err != nil {
			return err
		}
		return audit.Write(tx, c, "webhook.tested", w.resource())
	})
	return out, err
}

// mustBeActive reads an endpoint that can receive something.
func mustBeActive(tx *store.Tx, c *api.Call, id string) (Webhook, error) {
	w, err := webhooks.Get(tx, c.Org, id)
	if err == nil && w.Status != Active {
		err = ErrDisabled
	}
	return w, err
}

type deliveriesIn struct {
	ID string `path:"id" maxLength:"64"`
	api.PageIn
}

func (s *Service) deliveries(c *api.Call, tx *store.Tx, in deliveriesIn) (out api.Page[ShownDelivery], err error) {
	if _, err := webhooks.Get(tx, c.Org, in.ID); err != nil {
		return out, err
	}
	of := store.Is(store.Tuple(store.Text(in.ID)))
	list, _, err := byWebhook.Walk(tx, c.Org, store.Range{Span: of, Limit: listed, Reverse: true})
	rows := make([]ShownDelivery, len(list))
	for i := range list {
		rows[i] = list[i].shown(c.Org)
	}
	out = api.Window(rows, in.PageIn, func(d *ShownDelivery) string { return d.ID })
	return out, err
}

type retryIn struct {
	ID         string `path:"id" maxLength:"64"`
	DeliveryID string `path:"delivery_id" maxLength:"64"`
}

func (s *Service) retry(c *api.Call, in retryIn) (out ShownDelivery, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		d, err := retryable(tx, c.Org, in)
		if err != nil {
			return err
		}
		was := d.Status
		d.again(tx.DB().Now())
		if err := save(tx, c.Org, &d, was); err != nil {
			return err
		}
		out = d.shown(c.Org)
		if err := wakeNow(tx, c.Org, d.WebhookID); err != nil {
			return err
		}
		return audit.Write(tx, c, "webhook.delivery_retried", audit.On("webhook_delivery", d.ID, string(d.EventType)))
	})
	return out, err
}

// retryable is a delivery of a webhook that may be tried again.
func retryable(tx *store.Tx, orgID string, in retryIn) (d Delivery, err error) {
	w, err := webhooks.Get(tx, orgID, in.ID)
	if err != nil {
		return d, err
	}
	d, err = deliveries.Get(tx, orgID, in.DeliveryID)
	switch {
	case err != nil:
		return d, err
	case d.WebhookID != w.ID:
		return d, store.ErrNotFound
	case w.Status != Active:
		return d, ErrDisabled
	}
	if _, err := event.Get(tx, orgID, d.EventID); store.IsNotFound(err) {
		return d, errEventGone
	} else if err != nil {
		return d, err
	}
	return d, nil
}

type recoverIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Since      time.Time `json:"since" doc:"At most 30 days ago; without it all that is kept, and what waits for another attempt comes at once."`
		OnlyFailed bool      `json:"only_failed" doc:"Only those whose delivery failed; not those that were missed while the webhook was disabled."`
		Enable     bool      `json:"enable" doc:"Enable the webhook first when it is disabled."`
	}
}

// activeOr is mustBeActive that enables an endpoint when that is asked for.
func (s *Service) activeOr(tx *store.Tx, c *api.Call, id string, enable bool) (Webhook, error) {
	w, err := mustBeActive(tx, c, id)
	if !enable || !errors.Is(err, ErrDisabled) {
		return w, err
	}
	if err := s.apply(tx, c, &w, turnedOn); err != nil {
		return w, err
	}
	return w, webhooks.Put(tx, c.Org, &w)
}

type recoverOut struct {
	JobID      string    `json:"job_id"`
	Since      time.Time `json:"since"`
	OnlyFailed bool      `json:"only_failed"`
}

func (s *Service) recover(c *api.Call, in recoverIn) (out recoverOut, err error) {
	since, all, err := in.since(c.Now)
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		w, err := s.activeOr(tx, c, in.ID, in.Body.Enable)
		if err != nil {
			return err
		}
		job, err := w.addRecovery(tx, c.Org, since, recovery{OnlyFailed: in.Body.OnlyFailed, Waiting: all})
		if err != nil {
			return err
		}
		out = recoverOut{job, since, in.Body.OnlyFailed}
		return audit.Write(tx, c, "webhook.recovered", w.resource(), audit.Changed("since", nil, since))
	})
	return out, err
}

// since is from when on events are delivered again; all says that no time was given.
func (in *recoverIn) since(now time.Time) (since time.Time, all bool, err error) {
	since, all = in.Body.Since.UTC(), in.Body.Since.IsZero()
	switch {
	case all:
		since = now.Add(-maxRecover)
	case since.Before(now.Add(-maxRecover)):
		err = api.Wrong("since", "must be at most 30 days ago")
	case since.After(now):
		err = api.Wrong("since", "must not be in the future")
	}
	return since, all, err
}

// addRecovery adds the job that delivers what happened since a time again, until now.
func (w *Webhook) addRecovery(tx *store.Tx, orgID string, since time.Time, args recovery) (job string, err error) {
	args.Org, args.Webhook = orgID, w.ID
	if args.After, err = event.Before(tx, orgID, since); err != nil {
		return "", err
	}
	if args.UpTo, err = event.Last(tx); err != nil {
		return "", err
	}
	return queue.Add(tx, args, time.Time{}, queue.InLane(w.ID), queue.For(orgID, w.ID))
}

// ShownDelivery is a delivery as the API answers it.
type ShownDelivery struct {
	Delivery
	Webhook *api.Named `json:"webhook"`
}

func (d *Delivery) shown(org string) ShownDelivery {
	return ShownDelivery{*d, api.Ref(org, d.WebhookID)}
}
