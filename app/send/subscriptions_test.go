package send

import (
	"context"
	"fmt"
	"testing"
	"time"

	"svc/app/account/connection"
	"svc/app/api"
	"svc/app/org"
	"svc/app/send/figures"
	"svc/app/send/sendtest"
	"svc/app/signal"
	"svc/messenger"
	"svc/store"
)

// publish tells everybody what happened, as the slice does that it happens to.
func publish[T any](w *harness, what T) {
	w.t.Helper()
	w.update(func(tx *store.Tx) error {
		return signal.Publish(w.bus, tx, api.System(context.Background(), w.srv.Org, w.db.Now()), what)
	})
}

// TestMarks: what was read and answered, and who opted out of what, in the figures of
// the hour in which it happened.
func TestMarks(t *testing.T) {
	bubble(t, Options{NoPacing: true}, func(w *harness) {
		a, o := w.account(""), w.srv.Org
		people := w.people(1, 4)
		first := w.campaign([]string{a}, people, nil)
		w.run()
		w.after(30 * time.Minute)
		second := w.campaign([]string{a}, people[:2], nil)
		w.after(time.Hour)

		publish(w, connection.ReadByPeer{Org: o, Account: a, PeerID: 1001, UpTo: 1}) // the first message, not the second
		publish(w, connection.ReadByPeer{Org: o, Account: a, PeerID: 1002, UpTo: 100})
		publish(w, connection.ReadByPeer{Org: o, Account: a, PeerID: 1002, UpTo: 100}) // again
		publish(w, connection.ReadByPeer{Org: o, Account: "acc_00000000000000000000000000", PeerID: 1003, UpTo: 100})
		publish(w, connection.Received{Org: o, Account: a, PeerID: 1001, MessageID: 50, At: w.db.Now()})
		publish(w, connection.Received{Org: o, Account: a, PeerID: 1001, MessageID: 51, At: w.db.Now()})            // again
		publish(w, connection.Received{Org: o, Account: a, PeerID: 1003, MessageID: 52, At: w.db.Now(), Out: true}) // the owner's own
		w.srv.Do("POST /recipients/"+people[1]+"/opt-out", nil).Want(200)
		w.after(8 * 24 * time.Hour)
		w.srv.Do("POST /recipients/"+people[2]+"/opt-out", nil).Want(200) // too late to be its effect
		w.after(30 * 24 * time.Hour)
		publish(w, connection.Received{Org: o, Account: a, PeerID: 1004, MessageID: 53, At: w.db.Now()}) // too late to be an answer

		for i, want := range []struct {
			batch         string
			read, replied bool
		}{{first, true, false}, {first, true, false}, {first, false, false}, {first, false, false}, {second, false, true}, {second, true, false}} {
			j := w.job(want.batch, people[i%4])
			if j.ReadAt.IsZero() == want.read || j.RepliedAt.IsZero() == want.replied {
				t.Errorf("%d: read %v, replied %v; want %v", i, j.ReadAt, j.RepliedAt, want)
			}
		}
		w.view(func(tx *store.Tx) error {
			for batch, want := range map[string]figures.Counters{first: {Delivered: 4, Read: 2}, second: {Delivered: 2, Read: 1, Replied: 1, OptedOut: 1}} {
				f, err := figures.Of(tx, o, batch)
				if err != nil || f.Totals != want || f.ByAccount[a] != want {
					t.Errorf("figures %+v, %v; want %+v", f, err, want)
				}
			}
			f, err := figures.Of(tx, o, first)
			if err != nil || len(f.Timeline) != 2 || f.Timeline[0].Delivered != 4 || f.Timeline[1].Read != 2 ||
				!f.Timeline[1].At.Equal(w.p.Begun.Add(time.Hour)) {
				t.Errorf("timeline %+v, %v", f.Timeline, err)
			}
			return nil
		})
	})
}

func TestAnalytics(t *testing.T) {
	bubble(t, Options{NoPacing: true}, func(w *harness) {
		a, other := w.account(""), w.account("")
		people := w.people(1, 10)
		w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
			switch m.To.Username {
			case "person_1":
				return false, fails(messenger.PeerUnreachable, "PEER_IS_BOT", 0)
			case "person_2":
				return false, fails(messenger.ContentRefused, "MEDIA_EMPTY", 0)
			}
			return true, nil
		})
		w.run()
		w.after(30 * time.Minute)
		first := w.campaign([]string{a}, people[:4], nil)
		w.after(26 * time.Hour)
		second := w.campaign([]string{a, other}, people[4:], nil)
		w.update(func(tx *store.Tx) error { // is no figure
			return Queue(tx, w.srv.Org, []*Job{{Kind: Test, AccountID: a, RecipientID: people[9]}})
		})
		w.after(time.Minute)
		begun := w.p.Begun.UTC()
		ask := func(from, to time.Duration, by figures.GroupBy) (out string) {
			w.view(func(tx *store.Tx) error {
				rows, err := figures.Analytics(tx, w.srv.Org, begun.Add(from), begun.Add(to), by, time.UTC)
				out = ""
				for _, r := range rows {
					out += fmt.Sprintf("%s %d %d %d; ", r.Key, r.Delivered, r.Failed, r.Unreachable)
				}
				return err
			})
			return out
		}
		day := 24 * time.Hour
		for _, tt := range []struct {
			from, to time.Duration
			by       figures.GroupBy
			want     string
		}{
			{0, 2 * day, figures.ByDay, "2000-01-01 2 1 1; 2000-01-02 6 0 0; "},
			{0, day, figures.ByDay, "2000-01-01 2 1 1; "},
			{0, 2 * day, figures.ByHour, "2000-01-01T00:00:00Z 2 1 1; 2000-01-02T02:00:00Z 6 0 0; "},
			{time.Hour, 26 * time.Hour, figures.ByHour, ""},
			{time.Hour, 27 * time.Hour, figures.ByHour, "2000-01-02T02:00:00Z 6 0 0; "},
			{0, 2 * day, figures.ByError, "MEDIA_EMPTY 0 1 0; PEER_IS_BOT 0 0 1; "},
			{day, 2 * day, figures.ByAccount, a + " 3 0 0; " + other + " 3 0 0; "},
			{0, 2 * day, figures.ByCampaign, first + " 2 1 1; " + second + " 6 0 0; "},
		} {
			if got := ask(tt.from, tt.to, tt.by); got != tt.want {
				t.Errorf("by %s from %v to %v: %q, want %q", tt.by, tt.from, tt.to, got, tt.want)
			}
		}
		w.view(func(tx *store.Tx) error {
			if n, err := figures.Messages(tx, w.srv.Org, begun, begun.Add(2*day)); err != nil || n != (org.UsedMessages{Sent: 8, Failed: 2}) {
				t.Errorf("usage %+v, %v", n, err)
			}
			if _, err := figures.Analytics(tx, w.srv.Org, begun, begun, "week", time.UTC); err == nil {
				t.Error("a series by week")
			}
			return nil
		})
	})
}

func TestRows(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a, other := w.account(""), w.account("")
		people := w.people(1, 12)
		w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
			return m.To.Username != "person_1", map[bool]error{true: fails(messenger.PeerUnreachable, "PEER_BLOCKED", 0)}[m.To.Username == "person_1"]
		})
		b := w.campaign([]string{a, other}, people, nil)
		w.run()
		w.after(time.Second)
		page := func(f Filter, offset, limit int) (out api.Page[Row]) {
			w.view(func(tx *store.Tx) (err error) {
				out, err = PageOf(tx, w.srv.Org, b, f, api.PageIn{Offset: offset, Limit: limit})
				return err
			})
			return out
		}
		for _, tt := range []struct {
			f    Filter
			want int
		}{
			{Filter{}, 12},
			{Filter{Status: "DELIVERED"}, 1},
			{Filter{Status: "UNREACHABLE"}, 1},
			{Filter{Status: queued}, 10},
			{Filter{Status: "PENDING"}, 0},
			{Filter{Status: sending}, 0},
			{Filter{Status: "CANCELLED"}, 0},
			{Filter{AccountID: a}, 6},
			{Filter{AccountID: a, Status: queued}, 5},
			{Filter{ErrorCode: "PEER_BLOCKED"}, 1},
			{Filter{ErrorCode: "PEER_BLOCKED", AccountID: other}, 0},
			{Filter{Q: "@PERSON_1"}, 4},
			{Filter{Q: "100"}, 9},
			{Filter{Q: "person_12", Status: queued}, 1},
			{Filter{Q: "nobody"}, 0},
		} {
			if got := page(tt.f, 0, 50); got.Total != tt.want || len(got.Data) != tt.want {
				t.Errorf("%+v: %d of %d, want %d", tt.f, len(got.Data), got.Total, tt.want)
			}
		}
		last := page(Filter{}, 11, 5)
		if len(last.Data) != 1 || last.Total != 12 {
			t.Fatalf("the last page: %+v", last)
		}
		r := last.Data[0]
		if r.ID[:4] != "crp_" || r.Recipient.FirstName != "P1" || *r.Recipient.Username != "person_1" || *r.Recipient.MessengerID != 1001 ||
			r.Status != "UNREACHABLE" || *r.ErrorCode != "PEER_BLOCKED" || r.Attempts != 1 || r.SentAt != nil || *r.AccountID != a {
			t.Errorf("the first row: %+v", r)
		}
		w.srv.Do("DELETE /recipients/"+people[0], nil).Want(204)
		if r := page(Filter{}, 11, 5).Data[0]; r.Recipient.Username != nil || r.Recipient.FirstName != "" || r.Recipient.ID != people[0] {
			t.Errorf("of somebody who was deleted: %+v", r.Recipient)
		}
		if got := page(Filter{Q: "person_1"}, 0, 50); got.Total != 3 {
			t.Errorf("%d are found by a name that was deleted", got.Total)
		}
	})
}

func TestJobs(t *testing.T) {
	bubble(t, Options{}, func(w *harness) {
		a, other := w.account(""), w.account("")
		people := w.people(1, 6)
		release := make(chan struct{})
		w.p.Accept(func(_ context.Context, m sendtest.Accepted) (bool, error) {
			switch m.To.Username {
			case "person_1":
				return false, fails(messenger.Busy, "RPC_CALL_FAIL", 0)
			case "person_2":
				<-release
			}
			return true, nil
		})
		b := w.campaign([]string{a, other}, people, nil)
		w.run()
		w.after(2 * time.Second)
		begun := w.p.Begun.UTC()
		query := func(at time.Time) string { return at.Format(time.RFC3339) }
		for _, tt := range []struct {
			query string
			want  float64
		}{
			{"", 6},
			{"kind=CAMPAIGN", 6},
			{"kind=TEST", 0},
			{"status=RUNNING", 1},
			{"status=RETRY", 1},
			{"status=QUEUED", 4},
			{"status=DONE", 0},
			{"status=CANCELLED", 0},
			{"status=QUEUED&account_id=" + a, 2},
			{"campaign_id=" + b, 6},
			{"campaign_id=cmp_00000000000000000000000000", 0},
			{"from=" + query(begun), 6},
			{"from=" + query(begun.Add(time.Second)), 0},
			{"to=" + query(begun), 0},
			{"to=" + query(begun.Add(time.Second)), 6},
			{"from=" + query(begun.Add(-48*time.Hour)) + "&to=" + query(begun.Add(24*time.Hour)), 6},
			{"from=" + query(begun.Add(-48*time.Hour)) + "&to=" + query(begun), 0},
		} {
			if got := w.srv.Do("GET /jobs?"+tt.query, nil).Want(200).At("total"); got != tt.want {
				t.Errorf("%s: %v, want %v", tt.query, got, tt.want)
			}
		}
		running := w.srv.Do("GET /jobs?status=RUNNING", nil)
		if running.String("data.0.locked_by") != "wrk_test" || running.String("data.0.recipient_id") != people[1] || running.At("data.0.finished_at") != nil {
			t.Errorf("running: %s", running.Body)
		}
		again := w.srv.Do("GET /jobs?status=RETRY", nil)
		if again.At("data.0.attempts") != 1.0 || again.At("data.0.max_attempts") != 5.0 || again.String("data.0.error_code") != "RPC_CALL_FAIL" ||
			again.String("data.0.run_at") != query(begun.Add(5*time.Second)) {
			t.Errorf("retry: %s", again.Body)
		}
		w.srv.Do("GET /jobs?status=LOST", nil).Want(422)
		close(release)
		w.after(time.Hour)
		if got := w.srv.Do("GET /jobs?status=DONE", nil).At("total"); got != 5.0 {
			t.Errorf("%v done", got)
		}
		if got := w.srv.Do("GET /jobs?status=FAILED", nil).At("total"); got != 1.0 {
			t.Errorf("%v failed", got)
		}
	})
}
