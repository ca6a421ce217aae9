package e2e

import (
	"cmp"
	"fmt"
	"os"
	"testing"
	"time"

	"svc/web/e2e/browsertest"
)

const (
	framesTarget = 55  // a second
	eventsTarget = 100 // a second, of the organization
	watching     = 30 * time.Second
)

// frames counts the frames of a page and what holds them up. It begins with the first
// call of svcBench.begin().
const frames = `window.svcBench = {
	gaps: [], long: [], last: 0,
	begin() {
		this.gaps = []; this.long = []; this.last = performance.now();
		if (this.on) return true;
		this.on = true;
		const frame = () => { const now = performance.now(); this.gaps.push(now - this.last); this.last = now; requestAnimationFrame(frame) };
		requestAnimationFrame(frame);
		new PerformanceObserver((l) => { for (const e of l.getEntries()) this.long.push(e.duration) }).observe({entryTypes: ['longtask']});
		return true;
	},
	told() { return {gaps: this.gaps, long: this.long} },
}`

// framesSeen are the times between frames, and the tasks above 50 ms, in ms.
type framesSeen struct {
	Gaps spread `json:"gaps"`
	Long spread `json:"long"`
}

// streaming is an agency whose campaigns send a hundred messages a second, and more.
type streaming struct {
	*agency
	campaigns []string
}

// startStreaming connects accounts to the simulator, each of which writes once a
// second, and launches three campaigns with a third of them each, to so many people.
func startStreaming(tb testing.TB, people int, args ...string) *streaming {
	tb.Helper()
	const most, campaigns = 36, 3 // accounts of a campaign
	s := &streaming{agency: newAgency(tb, args...)}
	s.unlimited()
	s.do("PUT", "/admin/settings", map[string]any{
		"min_interval_seconds_floor": 1, "default_min_interval_seconds": 1, "max_daily_limit": 100_000, "default_daily_limit": 100_000,
	})
	var config struct {
		PolicyVersion string `json:"policy_version"`
	}
	s.into(s.do("GET", "/public/config", nil), &config)
	s.do("POST", "/organization/accept-policy", map[string]any{"policy_version": config.PolicyVersion})
	s.people(1, people)
	for c := range campaigns {
		var accounts []string
		for i := range most {
			accounts = append(accounts, s.connect(fmt.Sprintf("+99890000%04d", c*most+i)))
		}
		id := s.made("/campaigns", map[string]any{
			"name": fmt.Sprint("Bahor ", c+1), "account_ids": accounts, "audience": map[string]any{"tags": []string{"everybody"}},
			"message": map[string]any{"text": "Salom {{first_name}}! {{opt_out_url}}"},
		})
		s.campaigns = append(s.campaigns, id)
	}
	for _, id := range s.campaigns {
		s.do("POST", "/campaigns/"+id+"/start", map[string]any{})
	}
	return s
}

// connect signs a number of the simulator in.
func (s *streaming) connect(phone string) string {
	s.tb.Helper()
	var begun struct {
		State struct {
			FlowID string `json:"flow_id"`
		}
	}
	s.into(s.do("POST", "/accounts", map[string]any{"phone": phone}), &begun)
	var done struct{ Account struct{ ID string } }
	s.into(s.do("POST", "/accounts/login/"+begun.State.FlowID+"/code", map[string]any{"code": "12345"}), &done)
	return done.Account.ID
}

// told is how many people the campaigns are done with, each of which was an event.
func (s *streaming) told() (n int) {
	s.tb.Helper()
	for _, id := range s.campaigns {
		var c struct {
			Totals struct{ Completed, Failed, Skipped int }
		}
		s.into(s.do("GET", "/campaigns/"+id, nil), &c)
		n += c.Totals.Completed + c.Totals.Failed + c.Totals.Skipped
	}
	return n
}

// flowing waits until the campaigns are at their pace.
func (s *streaming) flowing() {
	s.tb.Helper()
	end := time.Now().Add(2 * time.Minute)
	for {
		before, began := s.told(), time.Now()
		<-time.After(5 * time.Second)
		if rate := float64(s.told()-before) / time.Since(began).Seconds(); rate >= eventsTarget {
			return
		} else if time.Now().After(end) {
			s.tb.Logf("the campaigns send %.0f messages a second", rate)
			return
		}
	}
}

// livePages are the pages that move while campaigns run, with what says that they are there.
func (s *streaming) livePages() []struct{ name, path, there string } {
	first := "/campaigns/" + s.campaigns[0]
	return []struct{ name, path, there string }{
		{"campaign", first, "document.querySelectorAll('.recharts-surface').length > 1"},
		{"people", first + "?tab=people", "document.querySelectorAll('[data-row]').length > 20"},
		{"events", "/events/live", "document.querySelectorAll('[data-event]').length > 10"},
		{"home", "/", "document.querySelector('.recharts-surface')"},
	}
}

// BenchmarkConsoleLive watches pages for half a minute while the organization sends
// more than a hundred messages a second, each of which is an event.
func BenchmarkConsoleLive(b *testing.B) {
	s := startStreaming(b, 60_000)
	s.flowing()
	for _, page := range s.livePages() {
		b.Run(page.name, func(b *testing.B) {
			p := (&agency{b, s.base, s.cookie}).open(browsertest.Options{Lang: "en", Motion: true, Height: 1100})
			p.Before(frames)
			p.Goto(s.base + "/console" + page.path)
			p.Wait(page.there)
			for b.Loop() {
				s.watch(b, p)
			}
			p.Shot("bench-live-" + page.name)
		})
	}
}

// watch measures one span of watching.
func (s *streaming) watch(b *testing.B, p *browsertest.Page) {
	b.Helper()
	wire := p.Wire()
	events, before := s.told(), p.Worked()
	browsertest.Eval[bool](p, "svcBench.begin()")
	<-time.After(watching)
	seen := browsertest.Eval[framesSeen](p, "svcBench.told()")
	after, traffic := p.Worked(), wire()
	events = s.told() - events
	took := after.At - before.At
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(events)/took, "events/s")
	b.ReportMetric(float64(len(seen.Gaps))/took, "frames/s")
	b.ReportMetric(framesTarget, "frames/s-target")
	b.ReportMetric(float64(len(seen.Long)), "long-tasks")
	b.ReportMetric(0, "long-tasks-target")
	b.ReportMetric(max(0, seen.Long.at(1)), "longest-task-ms")
	b.ReportMetric(seen.Gaps.at(0.99), "p99-frame-ms")
	b.ReportMetric(seen.Gaps.at(1), "worst-frame-ms")
	b.ReportMetric(100*(after.Task-before.Task)/took, "busy-%")
	b.ReportMetric(100*(after.Script-before.Script)/took, "script-%")
	b.ReportMetric(100*(after.Layout-before.Layout+after.Style-before.Style)/took, "layout-%")
	b.ReportMetric(float64(traffic.Requests)/took, "requests/s")
}

// streamFor reads SVC_TEST_STREAM, such as 1h.
func streamFor(b *testing.B) time.Duration {
	b.Helper()
	lasts, err := time.ParseDuration(cmp.Or(os.Getenv("SVC_TEST_STREAM"), "30s"))
	if err != nil || lasts <= 0 {
		b.Fatalf("SVC_TEST_STREAM is %q, no time such as 10m", os.Getenv("SVC_TEST_STREAM"))
	}
	return lasts
}

// BenchmarkConsoleStream leaves the page of a campaign, and the live log, open for as
// long as SVC_TEST_STREAM says, at more than a hundred events a second, and compares
// what they hold in the first third with the last.
func BenchmarkConsoleStream(b *testing.B) {
	lasts := streamFor(b)
	s := startStreaming(b, min(900_000, 20_000+int(lasts.Seconds()*60)))
	s.flowing()
	for b.Loop() {
		var names []string
		var pages []*browsertest.Page
		for _, page := range s.livePages()[:3] {
			if page.name == "people" {
				continue
			}
			p := s.open(browsertest.Options{Lang: "en", Motion: true})
			p.Goto(s.base + "/console" + page.path)
			p.Wait(page.there)
			names, pages = append(names, page.name), append(pages, p)
		}
		s.hold(b, lasts, names, pages)
	}
}

const streamSamples = 30

// hold measures what the pages hold, thirty times over the whole time.
func (s *streaming) hold(b *testing.B, lasts time.Duration, names []string, pages []*browsertest.Page) {
	b.Helper()
	table := make([][]browsertest.Memory, len(pages))
	tick := time.NewTicker(lasts / streamSamples)
	defer tick.Stop()
	began, events := time.Now(), s.told()
	for range streamSamples {
		<-tick.C
		for i, p := range pages {
			m := p.Holds()
			table[i] = append(table[i], m)
			b.Logf("%8s %-9s heap %6.2f MB, browser's %6.2f MB, %6d nodes, %5d listeners", time.Since(began).Round(time.Second), names[i], m.Heap/1e6, m.Embedder/1e6, m.Nodes, m.Listeners)
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(s.told()-events)/time.Since(began).Seconds(), "events/s")
	for i, name := range names {
		for of, figure := range map[string]func(browsertest.Memory) float64{
			"heap-MB":   func(m browsertest.Memory) float64 { return m.Heap / 1e6 },
			"nodes":     func(m browsertest.Memory) float64 { return float64(m.Nodes) },
			"listeners": func(m browsertest.Memory) float64 { return float64(m.Listeners) },
		} {
			b.ReportMetric(third(table[i][:streamSamples/3], figure), name+"-"+of+"-first-third")
			b.ReportMetric(third(table[i][2*streamSamples/3:], figure), name+"-"+of+"-last-third")
		}
	}
}

// third is the median of a figure.
func third(table []browsertest.Memory, figure func(browsertest.Memory) float64) float64 {
	var s spread
	for _, m := range table {
		s = append(s, figure(m))
	}
	return s.at(0.5)
}
