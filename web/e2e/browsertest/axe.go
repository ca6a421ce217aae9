package browsertest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"svc/geo/osm/osmtest"
)

// findings runs axe with the options % and gives a line for each finding: everything
// that WCAG 2.2 demands at the levels A and AA, and what axe calls serious besides.
const findings = `axe.run(document, {resultTypes: ['violations'], %}).then((r) => r.violations
	.filter((v) => v.impact === 'serious' || v.impact === 'critical' || v.tags.some((t) => /^wcag2\d?aa?$/.test(t)))
	.map((v) => v.id + ' (' + v.help + '): ' + v.nodes.slice(0, 5).map((n) => n.html.slice(0, 160)).join(' | ')))`

// ofColours are the rules that another theme can break.
const ofColours = `runOnly: {type: 'rule', values: ['color-contrast', 'link-in-text-block']}`

// Accessible fails the test when axe finds something that keeps people out of
// the page as it is now.
func (p *Page) Accessible() {
	p.tb.Helper()
	for _, f := range p.Findings() {
		p.tb.Error("axe: " + f)
	}
}

// Findings are what axe finds on the page as it is now.
func (p *Page) Findings() []string {
	p.tb.Helper()
	return p.axe("")
}

// FindingsOfColours are those that the theme can bring about: for a page whose other
// theme was asked about already.
func (p *Page) FindingsOfColours() []string {
	p.tb.Helper()
	return p.axe(ofColours)
}

// settled: no colour is on its way to another; axe would judge one in between.
const settled = "!document.getAnimations().some(a => a instanceof CSSTransition)"

// Packages is the folder with packages of npm that only tests use. Without one of
// them the test says so and is skipped, and fails with CI=true.
func Packages(tb testing.TB, names ...string) string {
	tb.Helper()
	folder := filepath.Join(osmtest.Root(tb), "embed", "sdk", "node_modules")
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			why := "it needs " + name + ": run npm ci in embed/sdk"
			if os.Getenv("CI") == "true" {
				tb.Fatal("not run: " + why)
			}
			tb.Skip("not run: " + why)
		}
	}
	return folder
}

func (p *Page) axe(options string) []string {
	p.tb.Helper()
	script, err := os.ReadFile(filepath.Join(Packages(p.tb, "axe-core"), "axe-core", "axe.min.js"))
	if err != nil {
		p.tb.Fatal(err)
	}
	if !Eval[bool](p, "Boolean(window.axe)") {
		Eval[bool](p, strings.TrimSpace(string(script))+"\n;true")
	}
	p.Wait(settled)
	return Eval[[]string](p, strings.Replace(findings, "%", options, 1))
}
