package houserules

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxHandler is how many lines the handler of an operation may have, its signature and its
// closing brace counted: it checks the input, calls one rule of its slice, and answers.
const maxHandler = 24

// Operations holds that the handler of every operation has at most maxHandler lines.
func Operations(t *testing.T, sources []Source) {
	t.Helper()
	ops := operations(sources)
	if len(ops) < 300 {
		t.Fatalf("only %d operations found: are these the sources of the module?", len(ops))
	}
	for _, wrong := range longOperations(ops) {
		t.Error(wrong)
	}
}

// operation is one line api.E("GET /things", "things.list", …, handler).
type operation struct {
	id, at string
	lines  int // of the longest function that its handler names; 0 for none that was found
}

func longOperations(ops []operation) (wrong []string) {
	for _, o := range ops {
		switch {
		case o.lines == 0:
			wrong = append(wrong, fmt.Sprintf("%s: the handler of %s was not found: name a function or a method of this module", o.at, o.id))
		case o.lines > maxHandler:
			wrong = append(wrong, fmt.Sprintf("%s: the handler of %s has %d lines, at most %d: give a step that means something its own name", o.at, o.id, o.lines, maxHandler))
		}
	}
	return wrong
}

// handlerArgument is where the handler stands among the arguments of api.E, and of the
// function of package admin that calls it with its permission.
var handlerArgument = map[string]int{"api.E": 4, "e": 3}

// operations are all that the product promises.
func operations(sources []Source) (out []operation) {
	functions := declared(sources)
	for _, s := range sources {
		if s.IsTest() || s.IsHelper() || !strings.HasPrefix(s.Path, "app/") {
			continue
		}
		for _, d := range s.File.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				at, ok := handlerArgument[selected(call.Fun)]
				if !ok || len(call.Args) <= at {
					return true
				}
				id, ok := textOf(call.Args[1])
				if route, is := textOf(call.Args[0]); !ok || !is || !strings.Contains(route, " /") {
					return true
				}
				if at == handlerArgument["e"] {
					id = "admin." + id
				}
				r := resolver{functions, s, f}
				out = append(out, operation{id, s.At(call), r.lines(call.Args[at])})
				return true
			})
		}
	}
	return out
}

// selected is a name as it is written: "api.E", "e", or "".
func selected(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr:
		return selected(e.X)
	case *ast.IndexListExpr:
		return selected(e.X)
	case *ast.SelectorExpr:
		if x := selected(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	}
	return ""
}

// declarations are what packages declare: functions by "folder.name" and
// "folder.type.method", and the fields of structs as "folder.type.field".
type declarations struct {
	lines  map[string]int
	fields map[string]string // the type, as "folder.type"
}

func declared(sources []Source) declarations {
	d := declarations{map[string]int{}, map[string]string{}}
	for _, s := range sources {
		if s.IsTest() {
			continue
		}
		for _, decl := range s.File.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				name := decl.Name.Name
				if decl.Recv != nil {
					name = typeName(decl.Recv.List[0].Type) + "." + name
				}
				d.lines[s.Dir()+"."+name] = s.linesOf(decl)
			case *ast.GenDecl:
				if decl.Tok == token.TYPE {
					d.addFields(s, decl)
				}
			}
		}
	}
	return d
}

func (d declarations) addFields(s Source, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		is := spec.(*ast.TypeSpec)
		fields, ok := is.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range fields.Fields.List {
			of := s.folderOf(typeName(f.Type))
			for _, name := range f.Names {
				d.fields[s.Dir()+"."+is.Name.Name+"."+name.Name] = of
			}
			if len(f.Names) == 0 {
				d.fields[s.Dir()+"."+is.Name.Name+"."+of[strings.LastIndex(of, ".")+1:]] = of
			}
		}
	}
}

// linesOf counts the lines of a node, its first and its last among them.
func (s Source) linesOf(n ast.Node) int {
	return s.pos.Position(n.End()).Line - s.pos.Position(n.Pos()).Line + 1
}

// folderOf is a type as "folder.type", from how this file writes it. Types of other modules
// stay as they are.
func (s Source) folderOf(name string) string {
	pkg, typ, other := strings.Cut(name, ".")
	if !other {
		return s.Dir() + "." + name
	}
	for _, i := range s.File.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		local := path.Base(p)
		if i.Name != nil {
			local = i.Name.Name
		}
		if inside, ours := strings.CutPrefix(p, "svc/"); ours && local == pkg {
			return inside + "." + typ
		}
	}
	return name
}

// typeName is the name of a type without pointers and parameters.
func typeName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		return typeName(star.X)
	}
	return selected(e)
}

// resolver finds functions that are named within one function of a file.
type resolver struct {
	declarations
	s  Source
	in *ast.FuncDecl
}

// lines is the length of the handler that an expression means: of a function, a method, a
// function that answers one, or the longest of the functions that one is made from.
func (r resolver) lines(e ast.Expr) (n int) {
	switch e := e.(type) {
	case *ast.FuncLit:
		return r.s.linesOf(e)
	case *ast.CallExpr:
		if made := selected(e.Fun); !strings.HasPrefix(made, "api.") {
			n = r.lines(e.Fun)
		}
		for _, a := range e.Args {
			n = max(n, r.lines(a))
		}
		return n
	case *ast.IndexExpr:
		return r.lines(e.X)
	case *ast.Ident:
		return r.declarations.lines[r.s.Dir()+"."+e.Name]
	case *ast.SelectorExpr:
		if of := r.typeOf(e.X); of != "" {
			return r.declarations.lines[of+"."+e.Sel.Name]
		}
		return r.declarations.lines[r.s.folderOf(selected(e))]
	}
	return 0
}

// typeOf is the type of the receiver, of a parameter, or of a field of one; "" for what is neither.
func (r resolver) typeOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		lists := []*ast.FieldList{r.in.Recv, r.in.Type.Params}
		for _, l := range lists {
			if l == nil {
				continue
			}
			for _, f := range l.List {
				if slices.ContainsFunc(f.Names, func(n *ast.Ident) bool { return n.Name == e.Name }) {
					return r.s.folderOf(typeName(f.Type))
				}
			}
		}
	case *ast.SelectorExpr:
		if of := r.typeOf(e.X); of != "" {
			return r.fields[of+"."+e.Sel.Name]
		}
	}
	return ""
}
