package channel

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"io"
	"strconv"
	"time"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/messenger/platform/graph"
	"svc/store"
	"svc/store/queue"
)

// maxWebhook bounds the body of a webhook: bytes.
const maxWebhook = 4 << 20

var (
	errSignature = &api.Error{Kind: api.Forbidden, Code: "forbidden", Message: "The request is not signed by the application."}
	errVerify    = &api.Error{Kind: api.Forbidden, Code: "forbidden", Message: "The verify token is not ours."}
	// errStore asks the network to send a webhook again.
	errStore = &api.Error{Kind: api.Unavailable, Code: "timeout", Message: "It could not be stored; send it again.", RetryAfter: time.Second}
)

func (s *Service) hookEndpoints() []api.Endpoint {
	return []api.Endpoint{
		api.E("GET /channels/meta/webhook", "channels.verify_webhook", perm.Public, "Answer the network's question whether webhooks arrive here.", s.verifyWebhook,
			api.TextType("text/plain"), api.Errors(errVerify)),
		api.E("POST /channels/meta/webhook", "channels.webhook", perm.Public, "Take a signed webhook; it is stored before it is answered.", s.webhook,
			api.MaxBody(maxWebhook), api.InMaintenance(), api.Timeout(5*time.Second), api.Errors(errSignature)),
		api.E("POST /channels/webhook-test", "channels.test_webhook", perm.AccountsManage, "Send a signed webhook of no account to this installation's own address, as the networks would.", s.testWebhook,
			api.ChangesNothing()),
		api.E("POST /channels/meta/deauthorize", "channels.deauthorize", perm.Public, "Take the network's word that somebody removed the application.", s.deauthorize,
			api.InMaintenance(), api.Errors(errSignature)),
		api.E("POST /channels/meta/data-deletion", "channels.data_deletion", perm.Public, "Take a request to delete what is held of the person who connected accounts.", s.askErasure,
			api.InMaintenance(), api.Errors(errSignature)),
		api.E("GET /channels/meta/data-deletion/{code}", "channels.data_deletion_status", perm.Public, "Say in words what became of a deletion.", s.erasureStatus,
			api.TextType("text/html"), api.Errors(api.ErrNotFound)),
	}
}

// verifyToken is what the networks say when they look whether webhooks arrive.
func (s *Service) verifyToken() (string, error) {
	if s.o.VerifyToken != "" {
		return s.o.VerifyToken, nil
	}
	h, err := s.db.Hash("channel verify token", "webhook")
	if err != nil {
		return "", err
	}
	return h[:32], nil
}

// VerifyIn is the question of a network.
type VerifyIn struct {
	Mode      string `query:"hub.mode" maxLength:"40"`
	Token     string `query:"hub.verify_token" maxLength:"300"`
	Challenge string `query:"hub.challenge" maxLength:"300"`
}

func (s *Service) verifyWebhook(_ *api.Call, in VerifyIn) (out api.Text, err error) {
	want, err := s.verifyToken()
	if err != nil {
		return out, err
	}
	if in.Mode != "subscribe" || subtle.ConstantTimeCompare([]byte(in.Token), []byte(want)) != 1 {
		return out, errVerify
	}
	return api.Text{Type: "text/plain; charset=utf-8", Write: func(w io.Writer) error {
		_, err := io.WriteString(w, in.Challenge)
		return err
	}}, nil
}

// DeliveryStatus is where a webhook is (contract 60.51).
type DeliveryStatus string

// The statuses.
const (
	Waiting DeliveryStatus = "WAITING"
	Taken   DeliveryStatus = "TAKEN"
	Broken  DeliveryStatus = "FAILED"
)

// delivery is a webhook as it arrived. Its id is the hash of the body, so that one that is
// sent again is known.
type delivery struct {
	ID     string         `json:"id"`
	N      string         `json:"n"` // orders them as they came
	Status DeliveryStatus `json:"status"`
	At     time.Time      `json:"at"`
	Due    time.Time      `json:"due"`
	Tries  int            `json:"tries,omitempty"`
	// Done is how many of its updates were taken in; Early: one of them is of an account that is
	// being connected.
	Done  int  `json:"done,omitempty"`
	Early bool `json:"early,omitempty"`
	// Accounts are those that it is about, once it was read.
	Accounts []string     `json:"accounts,omitempty"`
	Body     store.Sealed `json:"body,omitzero"`
}

// How long bodies are kept, and how long it is known that they came.
const (
	bodyLife   = 7 * 24 * time.Hour
	failedLife = 30 * 24 * time.Hour
	knownLife  = 8 * 24 * time.Hour
)

var (
	deliveries = store.NewTable("channel_delivery", "", func(d *delivery) string { return d.ID }).Global()
	body       = deliveries.Sealed("body", func(d *delivery) *store.Sealed { return &d.Body })
	inOrder    = deliveries.Multi("order", func(d *delivery) []store.Key {
		if d.Status != Waiting {
			return nil
		}
		return []store.Key{store.Tuple(store.Time(d.Due), store.Text(d.N))}
	})
	// ofAccount are those whose body is there still, by whom they are about.
	ofAccount = deliveries.Multi("account_body", func(d *delivery) (out []store.Key) {
		if d.Body.IsZero() {
			return nil
		}
		for _, a := range d.Accounts {
			out = append(out, store.Text(a))
		}
		return out
	})
	// oldBodies and oldDeliveries are what is removed, by when.
	oldBodies = deliveries.Multi("bodies", func(d *delivery) []store.Key {
		if d.Body.IsZero() || d.Status == Waiting {
			return nil
		}
		life := bodyLife
		if d.Status == Broken {
			life = failedLife
		}
		return []store.Key{store.Time(d.At.Add(life))}
	})
	oldDeliveries = deliveries.Multi("known", func(d *delivery) []store.Key {
		if !d.Body.IsZero() {
			return nil
		}
		return []store.Key{store.Time(d.At.Add(knownLife))}
	})
)

// intaking is the job that takes webhooks in, in the order in which they came; there is one.
// waking wakes it at a time.
type (
	intaking struct{}
	waking   struct{}
)

func (intaking) Kind() string      { return "channel.intake" }
func (intaking) Queue() queue.Name { return queue.Inbound }
func (waking) Kind() string        { return "channel.wake" }
func (waking) Queue() queue.Name   { return queue.Inbound }

// WebhookIn is a webhook.
type WebhookIn struct {
	api.RawIn
	Signature string `header:"X-Hub-Signature-256" maxLength:"200"`
}

// Received is the answer of a webhook that is stored.
type Received struct {
	Received bool `json:"received"`
}

// webhook stores a webhook: nothing is parsed or looked up before it is there.
func (s *Service) webhook(c *api.Call, in WebhookIn) (Received, error) {
	if !graph.Verify(in.Raw(), in.Signature, s.o.Secrets...) {
		return Received{}, errSignature
	}
	if err := s.store(c, in.Raw()); err != nil {
		s.log.Error("channel: a webhook was not stored", "error", err)
		return Received{}, errStore.WithCause(err)
	}
	return Received{true}, nil
}

func (s *Service) store(ctx context.Context, raw []byte) error {
	sum := sha256.Sum256(raw)
	id := hex.EncodeToString(sum[:])
	return s.db.Update(ctx, func(tx *store.Tx) error {
		if there, err := deliveries.Has(tx, store.Platform, id); err != nil || there {
			return err
		}
		now := tx.DB().Now()
		d := delivery{ID: id, N: tx.DB().NewID("evt"), Status: Waiting, At: now, Due: now}
		if err := body.Set(tx, store.Platform, &d, raw); err != nil {
			return err
		}
		if err := deliveries.Insert(tx, store.Platform, &d); err != nil {
			return err
		}
		_, err := queue.Add(tx, intaking{}, time.Time{}, queue.Once("all"), queue.Attempts(100))
		return err
	})
}

// Tested is what came of a test.
type Tested struct {
	OK      bool    `json:"ok"`
	URL     string  `json:"url"`
	Status  *int    `json:"status" doc:"null: nothing answered."`
	Message *string `json:"message"`
}

// testWebhook sends a webhook as the networks do, to the address that they are given.
func (s *Service) testWebhook(c *api.Call, _ struct{}) (out Tested, err error) {
	out.URL = s.base(c) + "/api/v1/channels/meta/webhook"
	if s.o.Probe == nil || len(s.o.Secrets) == 0 || s.o.Secrets[0] == "" {
		out.Message = api.Optional("There is no application whose signature could be tried.")
		return out, nil
	}
	sent := []byte(`{"object":"page","entry":[{"id":"0","time":` + strconv.FormatInt(c.Now.Unix(), 10) + `,"changes":[{"field":"feed","value":{}}]}]}`)
	status, err := s.o.Probe(c, out.URL, sent, graph.Sign(sent, s.o.Secrets[0]))
	if err != nil {
		out.Message = api.Optional("Nothing answered at this address.")
		return out, nil //nolint:nilerr // that is the answer
	}
	out.Status, out.OK = &status, status/100 == 2
	return out, nil
}

// forgetDeliveries removes bodies and records that were kept long enough.
func forgetDeliveries(tx *store.Tx, limit int) (n int, err error) {
	now := tx.DB().Now()
	list, _, err := oldBodies.Walk(tx, store.Platform, store.Range{Span: store.During(time.Time{}, now), Limit: limit})
	for i := range list {
		if err := errors.Join(body.Set(tx, store.Platform, &list[i], nil), deliveries.Put(tx, store.Platform, &list[i])); err != nil {
			return n, err
		}
		n++
	}
	if err != nil || n >= limit {
		return n, err
	}
	list, _, err = oldDeliveries.Walk(tx, store.Platform, store.Range{Span: store.During(time.Time{}, now), Limit: limit - n})
	for i := range list {
		if err := deliveries.Delete(tx, store.Platform, list[i].ID); err != nil {
			return n, err
		}
		n++
	}
	return n, err
}
