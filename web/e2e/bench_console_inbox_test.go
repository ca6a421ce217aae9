package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"svc/messenger/simulator/world"
	"svc/web/e2e/browsertest"
)

// Targets of the page of a conversation with very many messages (issue 16).
const (
	talkLength  = 5000
	openTarget  = 300 // ms
	rowsTarget  = 200 // in the page at a time
	liveLength  = 3600
	liveSpan    = 2 * time.Minute
	heapTarget  = 1.0 // MB more for each 1,000 messages that arrived; they are kept to be shown
	scrollSteps = 1200
)

// opening measures from the press on a row of the list until the newest message of the
// conversation is on the screen and the page answers again.
const opening = `window.svcOpened = {
	arm() {
		this.took = 0; this.from = 0; this.seen = false;
		if (this.on) return true;
		this.on = true;
		addEventListener('click', (e) => { if (this.from === 0) this.from = e.timeStamp }, true);
		const channel = new MessageChannel();
		channel.port1.onmessage = () => { this.took = performance.now() - this.from };
		new MutationObserver(() => {
			if (this.from === 0 || this.seen || !document.querySelector('[data-message]')) return;
			this.seen = true;
			requestAnimationFrame(() => channel.port2.postMessage(0));
		}).observe(document.body, {subtree: true, childList: true});
		return true;
	},
}`

// scrolling moves what a person reads by half a window a frame, up or down, until it is
// at the end of that way or has moved so many times, and tells the most rows that the
// page held.
const scrolling = `window.svcScroll = {
	go(way, steps) {
		const box = document.querySelector('[role=log]');
		this.done = false; this.rows = 0;
		let stood = 0, was = -1;
		const step = () => {
			this.rows = Math.max(this.rows, document.querySelectorAll('[data-message]').length);
			box.dispatchEvent(new WheelEvent('wheel', {bubbles: true, deltaY: way}));
			box.scrollTop += way * box.clientHeight / 2;
			const at = box.scrollHeight + ' ' + box.scrollTop;
			stood = at === was ? stood + 1 : 0;
			was = at;
			if (--steps > 0 && stood < 60) requestAnimationFrame(step); else this.done = true;
		};
		requestAnimationFrame(step);
		return true;
	},
}`

// talk is an organization with one conversation of very many messages.
type talk struct {
	*streaming
	scenes *world.World
	id     string
}

// startTalk has a customer write the messages, and waits until they are stored.
func startTalk(b *testing.B, n int) *talk {
	b.Helper()
	scenes, flags := platformOf(b)
	s := &talk{streaming: &streaming{agency: newAgency(b, flags...)}, scenes: scenes}
	s.unlimited()
	var config struct {
		PolicyVersion string `json:"policy_version"`
	}
	s.into(s.do("GET", "/public/config", nil), &config)
	s.do("POST", "/organization/accept-policy", map[string]any{"policy_version": config.PolicyVersion})
	s.do("PATCH", "/accounts/"+s.connect(inboxNumber), map[string]any{"inbound_enabled": true})
	began := time.Now()
	s.say(b, 1, n)
	s.stored(b, n)
	b.Logf("%d messages were stored in %s", n, time.Since(began).Round(time.Millisecond))
	return s
}

// say has the customer write n messages, the first of which has the number from: a line,
// now and then a paragraph.
func (s *talk) say(b *testing.B, from, n int) {
	b.Helper()
	lines := make([]string, 0, n)
	for i := from; i < from+n; i++ {
		text := fmt.Sprintf("xabar %d", i)
		if i%7 == 0 {
			text += strings.Repeat(" Yetkazib berish Toshkent boʻylab qancha turadi va qachon keladi?", 1+i%4)
		}
		lines = append(lines, fmt.Sprintf("now %s says %q to %s", customer, text, inboxNumber))
	}
	if err := s.scenes.Script(strings.Join(lines, "\n")); err != nil {
		b.Fatal(err)
	}
}

// stored waits until the message with the number n is the newest of the conversation.
func (s *talk) stored(b *testing.B, n int) {
	b.Helper()
	newest := fmt.Sprintf("xabar %d", n)
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); <-time.After(100 * time.Millisecond) {
		var list struct {
			Data []struct {
				ID          string
				LastMessage struct{ Text string } `json:"last_message"`
			}
		}
		s.into(s.do("GET", "/ai/conversations", nil), &list)
		if len(list.Data) == 0 {
			continue
		}
		s.id = list.Data[0].ID
		if strings.HasPrefix(list.Data[0].LastMessage.Text, newest) {
			return
		}
	}
	b.Fatalf("%q was not stored", newest)
}

// page opens the list of the inbox.
func (s *talk) page(b *testing.B) *browsertest.Page {
	b.Helper()
	p := (&agency{b, s.base, s.cookie}).open(browsertest.Options{Lang: "en", Motion: true, Width: 1440, Height: 900})
	p.Before(frames)
	p.Before(opening)
	p.Before(scrolling)
	p.Goto(s.base + "/console/inbox")
	p.Wait(listRows + ".length === 1")
	return p
}

// enter opens the conversation from the list, and gives how long it took, in ms.
func (s *talk) enter(p *browsertest.Page) float64 {
	browsertest.Eval[bool](p, "svcOpened.arm()")
	p.Click("[data-row] [data-open]")
	p.Wait("svcOpened.took")
	return browsertest.Eval[float64](p, "svcOpened.took")
}

// BenchmarkConsoleInbox opens a conversation of 5,000 messages, scrolls to its beginning
// and back, and has 3,600 more arrive in two minutes while somebody looks.
func BenchmarkConsoleInbox(b *testing.B) {
	s := startTalk(b, talkLength)
	b.Run("open", func(b *testing.B) {
		p := s.page(b)
		for b.Loop() {
			var took, again spread
			for range 10 {
				took = append(took, s.enter(p))
				browsertest.Eval[bool](p, "(history.back(), true)")
				p.Wait("location.pathname === '/console/inbox' && !document.querySelector('[data-message]')")
				again = append(again, s.enter(p))
				p.Goto(s.base + "/console/inbox") // its code and the messages are asked for anew
				p.Wait(listRows + ".length === 1")
			}
			b.ReportMetric(0, "ns/op")
			took.report(b, "open-ms")
			again.report(b, "open-again-ms")
			b.ReportMetric(openTarget, "open-target-ms")
		}
	})
	b.Run("scroll", func(b *testing.B) {
		p := s.page(b)
		for b.Loop() {
			s.enter(p)
			browsertest.Eval[bool](p, "svcBench.begin()")
			rows := 0
			for _, way := range []int{-1, 1, -1} {
				browsertest.Eval[bool](p, fmt.Sprintf("svcScroll.go(%d, %d)", way, scrollSteps))
				p.Wait("svcScroll.done")
				rows = max(rows, browsertest.Eval[int](p, "svcScroll.rows"))
			}
			seen := browsertest.Eval[framesSeen](p, "svcBench.told()")
			reached := browsertest.Eval[bool](p, `[...document.querySelectorAll('[data-message] *')].some(e => e.textContent.trim() === 'xabar 1')`)
			b.Logf("the beginning was reached: %t", reached)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(rows), "rows")
			b.ReportMetric(rowsTarget, "rows-target")
			b.ReportMetric(float64(len(seen.Long)), "long-tasks")
			b.ReportMetric(0, "long-tasks-target")
			b.ReportMetric(max(0, seen.Long.at(1)), "longest-task-ms")
			b.ReportMetric(seen.Gaps.at(0.99), "p99-frame-ms")
			p.Shot("bench-inbox-scroll")
		}
	})
	b.Run("live", func(b *testing.B) {
		p, said := s.page(b), talkLength
		for b.Loop() {
			s.enter(p)
			said = s.watchTalk(b, p, said)
		}
	})
}

// watchTalk has 3,600 messages arrive in two minutes, and measures what the page holds
// before and behind them.
func (s *talk) watchTalk(b *testing.B, p *browsertest.Page, said int) int {
	b.Helper()
	before, worked := p.Holds(), p.Worked()
	browsertest.Eval[bool](p, "svcBench.begin()")
	const every = time.Second
	each := int(float64(liveLength) * every.Seconds() / liveSpan.Seconds())
	tick := time.NewTicker(every)
	defer tick.Stop()
	for range int(liveSpan / every) {
		<-tick.C
		s.say(b, said+1, each)
		said += each
	}
	s.stored(b, said)
	p.Wait(bubble(fmt.Sprintf("xabar %d", said)))
	seen := browsertest.Eval[framesSeen](p, "svcBench.told()")
	done, after := p.Worked(), p.Holds()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(before.Heap/1e6, "heap-before-MB")
	b.ReportMetric(after.Heap/1e6, "heap-after-MB")
	b.ReportMetric((after.Heap-before.Heap)/1e6/liveLength*1000, "MB-per-1000")
	b.ReportMetric(heapTarget, "MB-per-1000-target")
	b.ReportMetric(float64(after.Nodes-before.Nodes), "nodes-more")
	b.ReportMetric(float64(len(seen.Long)), "long-tasks")
	b.ReportMetric(100*(done.Task-worked.Task)/(done.At-worked.At), "busy-%")
	return said
}
