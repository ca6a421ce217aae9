// Command licences lists everything that is in a release and under which licence: the
// Go modules that are compiled into the program, for every platform of a release, the
// standard library of Go, and the npm packages and data that the projects below embed/
// put into their dist folders.
//
//	licences ROOT FILE
//
// FILE gets the list, then each text. A licence that is not on the list of those that
// may be in the product is named, and the exit code is 1.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// allowed are the licences that may be in the product. All of them permit closed
// products; MPL and the like, which want changed files published, are not among them.
var allowed = []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "OFL-1.1", "Unlicense"}

// platforms are those of a release; each may compile other modules.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/arm64"}

// part is something that is in a release.
type part struct {
	name, version string
	licences      []string // SPDX names, none when the text is not recognized
	text          string
}

func main() {
	if err := run(os.Args[1:], os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(args []string, log io.Writer) error {
	if len(args) != 2 {
		return errors.New("usage: licences ROOT FILE")
	}
	parts, err := collect(args[0])
	if err != nil {
		return err
	}
	if wrong := refused(parts); len(wrong) > 0 {
		return fmt.Errorf("not allowed in the product (release/licences says what is):\n%s", strings.Join(wrong, "\n"))
	}
	if err := os.WriteFile(args[1], list(parts), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(log, "%s: the licences of %d modules and packages, all allowed\n", args[1], len(parts))
	return nil
}

// collect finds everything.
func collect(root string) ([]part, error) {
	parts, err := modules(root)
	if err != nil {
		return nil, err
	}
	for _, file := range []string{"embed/assets/dist/LICENSES.txt", "embed/sdk/dist/v1/LICENSES.txt.gz", "embed/console/dist/LICENSES.txt.gz"} {
		text, err := read(filepath.Join(root, file))
		if err != nil {
			return nil, fmt.Errorf("%w; make assets makes it", err)
		}
		of := sections(text)
		if len(of) == 0 {
			return nil, fmt.Errorf("%s names no package", file)
		}
		parts = append(parts, of...)
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.name+" "+a.version, b.name+" "+b.version) })
	return slices.CompactFunc(parts, func(a, b part) bool { return a.name == b.name && a.version == b.version }), nil
}

func read(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil || !strings.HasSuffix(file, ".gz") {
		return string(data), err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return "", fmt.Errorf("%s: %w", file, err)
	}
	text, err := io.ReadAll(z)
	return string(text), err
}

// modules are those that the program is compiled from.
func modules(root string) ([]part, error) {
	const format = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"
	found := map[string]bool{}
	for _, p := range platforms {
		system, machine, _ := strings.Cut(p, "/")
		cmd := exec.CommandContext(context.Background(), "go", "list", "-deps", "-f", format, ".")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", p, err)
		}
		for line := range strings.Lines(string(out)) {
			if line = strings.TrimSpace(line); line != "" {
				found[line] = true
			}
		}
	}
	out, err := exec.CommandContext(context.Background(), "go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return nil, err
	}
	env := strings.Fields(string(out))
	found[strings.Join([]string{"Go, its standard library", env[1], env[0]}, "\t")] = true
	var parts []part
	for line := range found {
		f := strings.Split(line, "\t")
		text, err := texts(f[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f[0], err)
		}
		parts = append(parts, part{f[0], f[1], classify(text), text})
	}
	return parts, nil
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice)([-.].*)?$`)

// texts are the licence files of a folder, one after the other, with the notices that
// must go with them.
func texts(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var all []string
	for _, e := range entries {
		if !licenceFile.MatchString(e.Name()) || e.IsDir() || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		all = append(all, strings.TrimSpace(string(text)))
	}
	if len(all) == 0 {
		return "", errors.New("it carries no licence file")
	}
	return strings.Join(all, "\n\n"), nil
}

var (
	section = regexp.MustCompile(`(?m)^={60,}\n((?:.*\n){1,2})={60,}\n`)
	header  = regexp.MustCompile(`(?m)^(\S+) (\d\S*?)(?:: (.+))?$`)
	bare    = regexp.MustCompile(`Licensed under ([^;]+); the package carries no licence file\.`)
)

// sections reads the lists that the projects below embed/ make.
func sections(text string) (parts []part) {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	at := section.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		body := strings.TrimSpace(text[m[1]:end])
		p := part{name: strings.TrimSpace(text[m[2]:m[3]]), licences: classify(body), text: body}
		if h := header.FindStringSubmatch(text[m[2]:m[3]]); h != nil {
			p.name, p.version = h[1], h[2]
		}
		if b := bare.FindStringSubmatch(body); b != nil {
			p.licences = named(b[1])
		}
		if l := toldElsewhere[p.name+" "+p.version]; len(l) > 0 {
			p.licences = l
		}
		parts = append(parts, p)
	}
	return parts
}

// toldElsewhere are the licences of packages that do not carry them.
var toldElsewhere = map[string][]string{
	// A fork of jsonlint, which is under MIT; the package of its next version says so too.
	"@mapbox/jsonlint-lines-primitives 2.0.2": {"MIT"},
}

// named reads what a package says of its licence: of several that one may choose from,
// the first that is allowed is taken.
func named(expression string) []string {
	choice := strings.Split(strings.Trim(expression, "()"), " OR ")
	for _, l := range choice {
		if slices.Contains(allowed, l) {
			return []string{l}
		}
	}
	return choice
}

// words of a licence that no other has. The text is compared in lower case, with one
// blank between words.
var words = []struct {
	licence string
	all     []string // every one of them is there
	none    []string // and none of these
}{
	{"Apache-2.0", []string{"apache license version 2.0"}, nil},
	{"MIT", []string{"permission is hereby granted, free of charge, to any person obtaining a copy", "without restriction"}, nil},
	{"BSD-3-Clause", []string{"redistribution and use in source and binary forms", "endorse or promote products"}, nil},
	{"BSD-2-Clause", []string{"redistribution and use in source and binary forms"}, []string{"endorse or promote products", "advertising materials"}},
	{"ISC", []string{"permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that"}, nil},
	{"ISC", []string{"permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted, provided that"}, nil},
	{"0BSD", []string{"permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted. the software"}, nil},
	{"CC0-1.0", []string{"cc0 1.0 universal"}, nil},
	{"OFL-1.1", []string{"sil open font license version 1.1"}, nil},
	{"Unlicense", []string{"free and unencumbered software released into the public domain"}, nil},
	{"MPL-2.0", []string{"mozilla public license version 2.0"}, nil},
	{"EPL", []string{"eclipse public license"}, []string{"mozilla public license"}},
	{"GPL", []string{"gnu", "general public license", "everyone is permitted to copy and distribute verbatim copies"}, nil},
	{"BSD-4-Clause", []string{"redistribution and use in source and binary forms", "advertising materials"}, nil},
	{"SSPL", []string{"server side public license"}, nil},
	{"BUSL", []string{"business source license"}, nil},
}

var (
	blanks = regexp.MustCompile(`\s+`)
	marks  = regexp.MustCompile(`[#*_>` + "`" + `]|//`)
)

// classify gives the licences whose words a text has: a module may carry several.
func classify(text string) (found []string) {
	text = blanks.ReplaceAllString(marks.ReplaceAllString(strings.ToLower(text), " "), " ")
	text = strings.ReplaceAll(strings.ReplaceAll(text, "license, version", "license version"), "version 2.0,", "version 2.0")
	for _, w := range words {
		has := func(s string) bool { return strings.Contains(text, s) }
		if slices.ContainsFunc(w.none, has) || slices.ContainsFunc(w.all, func(s string) bool { return !has(s) }) || slices.Contains(found, w.licence) {
			continue
		}
		found = append(found, w.licence)
	}
	return found
}

// refused names what may not be in the product: a licence that is not on the list, or a
// text that is none we know.
func refused(parts []part) (wrong []string) {
	for _, p := range parts {
		if len(p.licences) == 0 {
			wrong = append(wrong, fmt.Sprintf("%s %s: its licence is not recognized", p.name, p.version))
		}
		for _, l := range p.licences {
			if !slices.Contains(allowed, l) {
				wrong = append(wrong, fmt.Sprintf("%s %s: %s", p.name, p.version, l))
			}
		}
	}
	return wrong
}

// list is the file of a release.
func list(parts []part) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "What svc carries of others, and under which licence.\n\n")
	for _, p := range parts {
		fmt.Fprintf(&b, "%s %s: %s\n", p.name, p.version, strings.Join(p.licences, ", "))
	}
	rule := strings.Repeat("=", 78)
	for _, p := range parts {
		fmt.Fprintf(&b, "\n%s\n%s %s\n%s\n\n%s\n", rule, p.name, p.version, rule, p.text)
	}
	return b.Bytes()
}
