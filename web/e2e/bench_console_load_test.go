package e2e

import (
	"testing"
	"time"

	"svc/web/e2e/browsertest"
)

const (
	bytesTarget  = 250   // kB, compressed
	frameTarget  = 1500  // ms on the slow line, until the navigation and a heading are there
	idleTarget   = 3000  // ms on the slow line, until nothing is on its way
	askedTarget  = 20    // requests of home
	usableTarget = 1000  // ms, on this machine
	loads        = 9     // of each kind, for the median
	slowLatency  = 150   // ms
	slowBits     = 1.6e6 // a second
	quiet        = 2 * time.Second
)

// framed notes when the navigation and a heading were first there.
const framed = `(() => {
	const look = () => {
		if (document.querySelector('nav a') && document.querySelector('main h1')) window.svcFrame = performance.now();
		else requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
})()`

// idleAt is when the last answer had come, but for the stream, which has no end.
const idleAt = `Math.max(...performance.getEntriesByType('resource').map(e => e.responseEnd))`

// usable notes when a page was first of use: the condition holds, its frame is on the
// screen, and the page answers.
func usable(condition string) string {
	return `(() => {
	const look = () => {
		if (document.body && (` + condition + `)) {
			const c = new MessageChannel();
			c.port1.onmessage = () => { window.svcUsable = performance.now() };
			requestAnimationFrame(() => c.port2.postMessage(0));
		} else requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
})()`
}

// BenchmarkConsoleFirstLoad opens the console in a browser that was never there, on
// the line of this machine and on a slow one: signed out until the field for the
// password takes letters, signed in until home shows its figures. The bytes are all
// that came until then, headers too.
func BenchmarkConsoleFirstLoad(b *testing.B) {
	a := newAgency(b)
	a.people(1, 100)
	for _, who := range []struct{ name, ready string }{
		{"signed-out", "document.querySelector('input[type=password]:not(:disabled)')"},
		// The figures of home are there; its chart may follow.
		{"signed-in", "document.querySelector('h1') && /\\d/.test(document.querySelector('[href=\"/console/recipients\"].mantine-Anchor-root')?.closest('.mantine-Paper-root')?.textContent ?? '')"},
	} {
		for _, line := range []struct {
			name  string
			speed browsertest.Speed
		}{{"here", browsertest.Speed{}}, {"slow-line", browsertest.Speed{Latency: slowLatency, Bits: slowBits}}} {
			b.Run(who.name+"/"+line.name, func(b *testing.B) {
				here := &agency{tb: b, base: a.base}
				if who.name == "signed-in" {
					here.cookie = a.cookie
				}
				for b.Loop() {
					here.firstLoads(b, who.ready, line.speed)
				}
			})
		}
	}
}

// firstLoads opens the console again and again, each time for the first time.
func (a *agency) firstLoads(b *testing.B, ready string, speed browsertest.Speed) {
	b.Helper()
	var took, bytes, requests, frame, idle spread
	for range loads {
		p := a.open(browsertest.Options{Lang: "uz"})
		p.Before(usable(ready))
		p.Before(framed)
		p.Slow(speed)
		wire := p.Wire()
		p.Goto(a.base + "/console/")
		p.Wait("window.svcUsable")
		if a.cookie != "" {
			<-time.After(quiet)
			frame, idle = append(frame, browsertest.Eval[float64](p, "svcFrame")), append(idle, browsertest.Eval[float64](p, idleAt))
		}
		t := wire()
		took = append(took, browsertest.Eval[float64](p, "svcUsable"))
		bytes, requests = append(bytes, t.Bytes/1000), append(requests, float64(t.Requests))
		p.Close()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(took.at(0.5), "usable-ms")
	b.ReportMetric(took.at(0), "best-usable-ms")
	if speed.Bits == 0 {
		b.ReportMetric(usableTarget, "usable-target-ms")
	}
	b.ReportMetric(bytes.at(0.5), "wire-kB")
	b.ReportMetric(bytesTarget, "wire-target-kB")
	b.ReportMetric(requests.at(0.5), "requests")
	if a.cookie == "" {
		return
	}
	b.ReportMetric(askedTarget, "requests-target")
	b.ReportMetric(frame.at(0.5), "frame-ms")
	b.ReportMetric(idle.at(0.5), "idle-ms")
	if speed.Bits != 0 {
		b.ReportMetric(frameTarget, "frame-target-ms")
		b.ReportMetric(idleTarget, "idle-target-ms")
	}
}
