package e2e

import (
	"testing"

	"svc/web/e2e/browsertest"
)

const (
	bytesTarget  = 250   // kB, compressed
	usableTarget = 1000  // ms, on this machine
	loads        = 9     // of each kind, for the median
	slowLatency  = 150   // ms
	slowBits     = 1.6e6 // a second
)

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
	var took, bytes, requests spread
	for range loads {
		p := a.open(browsertest.Options{Lang: "uz"})
		p.Before(usable(ready))
		p.Slow(speed)
		wire := p.Wire()
		p.Goto(a.base + "/console/")
		p.Wait("window.svcUsable")
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
}
