package campaign

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"svc/app/campaign/record"
	"svc/app/campaign/results"
	"svc/app/event"
	"svc/app/send"
	"svc/store"
)

// raced is how many people the campaigns of these tests are for.
const raced = 15

// neverBegun are the ways to a campaign that is PAUSED with nobody sent to: out of
// SCHEDULED, resumed before its time or after it, or while its audience is put together.
// Workers run behind each of them.
var neverBegun = map[string]func(h *harness, account string) (id string){
	"before its time": func(h *harness, account string) string {
		h.run()
		id := h.started([]string{account}, map[string]any{"scheduled_at": time.Now().Add(2 * time.Minute)})
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		return id
	},
	"after its time": func(h *harness, account string) string {
		h.run()
		id := h.started([]string{account}, map[string]any{"scheduled_at": time.Now().Add(2 * time.Minute)})
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		h.after(3 * time.Minute)
		h.is(id, record.Paused, record.ByUser)
		return id
	},
	"at its time": func(h *harness, account string) string { // which comes while somebody resumes it
		id := h.started([]string{account}, map[string]any{"scheduled_at": time.Now().Add(2 * time.Minute)})
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		<-time.After(3 * time.Minute)
		h.run()
		return id
	},
	"during its planning": func(h *harness, account string) string {
		id := h.started([]string{account}, nil)
		h.Do("POST /campaigns/"+id+"/pause", nil).Want(200)
		h.run()
		return id
	},
}

// atOnce makes requests at the same time and answers their statuses.
func (h *harness) atOnce(routes ...string) []int {
	out := make([]int, len(routes))
	var begin, end sync.WaitGroup
	begin.Add(1)
	for i, route := range routes {
		end.Go(func() {
			begin.Wait()
			out[i] = h.Do(route, nil).Status
		})
	}
	begin.Done()
	end.Wait()
	return out
}

// TestResumedTwiceAtOnce: a campaign that never began is planned once, and everybody
// gets its message once, however many resume it.
func TestResumedTwiceAtOnce(t *testing.T) {
	for name, paused := range neverBegun {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(h *harness) {
				account := h.account(`{"min_interval_seconds":4}`)
				h.crowd(raced)
				id := paused(h, account)
				resume := "POST /campaigns/" + id + "/resume"
				again := 0
				for _, status := range h.atOnce(resume, resume, resume) {
					if status != http.StatusOK && status != http.StatusConflict {
						t.Errorf("a resume answers %d", status)
					}
					if status == http.StatusOK {
						again++
					}
				}
				if again == 0 {
					t.Error("nobody resumed it")
				}
				h.after(20 * time.Minute)
				h.is(id, record.Completed, "")
				h.totals(id, results.Totals{Total: raced, Completed: raced})
				h.sentOnce(id)
				if n := h.events(event.CampaignResumed); n != 1 {
					t.Errorf("it was resumed %d times", n)
				}
				if n := h.out.count(); n != raced {
					t.Errorf("%d messages for %d people", n, raced)
				}
			})
		})
	}
}

// TestResumedAndCancelledAtOnce: whoever comes first, the campaign ends CANCELLED, was
// planned once at most, and its totals add up.
func TestResumedAndCancelledAtOnce(t *testing.T) {
	for name, paused := range neverBegun {
		for round := range 3 {
			t.Run(fmt.Sprint(name, " ", round), func(t *testing.T) {
				bubble(t, func(h *harness) {
					account := h.account(`{"min_interval_seconds":4}`)
					h.crowd(raced)
					id := paused(h, account)
					resume, cancel := "POST /campaigns/"+id+"/resume", "POST /campaigns/"+id+"/cancel"
					if got := h.atOnce(resume, cancel, resume); got[1] != http.StatusOK {
						t.Errorf("cancelling answers %d", got[1])
					}
					h.after(20 * time.Minute)
					h.is(id, record.Cancelled, "")
					h.sentOnce(id)
					var got struct{ Totals results.Totals }
					h.campaign(id).Into(&got)
					sum := got.Totals
					if sum.Pending != 0 || sum.Completed != h.out.count() || sum.Completed+sum.Cancelled != sum.Total || sum.Total != 0 && sum.Total != raced {
						t.Errorf("totals %+v, %d messages", sum, h.out.count())
					}
					if n := h.events(event.CampaignResumed); n > 1 || n == 0 && sum.Completed > 0 {
						t.Errorf("it was resumed %d times, and sent %d", n, sum.Completed)
					}
					if n := h.events(event.CampaignCancelled); n != 1 {
						t.Errorf("it was cancelled %d times", n)
					}
				})
			})
		}
	}
}

// sentOnce fails the test when somebody has two rows in a campaign, or a row was left
// without its outcome.
func (h *harness) sentOnce(id string) {
	h.t.Helper()
	h.view(func(tx *store.Tx) error {
		counts, err := send.Counts(tx, h.Org, id)
		if err == nil && (counts.Count() > raced || counts[send.Waiting] != 0) {
			h.t.Errorf("rows of %d people: %v", raced, counts)
		}
		return err
	})
	h.out.mu.Lock()
	defer h.out.mu.Unlock()
	seen := map[string]bool{}
	for _, m := range h.out.taken {
		if seen[m.To.Username] {
			h.t.Errorf("%s got it twice", m.To.Username)
		}
		seen[m.To.Username] = true
	}
}
