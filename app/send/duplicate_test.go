package send

import (
	"fmt"
	"testing"
	"time"
)

// TestTwin: somebody who is in an audience as a number and as a username gets the
// campaign once, whichever comes first.
func TestTwin(t *testing.T) {
	const number, username = 0, 1
	for first, name := range []string{number: "the number first", username: "the username first"} {
		t.Run(name, func(t *testing.T) {
			bubble(t, Options{}, func(w *harness) {
				w.p.Names = map[string]int64{"akmal": 901, "other": 902}
				one := func(body string) string { return w.srv.Do("POST /recipients", body).Want(201).String("id") }
				people := []string{
					number:   one(`{"messenger_id":901,"consent_status":"OPTED_IN"}`),
					username: one(`{"username":"akmal","consent_status":"OPTED_IN"}`),
				}
				other := one(`{"username":"other","consent_status":"OPTED_IN"}`)
				accounts := []string{w.account(""), w.account("")}
				order := []string{people[first], other, people[1-first]}
				b := w.campaign(accounts, order, nil)
				w.run()
				w.after(time.Hour)
				if got := fmt.Sprint(w.totals(b)); got != fmt.Sprint(Totals{Delivered: 2, Skipped: 1}) {
					t.Errorf("totals %s", got)
				}
				if j := w.job(b, people[1-first]); j.Status != Skipped || j.SkipReason != DuplicateOfBefore || j.ErrorCode != "" {
					t.Errorf("the second is %s %q %q", j.Status, j.SkipReason, j.ErrorCode)
				}
				if got := len(w.p.Took()); got != 2 {
					t.Errorf("the platform took %d messages", got)
				}
				// In another campaign the person gets another message.
				again := w.campaign(accounts[:1], order[:1], nil)
				w.after(time.Hour)
				if got := w.totals(again); got[Delivered] != 1 {
					t.Errorf("another campaign: %v", got)
				}
			})
		})
	}
}
