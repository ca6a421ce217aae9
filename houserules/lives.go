package houserules

import (
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Documents that describe the lives of things.
const (
	statesDocument = "docs/contract/60-states.md"
	jobsDocument   = "docs/contract/61-jobs.md"
)

var (
	stateType  = regexp.MustCompile(`(?i)(status|state|step)$`)
	lifeHead   = regexp.MustCompile(`(?m)^### (\d+\.\d+ .*)$`)
	boldText   = regexp.MustCompile(`\*\*(.+?)\*\*`)
	wordInText = regexp.MustCompile(`[A-Za-z_]+`)
	jobRow     = regexp.MustCompile("(?m)^\\| `([a-z_.]+)` \\|")
	jobName    = regexp.MustCompile(`[a-z_]+(?:\.[a-z_]+)*`)
)

// Lives holds that every state of something stored and every kind of job is described: how
// it is entered, what may happen next, and who cleans it up. A state is a constant of a type
// of text whose name ends in Status, State or Step; a section of the contract names the type as
// `app/org.Status` and has the state in bold. A kind of job has a row in the table of 61.2
// and a section with its name in the heading.
func Lives(t *testing.T, sources []Source) {
	t.Helper()
	contract := map[string]string{}
	read(t, "docs/contract", func(name string) bool { return strings.HasSuffix(name, ".md") }, contract)
	var states strings.Builder
	for _, name := range sortedNames(contract) {
		states.WriteString(contract[name] + "\n")
	}
	jobs, err := os.ReadFile(jobsDocument)
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range append(undescribedStates(sources, states.String()), undescribedJobs(sources, string(jobs))...) {
		t.Error(wrong)
	}
}

// stateOf is one state in the sources: "app/org.Status", "ACTIVE".
type stateOf struct{ of, value string }

func undescribedStates(sources []Source, docs string) (wrong []string) {
	sections := lifeSections(docs)
	named := map[string]bool{}
	for _, x := range statesIn(sources) {
		i := slices.IndexFunc(sections, func(s lifeSection) bool { return strings.Contains(s.text, "`"+x.of+"`") })
		switch {
		case i < 0 && named[x.of]:
		case i < 0:
			wrong = append(wrong, fmt.Sprintf("%s has states, and no section of %s names it: write how each is entered, what may happen next, who cleans it up, and `%s`", x.of, statesDocument, x.of))
		case !slices.Contains(sections[i].states, strings.ToUpper(x.value)):
			wrong = append(wrong, fmt.Sprintf("section %s does not say in bold what %s of %s is", sections[i].title, x.value, x.of))
		}
		named[x.of] = true
	}
	return wrong
}

// lifeSection is a section of third order.
type lifeSection struct {
	title, text string
	states      []string // words in bold, in capitals
}

func lifeSections(docs string) (out []lifeSection) {
	heads := lifeHead.FindAllStringSubmatchIndex(docs, -1)
	for i, at := range heads {
		end := len(docs)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		s := lifeSection{title: docs[at[2]:at[3]], text: docs[at[0]:end]}
		for _, m := range boldText.FindAllStringSubmatch(s.text, -1) {
			for _, word := range wordInText.FindAllString(m[1], -1) {
				s.states = append(s.states, strings.ToUpper(word))
			}
		}
		out = append(out, s)
	}
	return out
}

// statesIn are the states that packages of app and store declare.
func statesIn(sources []Source) (out []stateOf) {
	texts := map[string]bool{} // types whose values are text
	product := slices.DeleteFunc(slices.Clone(sources), func(s Source) bool {
		return s.IsTest() || s.IsHelper() || !strings.HasPrefix(s.Path, "app/") && !strings.HasPrefix(s.Path, "store/")
	})
	for _, s := range product {
		for _, d := range s.File.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.TYPE {
				continue
			}
			for _, spec := range g.Specs {
				if is, ok := spec.(*ast.TypeSpec); ok && stateType.MatchString(is.Name.Name) && nameOf(is.Type) == "string" {
					texts[s.Dir()+"."+is.Name.Name] = true
				}
			}
		}
	}
	for _, s := range product {
		for _, d := range s.File.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, spec := range g.Specs {
				v := spec.(*ast.ValueSpec)
				of := s.Dir() + "." + nameOf(v.Type)
				if !texts[of] {
					continue
				}
				for _, value := range v.Values {
					if text, ok := textOf(value); ok && text != "" {
						out = append(out, stateOf{of, text})
					}
				}
			}
		}
	}
	return out
}

func undescribedJobs(sources []Source, docs string) (wrong []string) {
	var rows, heads []string
	for _, m := range jobRow.FindAllStringSubmatch(docs, -1) {
		rows = append(rows, m[1])
	}
	for _, m := range lifeHead.FindAllStringSubmatch(docs, -1) {
		heads = append(heads, jobName.FindAllString(m[1], -1)...)
	}
	for _, s := range sources {
		if s.IsTest() || s.IsHelper() {
			continue
		}
		for _, d := range s.File.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "Kind" || f.Body == nil || len(f.Body.List) != 1 || !returnsText(f) {
				continue
			}
			r, ok := f.Body.List[0].(*ast.ReturnStmt)
			if !ok || len(r.Results) != 1 {
				continue
			}
			kind, ok := textOf(r.Results[0])
			switch {
			case !ok:
			case !slices.Contains(rows, kind):
				wrong = append(wrong, fmt.Sprintf("%s: the table of jobs in %s has no row for %s", s.At(f), jobsDocument, kind))
			case !slices.Contains(heads, kind):
				wrong = append(wrong, fmt.Sprintf("%s: no section of %s has %s in its heading: write what it does, when it ends, and what it leaves", s.At(f), jobsDocument, kind))
			}
		}
	}
	return wrong
}

// returnsText says whether a function answers one string.
func returnsText(f *ast.FuncDecl) bool {
	r := f.Type.Results
	return r != nil && len(r.List) == 1 && nameOf(r.List[0].Type) == "string"
}

func nameOf(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

func textOf(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(lit.Value)
	return s, err == nil
}
