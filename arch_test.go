package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxLines is where a file is two things (architecture 2).
const maxLines = 500

// source is one parsed Go file of this module.
type source struct {
	path  string // with slashes, from the module's root
	file  *ast.File
	lines int
	pos   *token.FileSet
}

func (s source) dir() string  { return path.Dir(s.path) }
func (s source) test() bool   { return strings.HasSuffix(s.path, "_test.go") }
func (s source) helper() bool { return strings.HasSuffix(s.file.Name.Name, "test") } // osmtest and the like

func (s source) imports() []string {
	out := make([]string, 0, len(s.file.Imports))
	for _, i := range s.file.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		out = append(out, p)
	}
	return out
}

func (s source) at(n ast.Node) string { return s.pos.Position(n.Pos()).String() }

func parse(name string, data []byte) (source, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, data, parser.ParseComments)
	return source{path: name, file: f, lines: strings.Count(string(data), "\n"), pos: set}, err
}

// tree reads every Go file of the module in this process: a test that runs
// another program is remembered as passed when only the files changed.
func tree(t *testing.T) []source {
	t.Helper()
	var out []source
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipFolder(name)
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		s, err := parse(filepath.ToSlash(name), data)
		out = append(out, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 50 {
		t.Fatalf("only %d files found: is this the module's root?", len(out))
	}
	return out
}

// skipFolder leaves out what is not this module: other modules, hidden folders
// and what builds leave behind.
func skipFolder(name string) error {
	if name == "." {
		return nil
	}
	base := filepath.Base(name)
	if strings.HasPrefix(base, ".") || slices.Contains([]string{"bin", "data", "dist", "node_modules", "testdata"}, base) {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// rule looks at all files and says what is wrong with them.
type rule struct {
	name  string
	check func([]source) []string
}

var rules = []rule{
	{"imports go down", importsGoDown},
	{"slices import upward in their list only", slicesInOrder},
	{"app knows no HTTP, only web serves it", onlyWebServes},
	{"one package comment a folder", packageComments},
	{"no time.Sleep in tests", noSleep},
	{"no silent skip", noSilentSkip},
	{"files stay readable", noLongFiles},
	{"the map of the house is complete", mapComplete},
}

func TestHouseRules(t *testing.T) {
	files := tree(t)
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

// room is the first folder of a package path inside the module.
func room(dir string) string {
	if dir == "." {
		return "main"
	}
	first, _, _ := strings.Cut(dir, "/")
	return first
}

func importsGoDown(files []source) (wrong []string) {
	for _, s := range files {
		from := room(s.dir())
		may, known := allowed[from]
		if !known {
			// Folders of tests and benchmarks may look at everything; the product
			// may not import them, which the lines below see to.
			continue
		}
		for _, p := range s.imports() {
			inside, ours := strings.CutPrefix(p, "svc/")
			if ours && !slices.Contains(may, room(inside)) {
				wrong = append(wrong, fmt.Sprintf("%s imports %s: %s may import %v only", s.path, p, from, may))
			}
		}
	}
	return wrong
}

// slicesOfApp is the order of the design, lowest first. cli is last: it starts
// everything and nobody needs it.
var slicesOfApp = []string{
	"api", "signal", "module", "policy", "audit", "event", "mail", "setting", "notify", "user", "org", "session", "hook", "anchor", "recipient", "content",
	"account", "channel", "send", "campaign", "inbox", "business", "engine", "knowledge", "calendar", "seller",
	"quality", "automation", "insight", "social", "mapkey", "overview", "admin", "local", "cli",
}

func slicesInOrder(files []source) (wrong []string) {
	slice := func(dir string) (string, bool) {
		rest, ok := strings.CutPrefix(dir, "app/")
		first, _, _ := strings.Cut(rest, "/")
		return first, ok
	}
	for _, s := range files {
		from, ok := slice(s.dir())
		if !ok {
			continue
		}
		at := slices.Index(slicesOfApp, from)
		if at < 0 {
			wrong = append(wrong, s.path+": slice "+from+" is not in the list of the design")
			continue
		}
		for _, p := range s.imports() {
			inside, _ := strings.CutPrefix(p, "svc/")
			if to, ok := slice(inside); ok && slices.Index(slicesOfApp, to) > at {
				wrong = append(wrong, fmt.Sprintf("%s imports %s, a slice below its own", s.path, p))
			}
		}
	}
	return wrong
}

// serving are the names of net/http that only a server needs.
var serving = []string{"Handler", "HandlerFunc", "Handle", "HandleFunc", "ListenAndServe", "ResponseWriter", "Serve", "ServeMux", "Server", "NewServeMux"}

func onlyWebServes(files []source) (wrong []string) {
	for _, s := range files {
		r := room(s.dir())
		_, product := allowed[r]
		if s.test() || s.helper() || !product || r == "web" {
			continue
		}
		if r == "app" && slices.Contains(s.imports(), "net/http") {
			wrong = append(wrong, s.path+" imports net/http: what a slice promises does not depend on HTTP")
		}
		for _, name := range serving {
			for _, use := range uses(s, "net/http", name) {
				wrong = append(wrong, s.at(use)+": http."+name+" outside web: only web serves")
			}
		}
	}
	return wrong
}

// uses finds the selections of name from the package with that import path.
func uses(s source, importPath, name string) (out []*ast.SelectorExpr) {
	local := ""
	for _, i := range s.file.Imports {
		if p, _ := strconv.Unquote(i.Path.Value); p == importPath {
			local = path.Base(importPath)
			if i.Name != nil {
				local = i.Name.Name
			}
		}
	}
	if local == "" {
		return nil
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == name {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == local {
				out = append(out, sel)
			}
		}
		return true
	})
	return out
}

func packageComments(files []source) (wrong []string) {
	comments := map[string][]string{}
	for _, s := range files {
		if s.test() {
			continue
		}
		where := comments[s.dir()]
		if s.file.Doc == nil {
			comments[s.dir()] = where // a folder without any comment counts too
			continue
		}
		comments[s.dir()] = append(where, s.path)
		text := s.file.Doc.Text()
		if want := "Package " + s.file.Name.Name + " "; !strings.HasPrefix(text, want) && s.file.Name.Name != "main" {
			wrong = append(wrong, fmt.Sprintf("%s: the package comment does not start with %q", s.path, want))
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

func noSleep(files []source) (wrong []string) {
	for _, s := range files {
		if !s.test() && !s.helper() {
			continue
		}
		for _, use := range uses(s, "time", "Sleep") {
			wrong = append(wrong, s.at(use)+": time.Sleep in a test: wait for what happens, or use testing/synctest")
		}
	}
	return wrong
}

// noSilentSkip lets only helper packages skip, where one place decides that a
// missing tool or extract fails with CI=true, and only with a reason.
func noSilentSkip(files []source) (wrong []string) {
	for _, s := range files {
		ast.Inspect(s.file, func(n ast.Node) bool {
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
			case !s.helper():
				wrong = append(wrong, s.at(n)+": a skip outside a test helper package such as osmtest")
			case len(call.Args) == 0 || emptyText(call.Args[0]):
				wrong = append(wrong, s.at(n)+": a skip without a reason")
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

func noLongFiles(files []source) (wrong []string) {
	for _, s := range files {
		if s.lines > maxLines && !ast.IsGenerated(s.file) {
			wrong = append(wrong, fmt.Sprintf("%s has %d lines; past %d a file is two things", s.path, s.lines, maxLines))
		}
	}
	return wrong
}

// mapComplete: every package of the product stands in the list of rooms of
// app/doc.go, which is where the next person starts.
func mapComplete(files []source) (wrong []string) {
	i := slices.IndexFunc(files, func(s source) bool { return s.path == "app/doc.go" })
	if i < 0 {
		return []string{"app/doc.go is missing"}
	}
	rooms := strings.Fields(files[i].file.Doc.Text())
	for _, s := range files {
		d := s.dir()
		_, product := allowed[room(d)]
		if d == "." || d == "app" || !product || s.test() || s.helper() || slices.Contains(rooms, d) {
			continue
		}
		if line := d + " is not in the list of rooms of app/doc.go"; !slices.Contains(wrong, line) {
			wrong = append(wrong, line)
		}
	}
	return wrong
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
		{"imports go down", "web/x.go", `import "svc/embed"`, false},
		{"imports go down", "serve.go", `import "svc/embed"`, false},
		{"imports go down", "geo/x/x.go", `import "svc/embed"`, true},
		{"imports go down", "web/x.go", `import "svc/bench"`, true},
		{"slices import upward in their list only", "app/mapkey/x.go", `import "svc/app/cli"`, true},
		{"slices import upward in their list only", "app/cli/x.go", `import "svc/app/mapkey"`, false},
		{"slices import upward in their list only", "app/misc/x.go", ``, true},
		{"app knows no HTTP, only web serves it", "app/mapkey/x.go", `import "net/http"; const c = http.StatusOK`, true},
		{"app knows no HTTP, only web serves it", "geo/x/x.go", `import "net/http"; var c http.Client`, false},
		{"app knows no HTTP, only web serves it", "geo/x/x.go", `import h "net/http"; var c h.Server`, true},
		{"app knows no HTTP, only web serves it", "web/x.go", `import "net/http"; var c http.Server`, false},
		{"no time.Sleep in tests", "geo/x/x_test.go", `import "time"; func f() { time.Sleep(1) }`, true},
		{"no time.Sleep in tests", "geo/x/x.go", `import "time"; func f() { time.Sleep(1) }`, false},
		{"no silent skip", "geo/x/x_test.go", `import "testing"; func f(t *testing.T) { t.Skip("no extract") }`, true},
		{"one package comment a folder", "geo/x/x.go", ``, false},
		{"files stay readable", "geo/x/x.go", strings.Repeat("\n", maxLines), true},
	}
	for _, tt := range tests {
		s, err := parse(tt.path, []byte(doc+"package x\n"+tt.code))
		if err != nil {
			t.Fatalf("%s: %v", tt.code, err)
		}
		i := slices.IndexFunc(rules, func(r rule) bool { return r.name == tt.rule })
		if wrong := rules[i].check([]source{s}); (len(wrong) > 0) != tt.bad {
			t.Errorf("%s: %s %q: %v", tt.rule, tt.path, tt.code, wrong)
		}
	}
	helper, err := parse("geo/osm/osmtest/x.go", []byte("package osmtest\nimport \"testing\"\nfunc f(t *testing.T) { t.Skip(\"no extract\"); t.Skip(); t.SkipNow() }"))
	if err != nil {
		t.Fatal(err)
	}
	if wrong := noSilentSkip([]source{helper}); len(wrong) != 2 {
		t.Errorf("skips of a helper: %v", wrong)
	}
	doc1, err := parse("app/doc.go", []byte("// Package app lists\n//\n//	geo/known does\npackage app"))
	if err != nil {
		t.Fatal(err)
	}
	for dir, bad := range map[string]bool{"geo/known": false, "geo/new": true} {
		s, err := parse(dir+"/x.go", []byte("package x"))
		if err != nil {
			t.Fatal(err)
		}
		if wrong := mapComplete([]source{doc1, s}); (len(wrong) > 0) != bad {
			t.Errorf("map of the house with %s: %v", dir, wrong)
		}
	}
	two := []source{helper, helper}
	if wrong := packageComments(two); len(wrong) != 1 {
		t.Errorf("a folder without a package comment: %v", wrong)
	}
}
