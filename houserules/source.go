// Package houserules holds rules about the files of this module that the tests of the root
// check: that documents are cited rightly (documents.go), that handlers of operations are
// short (operations.go), and that the race detector sees every package whose goroutines share
// memory (race.go). Nothing of the product imports it.
package houserules

import (
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

// Source is one parsed Go file of this module.
type Source struct {
	Path  string // with slashes, from the module's root
	File  *ast.File
	Lines int
	pos   *token.FileSet
}

// Dir is the folder of the file.
func (s Source) Dir() string { return path.Dir(s.Path) }

// IsTest says whether it is a test.
func (s Source) IsTest() bool { return strings.HasSuffix(s.Path, "_test.go") }

// IsHelper says whether its package only helps tests, such as osmtest.
func (s Source) IsHelper() bool { return strings.HasSuffix(s.File.Name.Name, "test") }

// Imports are the packages that it imports.
func (s Source) Imports() []string {
	out := make([]string, 0, len(s.File.Imports))
	for _, i := range s.File.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		out = append(out, p)
	}
	return out
}

// At is where a node stands.
func (s Source) At(n ast.Node) string { return s.pos.Position(n.Pos()).String() }

// Parse reads the text of a file.
func Parse(name string, data []byte) (Source, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, data, parser.ParseComments)
	return Source{Path: name, File: f, Lines: strings.Count(string(data), "\n"), pos: set}, err
}

// Tree reads every Go file of the module in this process: a test that runs
// another program is remembered as passed when only the files changed.
func Tree(t *testing.T) []Source {
	t.Helper()
	var out []Source
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
		s, err := Parse(filepath.ToSlash(name), data)
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

// Uses finds the selections of name from the package with that import path.
func (s Source) Uses(importPath, name string) (out []*ast.SelectorExpr) {
	local := ""
	for _, i := range s.File.Imports {
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
	ast.Inspect(s.File, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == name {
			if id, ok := sel.X.(*ast.Ident); ok && id.Name == local {
				out = append(out, sel)
			}
		}
		return true
	})
	return out
}
