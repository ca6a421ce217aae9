package campaign

import (
	"testing"
	"testing/synctest"
	"time"

	"svc/app/campaign/record"
	"svc/app/campaign/rehearsal"
	"svc/app/campaign/results"
	"svc/app/event"
	"svc/app/setting"
	"svc/store"
)

// until lets virtual time pass up to a moment.
func (h *harness) until(at string) {
	h.t.Helper()
	t, err := time.Parse(time.RFC3339, at)
	if err != nil {
		h.t.Fatal(err)
	}
	<-time.After(time.Until(t))
	synctest.Wait()
}

// jump is a stop of the service until a moment, so that no minute of it is played
// through.
func (h *harness) jump(at string) {
	h.t.Helper()
	h.end()
	h.until(at)
	h.build()
	h.run()
}

// runsOf are the campaigns of the series, oldest first.
func (h *harness) runsOf() (out []Shown) {
	h.t.Helper()
	var page struct{ Data []Shown }
	h.Do("GET /campaigns?sort=created_at&limit=100", nil).Want(200).Into(&page)
	return page.Data
}

// TestSeries over a month end and clocks that go forward: virtual time begins on
// 1 January 2000; clocks in Berlin go forward on 26 March at 02:00.
func TestSeries(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account("")
		h.crowd(3)
		id := h.started([]string{a}, map[string]any{
			"scheduled_at": "2000-01-31T01:30:00Z", "timezone": "Europe/Berlin",
			"repeat": map[string]any{"frequency": "MONTHLY", "day_of_month": 31, "time": "02:30", "max_runs": 4},
		})
		h.is(id, record.Scheduled, "")
		if s := h.campaign(id); s.Int("series.run_number") != 1 || s.At("series.previous_campaign_id") != nil {
			t.Errorf("series %v", s.At("series"))
		}
		want := []string{"2000-01-31T01:30:00Z", "2000-02-29T01:30:00Z", "2000-03-31T00:30:00Z", "2000-04-30T00:30:00Z"}
		for _, at := range want {
			due, err := time.Parse(time.RFC3339, at)
			if err != nil {
				t.Fatal(err)
			}
			h.jump(due.Add(-time.Minute).Format(time.RFC3339))
			h.after(time.Hour)
		}
		h.jump("2000-05-30T12:00:00Z")
		h.after(time.Hour)
		runs := h.runsOf()
		if len(runs) != len(want) {
			t.Fatalf("%d runs", len(runs))
		}
		for i, r := range runs {
			if r.Status != record.Completed || r.Totals.Completed != 3 || r.ScheduledAt.Format(time.RFC3339) != want[i] || r.Series.RunNumber != i+1 {
				t.Errorf("run %d: %s at %s, %+v", i+1, r.Status, r.ScheduledAt, r.Totals)
			}
			if i > 0 && *r.Series.PreviousID != runs[i-1].ID {
				t.Errorf("run %d follows %s", i+1, *r.Series.PreviousID)
			}
		}
	})
}

// TestNewOnly: later runs are for people whom no earlier one was planned for.
func TestNewOnly(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account("")
		h.crowd(3)
		h.started([]string{a}, map[string]any{"repeat": map[string]any{"frequency": "DAILY", "time": "10:00", "audience": "NEW_ONLY"}})
		h.until("2000-01-01T09:00:00Z")
		h.person("newcomer", nil)
		h.person("another_one", nil)
		h.until("2000-01-01T11:00:00Z")
		runs := h.runsOf()
		if len(runs) != 2 || runs[0].Totals.Completed != 3 || runs[1].Totals.Total != 2 || runs[1].Totals.Completed != 2 {
			t.Fatalf("runs: %+v", runs)
		}
		// Nobody is new on the third day: the run fails, and the series stops.
		h.until("2000-01-03T11:00:00Z")
		runs = h.runsOf()
		if len(runs) != 3 || runs[2].Status != record.Failed || h.events(event.CampaignFailed) != 1 {
			t.Fatalf("%d runs, the last %s", len(runs), runs[len(runs)-1].Status)
		}
		h.Do("POST /campaigns/"+runs[2].ID+"/stop-repeating", nil).Refused(ErrNotRepeating)
	})
}

// TestMissedRuns: runs that came due while one was under way are one, and one run at
// most is unfinished.
func TestMissedRuns(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"daily_limit":1}`)
		h.crowd(4)
		h.started([]string{a}, map[string]any{"repeat": map[string]any{"frequency": "DAILY", "time": "10:00"}})
		h.after(10 * time.Minute)
		for _, at := range []string{"2000-01-02T00:01:00Z", "2000-01-03T09:55:00Z"} {
			h.jump(at)
			h.after(10 * time.Minute)
		}
		if runs := h.runsOf(); len(runs) != 1 {
			t.Fatalf("%d runs while the first is under way", len(runs))
		}
		h.jump("2000-01-04T00:01:00Z")
		h.after(10 * time.Minute) // the fourth day: the fourth message
		runs := h.runsOf()
		if len(runs) != 2 || runs[0].Status != record.Completed || runs[1].ScheduledAt.Format(time.RFC3339) != "2000-01-03T10:00:00Z" {
			t.Fatalf("runs: %+v", runs)
		}
		first := runs[0].ID
		h.Do("POST /campaigns/"+first+"/stop-repeating", nil).Want(200)
		if k := h.campaign(runs[1].ID); k.At("repeat") != nil || k.String("status") != string(record.Running) {
			t.Errorf("the run under way: %s", k.Body)
		}
		for day := 5; day < 9; day++ {
			h.jump(time.Date(2000, 1, day, 0, 0, 30, 0, time.UTC).Format(time.RFC3339))
			h.after(10 * time.Minute)
		}
		h.jump("2000-01-20T00:00:00Z")
		h.after(time.Hour)
		if runs := h.runsOf(); len(runs) != 2 || runs[1].Status != record.Completed {
			t.Errorf("after the series was stopped: %d runs", len(runs))
		}
	})
}

// TestStoppingASeries between two runs, and after one was cancelled.
func TestStoppingASeries(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account("")
		h.crowd(2)
		daily := map[string]any{"repeat": map[string]any{"frequency": "DAILY", "time": "10:00"}}
		between := h.started([]string{a}, daily)
		h.until("2000-01-01T01:00:00Z")
		h.is(between, record.Completed, "")
		h.Do("POST /campaigns/"+between+"/stop-repeating", nil).Want(200)
		h.Do("POST /campaigns/"+between+"/stop-repeating", nil).Refused(ErrNotRepeating)
		cancelled := h.started([]string{a}, daily)
		h.Do("POST /campaigns/"+cancelled+"/cancel", nil).Want(200)
		h.Do("POST /campaigns/"+cancelled+"/stop-repeating", nil).Want(200)
		changed := h.started([]string{a}, map[string]any{"scheduled_at": "2000-01-02T00:00:00Z", "repeat": daily["repeat"]})
		h.Do("PATCH /campaigns/"+changed, `{"repeat":null}`).Want(200)
		draft := h.draft([]string{a}, daily)
		if k := h.Do("POST /campaigns/"+draft+"/stop-repeating", nil).Want(200); k.At("repeat") != nil {
			t.Errorf("a draft: %s", k.Body)
		}
		h.until("2000-01-02T12:00:00Z")
		h.jump("2000-02-01T00:00:00Z")
		h.after(time.Hour)
		if n := len(h.runsOf()); n != 4 {
			t.Errorf("%d campaigns, want the four that were made", n)
		}
	})
}

// TestFailedAtItsTime: the checks are asked again when the time has come.
func TestFailedAtItsTime(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account("")
		h.crowd(2)
		id := h.started([]string{a}, map[string]any{"scheduled_at": time.Now().Add(time.Hour)})
		held := h.started([]string{a}, map[string]any{"scheduled_at": time.Now().Add(time.Hour)})
		ahead := h.started([]string{a}, map[string]any{"scheduled_at": time.Now().Add(100 * time.Hour)})
		h.Do("POST /campaigns/"+held+"/pause", nil).Want(200)
		h.Do("POST /campaigns/"+ahead+"/pause", nil).Want(200)
		h.Do("POST /accounts/"+a+"/pause", nil).Want(200)
		h.after(2 * time.Hour)
		h.is(id, record.Failed, "")
		h.is(held, record.Paused, record.ByUser)
		if k := h.campaign(id); k.At("validation.ok") != false {
			t.Errorf("its report: %s", k.Body)
		}
		h.Do("POST /campaigns/"+held+"/resume", nil).Refused(ErrNoAccounts)
		h.Do("POST /accounts/"+a+"/resume", nil).Want(200)
		h.Do("POST /campaigns/"+ahead+"/resume", nil).Want(200)
		h.is(ahead, record.Scheduled, "")
		h.Do("POST /campaigns/"+held+"/resume", nil).Want(200)
		h.after(time.Hour)
		h.is(held, record.Completed, "")
		if h.out.count() != 2 {
			t.Errorf("%d messages were sent", h.out.count())
		}
	})
}

// TestEndAt: what is not done by the end waits for a person.
func TestEndAt(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account("")
		h.crowd(60)
		id := h.started([]string{a}, map[string]any{"end_at": time.Now().Add(10 * time.Minute)})
		h.Do("PATCH /accounts/"+a, `{"min_interval_seconds":60}`).Want(200)
		h.after(time.Hour)
		h.is(id, record.Paused, record.EndAtPassed)
		sent := h.out.count()
		h.Do("POST /campaigns/"+id+"/resume", nil).Refused(ErrEnded)
		h.Do("PATCH /campaigns/"+id, map[string]any{"end_at": nil}).Want(200)
		h.Do("POST /campaigns/"+id+"/resume", nil).Want(200)
		h.after(2 * time.Hour)
		h.is(id, record.Completed, "")
		if h.out.count() != 60 || sent == 0 || sent > 15 {
			t.Errorf("%d before the end, %d in all", sent, h.out.count())
		}
	})
}

// TestPolicyOutdated: a policy that changed pauses what runs within a minute.
func TestPolicyOutdated(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"daily_limit":1}`)
		h.crowd(3)
		id := h.started([]string{a}, nil)
		h.after(10 * time.Minute)
		h.is(id, record.Running, "")
		if k := h.campaign(id); k.String("waiting_reason") != "DAILY_LIMIT" {
			t.Errorf("it waits for %q", k.String("waiting_reason"))
		}
		h.newPolicy("2")
		h.after(2 * time.Minute)
		h.is(id, record.Paused, record.PolicyOutdated)
	})
}

// TestOptOutWhileItRuns: the waiting message of somebody who opts out is skipped, once.
func TestOptOutWhileItRuns(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		a := h.account(`{"daily_limit":1}`)
		people := h.crowd(3)
		id := h.started([]string{a}, nil)
		h.after(10 * time.Minute)
		h.Do("PATCH /recipients/"+people[2], `{"consent_status":"OPTED_OUT"}`).Want(200)
		h.Do("DELETE /recipients/"+people[1], nil).Want(204)
		h.after(time.Minute)
		h.is(id, record.Completed, "")
		h.totals(id, results.Totals{Total: 3, Completed: 1, Skipped: 2})
		if n := h.events(event.MessageSkipped); n != 2 {
			t.Errorf("%d events of skipped messages", n)
		}
	})
}

// TestRehearsal: the report of a campaign that sends nothing.
func TestRehearsal(t *testing.T) {
	bubble(t, func(h *harness) {
		h.run()
		accounts := []string{h.account(`{"daily_limit":20}`), h.account("")}
		h.crowd(120)
		h.person("unknown_one", map[string]any{"consent_status": "UNKNOWN"})
		h.person("by_id_only", map[string]any{"username": nil, "messenger_id": 77})
		id := h.draft(accounts, nil)
		h.Do("GET /campaigns/"+id+"/rehearsal", nil).Want(404)
		asked := h.Do("POST /campaigns/"+id+"/rehearse", nil).Want(202)
		if asked.String("status") != "QUEUED" || asked.String("id") == "" {
			t.Errorf("asked: %s", asked.Body)
		}
		h.after(time.Second)
		var r rehearsal.ShownRehearsal
		h.Do("GET /campaigns/"+id+"/rehearsal", nil).Want(200).Into(&r)
		delivered, failed := 0, 0
		for _, d := range r.ByAccount {
			delivered, failed = delivered+d.Delivered, failed+d.Failed
		}
		if r.Status != rehearsal.Done || delivered != 116 || failed != 5 || r.Skipped["UNKNOWN_CONSENT"] != 1 || len(r.Sample) != 10 || r.FinishesAt == nil {
			t.Errorf("report %+v", r)
		}
		if r.Sample[0][:14] != "Hello F_person" {
			t.Errorf("a text: %q", r.Sample[0])
		}
		if h.out.count() != 0 || h.campaign(id).Int("totals.total") != 0 {
			t.Error("the rehearsal sent something, or left rows")
		}
		h.Do("POST /campaigns/"+id+"/start", nil).Want(200)
		before := *r.FinishesAt
		h.until(before.Add(time.Minute).Format(time.RFC3339))
		var k Shown
		h.campaign(id).Into(&k)
		if k.Status != record.Completed || k.FinishedAt.Before(before.Add(-10*time.Minute)) {
			t.Errorf("rehearsed to end at %s: %s, ended at %v", before, k.Status, k.FinishedAt)
		}
	})
}

func (h *harness) newPolicy(version string) {
	h.t.Helper()
	h.update(func(tx *store.Tx) error {
		_, err := setting.Put(tx, h.system(), map[string]any{"aup_version": version})
		return err
	})
}
