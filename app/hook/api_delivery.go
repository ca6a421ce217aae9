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
		w, err := webhooks.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		d, err := deliveries.Get(tx, c.Org, in.DeliveryID)
		switch {
		case err != nil:
			return err
		case d.WebhookID != w.ID:
			return store.ErrNotFound
		case w.Status != Active:
			return ErrDisabled
		}
		if _, err := event.Get(tx, c.Org, d.EventID); store.IsNotFound(err) {
			return errEventGone
		} else if err != nil {
			return err
		}
		was := d.Status
		d.again(tx.DB().Now())
		if err := save(tx, c.Org, &d, was); err != nil {
			return err
		}
		out = d.shown(c.Org)
		if err := wakeNow(tx, c.Org, w.ID); err != nil {
			return err
		}
		return audit.Write(tx, c, "webhook.delivery_retried", audit.On("webhook_delivery", d.ID, string(d.EventType)))
	})
	return out, err
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
	since, all := in.Body.Since.UTC(), in.Body.Since.IsZero()
	if all {
		since = c.Now.Add(-maxRecover)
	}
	switch {
	case since.Before(c.Now.Add(-maxRecover)):
		return out, api.Wrong("since", "must be at most 30 days ago")
	case since.After(c.Now):
		return out, api.Wrong("since", "must not be in the future")
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		w, err := s.activeOr(tx, c, in.ID, in.Body.Enable)
		if err != nil {
			return err
		}
		before, err := event.Before(tx, c.Org, since)
		if err != nil {
			return err
		}
		newest, err := event.Last(tx)
		if err != nil {
			return err
		}
		args := recovery{Org: c.Org, Webhook: w.ID, After: before, UpTo: newest, OnlyFailed: in.Body.OnlyFailed, Waiting: all}
		job, err := queue.Add(tx, args, time.Time{}, queue.InLane(w.ID), queue.For(c.Org, w.ID))
		if err != nil {
			return err
		}
		out = recoverOut{job, since, in.Body.OnlyFailed}
		return audit.Write(tx, c, "webhook.recovered", w.resource(), audit.Changed("since", nil, since))
	})
	return out, err
}

// ShownDelivery is a delivery as the API answers it.
type ShownDelivery struct {
	Delivery
	Webhook *api.Named `json:"webhook"`
}

func (d *Delivery) shown(org string) ShownDelivery {
	return ShownDelivery{*d, api.Ref(org, d.WebhookID)}
}
