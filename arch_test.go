package main

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"

	"svc/houserules"
)

// maxLines is where a file is two things (architecture 2).
const maxLines = 400

// maxPackageLines is where a package is two things: lines of Go without its tests.
const maxPackageLines = 3000

// largePackages are those that are larger still, each with the lines that it may have: the
// numbers only become smaller.
var largePackages = map[string]int{}

// longFiles are files that are longer than maxLines. The list only becomes shorter.
var longFiles = []string{"app/inbox/intake/intake_test.go"}

// rule looks at all files and says what is wrong with them.
type rule struct {
	name  string
	check func([]houserules.Source) []string
}

var rules = []rule{
	{"imports go down", importsGoDown},
	{"slices import upward in their list only", slicesInOrder},
	{"app knows no HTTP, only web serves it", onlyWebServes},
	{"no method is called by a name that only the run knows", noMethodByName},
	{"one package comment a folder", packageComments},
	{"no time.Sleep in tests", noSleep},
	{"no silent skip", noSilentSkip},
	{"files stay readable", noLongFiles},
	{"packages stay readable", noLargePackages},
	{"the map of the house is complete", mapComplete},
}

func TestHouseRules(t *testing.T) {
	files := houserules.Tree(t)
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, wrong := range r.check(files) {
				t.Error(wrong)
			}
		})
	}
}

// allowed is the order of imports (architecture 1): main → web → app → {ai,
// messenger, geo, store}; embed is imported by web, app and the wiring only. Engines may
// import packages of their own engine.
var allowed = map[string][]string{
	"main":      {"web", "app", "ai", "messenger", "geo", "store", "embed"},
	"web":       {"web", "app", "ai", "messenger", "geo", "store", "embed"},
	"app":       {"app", "ai", "messenger", "geo", "store", "embed"},
	"ai":        {"ai"},
	"messenger": {"messenger"},
	"geo":       {"geo"},
	"store":     {"store"},
	"embed":     {},
}

// shared are the packages that another engine may import: pure leaves.
var shared = map[string][]string{"ai": {"svc/geo/text/script"}}

// room is the first folder of a package path inside the module.
func room(dir string) string {
	if dir == "." {
		return "main"
	}
	first, _, _ := strings.Cut(dir, "/")
	return first
}

func importsGoDown(files []houserules.Source) (wrong []string) {
	for _, s := range files {
		from := room(s.Dir())
		may, known := allowed[from]
		if !known {
			// Folders of tests and benchmarks may look at everything; the product
			// may not import them, which the lines below see to.
			continue
		}
		for _, p := range s.Imports() {
			inside, ours := strings.CutPrefix(p, "svc/")
			if ours && !slices.Contains(may, room(inside)) && !slices.Contains(shared[from], p) && !(s.IsTest() && inside == "houserules") {
				wrong = append(wrong, fmt.Sprintf("%s imports %s: %s may import %v only", s.Path, p, from, may))
			}
		}
	}
	return wrong
}

// slicesOfApp is the order of the design, lowest first. cli is last: it starts
// everything and nobody needs it.
var slicesOfApp = []string{
	"api", "signal", "vault", "module", "policy", "audit", "event", "mail", "setting", "notify", "user", "org", "session", "hook", "anchor", "recipient", "content",
	"account", "channel", "send", "campaign", "inbox", "business", "engine", "jev", "knowledge", "calendar", "seller",
	"quality", "automation", "insight", "social", "mapkey", "mapshare", "overview", "admin", "local", "cli",
}

func slicesInOrder(files []houserules.Source) (wrong []string) {
	slice := func(dir string) (string, bool) {
		rest, ok := strings.CutPrefix(dir, "app/")
		first, _, _ := strings.Cut(rest, "/")
		return first, ok
	}
	for _, s := range files {
		from, ok := slice(s.Dir())
		if !ok {
			continue
		}
		at := slices.Index(slicesOfApp, from)
		if at < 0 {
			wrong = append(wrong, s.Path+": slice "+from+" is not in the list of the design")
			continue
		}
		for _, p := range s.Imports() {
			inside, _ := strings.CutPrefix(p, "svc/")
			if to, ok := slice(inside); ok && slices.Index(slicesOfApp, to) > at {
				wrong = append(wrong, fmt.Sprintf("%s imports %s, a slice below its own", s.Path, p))
			}
		}
	}
	return wrong
}

// simulatedNetworks is a server of HTTP by what it is: the networks that it stands for are. It
// listens nowhere; package web mounts it.
const simulatedNetworks = "messenger/platform/sim"

// serving are the names of net/http that only a server needs.
var serving = []string{"Handler", "HandlerFunc", "Handle", "HandleFunc", "ListenAndServe", "ResponseWriter", "Serve", "ServeMux", "Server", "NewServeMux"}

func onlyWebServes(files []houserules.Source) (wrong []string) {
	for _, s := range files {
		r := room(s.Dir())
		_, product := allowed[r]
		if s.IsTest() || s.IsHelper() || !product || r == "web" || strings.HasPrefix(s.Dir()+"/", simulatedNetworks+"/") {
			continue
		}
		if r == "app" && slices.Contains(s.Imports(), "net/http") {
			wrong = append(wrong, s.Path+" imports net/http: what a slice promises does not depend on HTTP")
		}
		for _, name := range serving {
			for _, use := range s.Uses("net/http", name) {
				wrong = append(wrong, s.At(use)+": http."+name+" outside web: only web serves")
			}
		}
	}
	return wrong
}

// byName are packages of the standard library that find methods by their names. A program that
// does keeps every method of every type, called or not: it was 136 MB with them and 86 without.
var byName = []string{"html/template", "text/template", "net/rpc", "net/rpc/jsonrpc"}

func noMethodByName(files []houserules.Source) (wrong []string) {
	for _, s := range files {
		if _, product := allowed[room(s.Dir())]; s.IsTest() || s.IsHelper() || !product {
			continue
		}
		for _, p := range s.Imports() {
			if slices.Contains(byName, p) {
				wrong = append(wrong, s.Path+" imports "+p+": with it the linker keeps every method of every type; pages are made with gomponents")
			}
		}
	}
	return wrong
}

func packageComments(files []houserules.Source) (wrong []string) {
	comments := map[string][]string{}
	for _, s := range files {
		if s.IsTest() {
			continue
		}
		where := comments[s.Dir()]
		if s.File.Doc == nil {
			comments[s.Dir()] = where // a folder without any comment counts too
			continue
		}
		comments[s.Dir()] = append(where, s.Path)
		text := s.File.Doc.Text()
		if want := "Package " + s.File.Name.Name + " "; !strings.HasPrefix(text, want) && s.File.Name.Name != "main" {
			wrong = append(wrong, fmt.Sprintf("%s: the package comment does not start with %q", s.Path, want))
		}
	}
	for dir, where := range comments {
		if len(where) != 1 {
			wrong = append(wrong, fmt.Sprintf("%s has %d package comments, want one: %v", dir, len(where), where))
		}
	}
	slices.Sort(wrong)
	return wrong
}

func noSleep(files []houserules.Source) (wrong []string) {
	for _, s := range files {
		if !s.IsTest() && !s.IsHelper() {
			continue
		}
		for _, use := range s.Uses("time", "Sleep") {
			wrong = append(wrong, s.At(use)+": time.Sleep in a test: wait for what happens, or use testing/synctest")
		}
	}
	return wrong
}

// noSilentSkip lets only helper packages skip, where one place decides that a
// missing tool or extract fails with CI=true, and only with a reason.
func noSilentSkip(files []houserules.Source) (wrong []string) {
	for _, s := range files {
		ast.Inspect(s.File, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, sel.Sel.Name) {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); !ok || !slices.Contains([]string{"t", "b", "f", "tb"}, x.Name) {
				return true // some other type's Skip
			}
			switch {
			case !s.IsHelper():
				wrong = append(wrong, s.At(n)+": a skip outside a test helper package such as osmtest")
			case len(call.Args) == 0 || emptyText(call.Args[0]):
				wrong = append(wrong, s.At(n)+": a skip without a reason")
			}
			return true
		})
	}
	return wrong
}

func emptyText(e ast.Expr) bool {
	lit, ok := e.(*ast.BasicLit)
	return ok && strings.Trim(lit.Value, "\"` ") == ""
}

func noLongFiles(files []houserules.Source) (wrong []string) {
	for _, s := range files {
		if s.Lines > maxLines && !ast.IsGenerated(s.File) && !slices.Contains(longFiles, s.Path) {
			wrong = append(wrong, fmt.Sprintf("%s has %d lines; past %d a file is two things", s.Path, s.Lines, maxLines))
		}
	}
	return wrong
}

func noLargePackages(files []houserules.Source) (wrong []string) {
	lines := map[string]int{}
	for _, s := range files {
		if !s.IsTest() && !ast.IsGenerated(s.File) {
			lines[s.Dir()] += s.Lines
		}
	}
	for dir, n := range lines {
		may, large := largePackages[dir]
		switch {
		case large && n <= maxPackageLines:
			wrong = append(wrong, fmt.Sprintf("%s has %d lines: take it out of largePackages", dir, n))
		case large && n > may:
			wrong = append(wrong, fmt.Sprintf("%s has %d lines and grew: it may have %d, and less from now on", dir, n, may))
		case large && n < may-100:
			wrong = append(wrong, fmt.Sprintf("%s has %d lines: lower its number in largePackages", dir, n))
		case !large && n > maxPackageLines:
			wrong = append(wrong, fmt.Sprintf("%s has %d lines; past %d a package is two things", dir, n, maxPackageLines))
		}
	}
	slices.Sort(wrong)
	return wrong
}

// mapComplete: every package of the product stands in the list of rooms of
// app/doc.go, which is where the next person starts.
func mapComplete(files []houserules.Source) (wrong []string) {
	i := slices.IndexFunc(files, func(s houserules.Source) bool { return s.Path == "app/doc.go" })
	if i < 0 {
		return []string{"app/doc.go is missing"}
	}
	rooms := strings.Fields(files[i].File.Doc.Text())
	for _, s := range files {
		d := s.Dir()
		_, product := allowed[room(d)]
		if d == "." || d == "app" || !product || s.IsTest() || s.IsHelper() || slices.Contains(rooms, d) {
			continue
		}
		if line := d + " is not in the list of rooms of app/doc.go"; !slices.Contains(wrong, line) {
			wrong = append(wrong, line)
		}
	}
	return wrong
}

func TestHouseRulesDocuments(t *testing.T) { houserules.Documents(t, houserules.Tree(t)) }

func TestHouseRulesLives(t *testing.T) { houserules.Lives(t, houserules.Tree(t)) }

func TestHouseRulesOperations(t *testing.T) { houserules.Operations(t, houserules.Tree(t)) }

func TestHouseRulesNames(t *testing.T) { houserules.Names(t, houserules.Tree(t)) }

// TestRaceDetectorSeesEveryGoroutine: a package whose goroutines share memory is run
// with the race detector, or tools/race.txt says why not.
func TestRaceDetectorSeesEveryGoroutine(t *testing.T) {
	houserules.Race(t, houserules.Tree(t), func(dir string) bool { _, ok := allowed[room(dir)]; return ok && dir != "." })
}

// TestTheRulesCatchWhatTheyForbid: a rule that cannot fail guards nothing.
func TestTheRulesCatchWhatTheyForbid(t *testing.T) {
	const doc = "// Package x does.\n"
	tests := []struct {
		rule, path, code string
		bad              bool
	}{
		{"imports go down", "geo/x/x.go", `import "svc/app/mapkey"`, true},
		{"imports go down", "geo/x/x.go", `import "svc/store"`, true},
		{"imports go down", "geo/x/x.go", `import "svc/geo/index"`, false},
		{"imports go down", "app/mapkey/x.go", `import "svc/web/gate"`, true},
		{"imports go down", "app/cli/x_test.go", `import "svc/web"`, true},
		{"imports go down", "ai/x/x.go", `import "svc/geo/text/script"`, false},
		{"imports go down", "ai/x/x.go", `import "svc/geo/text"`, true},
		{"imports go down", "web/x.go", `import "svc/embed"`, false},
		{"imports go down", "web/wiring/serve.go", `import "svc/embed"`, false},
		{"imports go down", "geo/x/x.go", `import "svc/embed"`, true},
		{"imports go down", "web/x.go", `import "svc/bench"`, true},
		{"slices import upward in their list only", "app/mapkey/x.go", `import "svc/app/cli"`, true},
		{"slices import upward in their list only", "app/cli/x.go", `import "svc/app/mapkey"`, false},
		{"slices import upward in their list only", "app/misc/x.go", ``, true},
		{"app knows no HTTP, only web serves it", "app/mapkey/x.go", `import "net/http"; const c = http.StatusOK`, true},
		{"app knows no HTTP, only web serves it", "geo/x/x.go", `import "net/http"; var c http.Client`, false},
		{"app knows no HTTP, only web serves it", "geo/x/x.go", `import h "net/http"; var c h.Server`, true},
		{"app knows no HTTP, only web serves it", "web/x.go", `import "net/http"; var c http.Server`, false},
		{"no method is called by a name that only the run knows", "web/x/x.go", `import "html/template"; var t template.Template`, true},
		{"no method is called by a name that only the run knows", "web/x/x_test.go", `import "html/template"; var t template.Template`, false},
		{"no method is called by a name that only the run knows", "web/x/x.go", `import "html"; var t = html.EscapeString`, false},
		{"no time.Sleep in tests", "geo/x/x_test.go", `import "time"; func f() { time.Sleep(1) }`, true},
		{"no time.Sleep in tests", "geo/x/x.go", `import "time"; func f() { time.Sleep(1) }`, false},
		{"no silent skip", "geo/x/x_test.go", `import "testing"; func f(t *testing.T) { t.Skip("no extract") }`, true},
		{"one package comment a folder", "geo/x/x.go", ``, false},
		{"files stay readable", "geo/x/x.go", strings.Repeat("\n", maxLines), true},
		{"packages stay readable", "geo/x/x.go", strings.Repeat("\n", maxPackageLines), true},
		{"packages stay readable", "geo/x/x_test.go", strings.Repeat("\n", maxPackageLines), false},
		{"packages stay readable", "geo/x/x.go", strings.Repeat("\n", maxPackageLines-10), false},
	}
	for _, tt := range tests {
		s, err := houserules.Parse(tt.path, []byte(doc+"package x\n"+tt.code))
		if err != nil {
			t.Fatalf("%s: %v", tt.code, err)
		}
		i := slices.IndexFunc(rules, func(r rule) bool { return r.name == tt.rule })
		if wrong := rules[i].check([]houserules.Source{s}); (len(wrong) > 0) != tt.bad {
			t.Errorf("%s: %s %q: %v", tt.rule, tt.path, tt.code, wrong)
		}
	}
	helper, err := houserules.Parse("geo/osm/osmtest/x.go", []byte("package osmtest\nimport \"testing\"\nfunc f(t *testing.T) { t.Skip(\"no extract\"); t.Skip(); t.SkipNow() }"))
	if err != nil {
		t.Fatal(err)
	}
	if wrong := noSilentSkip([]houserules.Source{helper}); len(wrong) != 2 {
		t.Errorf("skips of a helper: %v", wrong)
	}
	doc1, err := houserules.Parse("app/doc.go", []byte("// Package app lists\n//\n//	geo/known does\npackage app"))
	if err != nil {
		t.Fatal(err)
	}
	for dir, bad := range map[string]bool{"geo/known": false, "geo/new": true} {
		s, err := houserules.Parse(dir+"/x.go", []byte("package x"))
		if err != nil {
			t.Fatal(err)
		}
		if wrong := mapComplete([]houserules.Source{doc1, s}); (len(wrong) > 0) != bad {
			t.Errorf("map of the house with %s: %v", dir, wrong)
		}
	}
	two := []houserules.Source{helper, helper}
	if wrong := packageComments(two); len(wrong) != 1 {
		t.Errorf("a folder without a package comment: %v", wrong)
	}
}
