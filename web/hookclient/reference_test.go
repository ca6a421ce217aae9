package hookclient

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"svc/app/api/apitest"
	"svc/app/event"
	"svc/app/hook"
	"svc/store"
	"svc/store/storetest"
)

// arrival is a request as an endpoint got it.
type arrival struct {
	header http.Header
	body   []byte
}

// signedBy says whether both forms of the signature are of that secret:
// what contract 45.2 tells a receiver to do, and the library of Standard
// Webhooks.
func (a arrival) signedBy(t *testing.T, secret string) (ours, standard bool) {
	t.Helper()
	w, err := standardwebhooks.NewWebhook(secret)
	if err != nil {
		t.Fatal(err)
	}
	return a.verify(secret), w.Verify(a.body, a.header) == nil
}

// verify follows contract 45.2 word by word.
func (a arrival) verify(secret string) bool {
	var at string
	var signatures []string
	for part := range strings.SplitSeq(a.header.Get("X-Svc-Signature"), ",") {
		switch name, value, _ := strings.Cut(part, "="); name {
		case "t":
			at = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte(at + "."))
	m.Write(a.body)
	want := []byte(hex.EncodeToString(m.Sum(nil)))
	return slices.ContainsFunc(signatures, func(got string) bool { return hmac.Equal([]byte(got), want) })
}

// endpoint is a receiver with the service at work that sends to it.
type endpoint struct {
	t       *testing.T
	db      *store.DB
	api     *apitest.Server
	id      string
	arrived chan arrival
}

// newEndpoint answers the signing secret too.
func newEndpoint(t *testing.T) (e *endpoint, secret string) {
	t.Helper()
	e = &endpoint{t: t, db: storetest.Open(t, tables()...), arrived: make(chan arrival, 8)}
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			e.arrived <- arrival{r.Header.Clone(), body}
		}
	}))
	t.Cleanup(srv.Close)
	s := hook.New(e.db, hook.Options{Sender: client(t, Options{AllowPrivate: true}), AllowPrivate: true, Version: "1.0"})
	e.api = apitest.New(t, e.db, s)
	e.api.Org = organization(t, e.db)
	made := e.api.Do("POST /webhooks", map[string]any{"url": srv.URL, "events": []string{"*"}}).Want(201)
	e.id = made.String("id")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return e, made.String("signing_secret")
}

// next records an event and answers the request that brings it.
func (e *endpoint) next() arrival {
	e.t.Helper()
	err := e.db.Update(e.t.Context(), func(tx *store.Tx) error {
		return event.Emit(tx, e.api.Org, event.MessageDelivered, map[string]any{"text": "салом & <b>\u2028"})
	})
	if err != nil {
		e.t.Fatal(err)
	}
	select {
	case a := <-e.arrived:
		return a
	case <-time.After(10 * time.Second):
		e.t.Fatal("the event did not arrive")
		return arrival{}
	}
}

// rotate answers the new secret.
func (e *endpoint) rotate(body string) string {
	e.t.Helper()
	return e.api.Do("POST /webhooks/"+e.id+"/rotate-secret", body).Want(200).String("signing_secret")
}

// TestReceiversVerify: what arrives over HTTP is verified in both forms by whoever has a
// secret that is valid, and by nobody else: before a rotation, while two secrets sign,
// and after one without an overlap.
func TestReceiversVerify(t *testing.T) {
	e, first := newEndpoint(t)
	verified := func(when string, a arrival, valid, invalid []string) {
		t.Helper()
		for _, secret := range slices.Concat(valid, invalid) {
			want := slices.Contains(valid, secret)
			ours, standard := a.signedBy(t, secret)
			if ours != want || standard != want {
				t.Errorf("%s: %v in our form, %v in that of Standard Webhooks, want %v\n%v", when, ours, standard, want, a.header)
			}
			changed := arrival{a.header, append(slices.Clone(a.body), ' ')}
			if ours, standard := changed.signedBy(t, secret); ours || standard {
				t.Errorf("%s: another body is verified: %v %v", when, ours, standard)
			}
		}
	}
	_, stranger := newEndpoint(t)
	verified("before", e.next(), []string{first}, []string{stranger})

	second := e.rotate(`{"overlap_hours":2}`)
	verified("in the overlap", e.next(), []string{first, second}, []string{stranger})

	third := e.rotate(`{}`)
	last := e.next()
	verified("after", last, []string{third}, []string{first, second, stranger})

	// The time is signed too: nobody makes an old request a new one.
	again := arrival{last.header.Clone(), last.body}
	at := last.header.Get("webhook-timestamp")
	later := strconv.FormatInt(time.Now().Add(time.Minute).Unix(), 10)
	again.header.Set("webhook-timestamp", later)
	again.header.Set("X-Svc-Signature", strings.Replace(last.header.Get("X-Svc-Signature"), "t="+at, "t="+later, 1))
	if ours, standard := again.signedBy(t, third); ours || standard {
		t.Errorf("another time is verified: %v %v", ours, standard)
	}
}
