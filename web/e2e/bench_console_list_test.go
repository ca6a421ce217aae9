package e2e

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"svc/web/e2e/browsertest"
)

// pageFelt is how long a person waits for the next rows at most, in ms.
const pageFelt = 100

// felt measures from what a person does, by the browser's own clock of its input,
// until other rows are on the screen: changed in the document, drawn, and the page
// answers again.
const felt = `window.svcFelt = {
	key: () => document.querySelector('table[data-stale]') ? undefined : [...document.querySelectorAll('[data-row] [data-open]')].map(a => a.getAttribute('href')).join(),
	arm() {
		this.before = this.key(); this.took = 0; this.from = 0;
		if (this.on) return true;
		this.on = true;
		for (const kind of ['click', 'input']) addEventListener(kind, (e) => { if (this.from === 0 || kind === 'input') this.from = e.timeStamp }, true);
		const channel = new MessageChannel();
		channel.port1.onmessage = () => { this.took = performance.now() - this.from };
		new MutationObserver(() => {
			if (this.from === 0 || this.seen) return;
			const now = this.key();
			if (now === undefined || now === this.before) return;
			this.seen = true;
			requestAnimationFrame(() => channel.port2.postMessage(0));
		}).observe(document.body, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-stale']});
		return true;
	},
	again() { this.seen = false; return this.arm() },
}`

// listRecords is how many recipients there are, a million when SVC_BENCH_RECORDS does
// not say otherwise.
func listRecords() int {
	if n, err := strconv.Atoi(os.Getenv("SVC_BENCH_RECORDS")); err == nil {
		return n
	}
	return 1_000_000
}

// BenchmarkConsoleList leafs, sorts, filters and searches through a million recipients
// as a person does, and measures what that person waits for.
func BenchmarkConsoleList(b *testing.B) {
	a := newAgency(b)
	a.unlimited()
	a.people(1, listRecords())
	for _, tt := range []struct {
		name  string
		times int
		pause time.Duration // a look at the rows before
		do    func(p *browsertest.Page, i int)
	}{
		{"next-page", 20, 700 * time.Millisecond, func(p *browsertest.Page, _ int) { p.Click(`[aria-label="Next page"]`) }},
		{"next-page-hurried", 20, 0, func(p *browsertest.Page, _ int) { p.Click(`[aria-label="Next page"]`) }},
		{"any-page", 20, 300 * time.Millisecond, func(p *browsertest.Page, i int) {
			p.Click(fmt.Sprintf(`[aria-label="Page %d"]`, []int{(listRecords() + 49) / 50, 1}[i%2]))
		}},
		{"sort", 20, 300 * time.Millisecond, func(p *browsertest.Page, i int) {
			p.Click(fmt.Sprintf("th:nth-of-type(%d) button", []int{2, 2, 6, 6}[i%4]))
		}},
		{"filter", 16, 300 * time.Millisecond, func(p *browsertest.Page, i int) {
			p.Click(`[role=search] input[aria-label="Consent"]`)
			p.Wait(`document.querySelector('[role=option]')`)
			browsertest.Eval[bool](p, "svcFelt.again()")
			p.Click(fmt.Sprintf("[role=option]:nth-of-type(%d)", 1+2*(i%2)))
		}},
		{"search", 16, 300 * time.Millisecond, func(p *browsertest.Page, i int) {
			browsertest.Eval[bool](p, "document.querySelector('input[type=search]').select() || true")
			p.Type("input[type=search]", []string{"demo_user_12", "demo_user_9", "demo_user_77", "demo_user_350"}[i%4])
		}},
	} {
		b.Run(tt.name, func(b *testing.B) {
			p := (&agency{b, a.base, a.cookie}).open(browsertest.Options{Lang: "en", Height: 1000})
			p.Before(felt)
			p.Goto(a.base + "/console/recipients")
			p.Wait("document.querySelectorAll('[data-row]').length === 50")
			for b.Loop() {
				var took spread
				before := p.Worked()
				for i := range tt.times {
					<-time.After(tt.pause)
					browsertest.Eval[bool](p, "svcFelt.again()")
					tt.do(p, i)
					p.Wait("svcFelt.took")
					took = append(took, browsertest.Eval[float64](p, "svcFelt.took"))
				}
				b.ReportMetric(0, "ns/op")
				took.report(b, "felt-ms")
				b.ReportMetric(1000*(p.Worked().Task-before.Task)/float64(len(took)), "page-cpu-ms")
				b.ReportMetric(pageFelt, "felt-target-ms")
			}
			p.Shot("bench-list-" + tt.name)
		})
	}
}
