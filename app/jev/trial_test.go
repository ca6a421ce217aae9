package jev

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"svc/ai/decide"
	"svc/ai/providers"
	"svc/app/api"
	"svc/app/audit"
	"svc/app/setting"
	"svc/store"
	"svc/store/storetest"
)

const testOrg = "org_01jyd1zq6x4t9v2n8m5c7b3k1h"

// decider is an outside decision service that fails while broken. meanwhile is called while it
// answers.
type decider struct {
	broken    bool
	asked     int
	meanwhile func()
}

// RoundTrip implements http.RoundTripper.
func (d *decider) RoundTrip(r *http.Request) (*http.Response, error) {
	d.asked++
	id := d.asked
	if f := d.meanwhile; f != nil {
		d.meanwhile = nil
		f()
	}
	status, body := http.StatusOK, fmt.Sprintf(`{"request_id":"req_%d","model_version":"1","fields":{}}`, id)
	if d.broken {
		status = http.StatusBadGateway
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// TestOneTrial: after a rest one request tries, whoever else asks meanwhile is refused, and so is
// everybody until the next rest is over when it fails (contract 13.16).
func TestOneTrial(t *testing.T) {
	clock, d := storetest.NewClock(), &decider{broken: true}
	db := storetest.OpenWith(t, "", store.Options{Tables: slices.Concat(Tables(), setting.Tables(), audit.Tables()), Now: clock.Now})
	storetest.Update(t, db, func(tx *store.Tx) error {
		if _, err := setting.Put(tx, api.System(t.Context(), store.Platform, db.Now()), map[string]any{"jev_available": true}); err != nil {
			return err
		}
		return configs.Put(tx, testOrg, &Config{ID: theOne, Enabled: true, Consent: true, BaseURL: "https://jev.example.com", TimeoutMS: defaultTimeout, Fallback: ByModel})
	})
	s := New(db, providers.Over(d))
	ask := func() error {
		_, _, err := s.Ask(t.Context(), testOrg, &decide.JEVRequest{RequestID: fmt.Sprintf("req_%d", d.asked+1)})
		return err
	}
	for range mostFailures {
		if err := ask(); !errors.Is(err, decide.ErrJEV) {
			t.Fatalf("a broken service: %v", err)
		}
	}
	if err := ask(); !errors.Is(err, ErrOff) || d.asked != mostFailures {
		t.Fatalf("while it rests: %v after %d requests", err, d.asked)
	}

	clock.Add(firstRest)
	var beside error
	d.meanwhile = func() { beside = ask() }
	if err := ask(); !errors.Is(err, decide.ErrJEV) {
		t.Fatalf("the trial: %v", err)
	}
	if !errors.Is(beside, ErrOff) || d.asked != mostFailures+1 {
		t.Errorf("beside the trial: %v, %d requests, want one trial", beside, d.asked-mostFailures)
	}
	clock.Add(firstRest)
	if err := ask(); !errors.Is(err, ErrOff) {
		t.Errorf("a trial that failed begins a longer rest: %v", err)
	}

	clock.Add(firstRest)
	d.broken = false
	if err := ask(); err != nil {
		t.Fatalf("the second trial: %v", err)
	}
	d.meanwhile = func() { beside = ask() }
	if err := ask(); err != nil || beside != nil {
		t.Errorf("after a trial that went well: %v, %v", err, beside)
	}
}

// TestTrialThatNeverEnds: one whose node ended holds up nobody for ever.
func TestTrialThatNeverEnds(t *testing.T) {
	clock, d := storetest.NewClock(), &decider{}
	db := storetest.OpenWith(t, "", store.Options{Tables: slices.Concat(Tables(), setting.Tables(), audit.Tables()), Now: clock.Now})
	c := Config{ID: theOne, TimeoutMS: defaultTimeout, Health: health{Until: clock.Now(), Level: 1}}
	storetest.Update(t, db, func(tx *store.Tx) error { return configs.Put(tx, testOrg, &c) })
	s := New(db, providers.Over(d))
	for _, want := range []bool{true, false} {
		if mine, err := s.tries(t.Context(), testOrg, &c); err != nil || mine != want {
			t.Fatalf("%v, %v; want %v", mine, err, want)
		}
	}
	clock.Add(defaultTimeout*time.Millisecond + trialSlack)
	if mine, err := s.tries(t.Context(), testOrg, &c); err != nil || !mine {
		t.Errorf("once its time is over: %v, %v", mine, err)
	}
}
