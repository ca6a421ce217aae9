package houserules

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// maxDocLines is the longest a document may be.
const maxDocLines = 400

// Forms of the documents in docs, and of comments that cite them
// (docs/contract/README.md).
var (
	docHeading = regexp.MustCompile(`(?m)^#{2,4} (?:(Map|Storage|Architecture) )?(\d+(?:\.\d+)*)\.? `)
	docTitle   = regexp.MustCompile(`(?m)^#{1,4} (.+)$`)
	docLink    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	citation   = regexp.MustCompile(`\b([Mm]ap contract|[Cc]ontract|[Ss]torage|[Aa]rchitecture) (\d+(?:\.\d+)*(?:(?:, and |, | and | to )\d+(?:\.\d+)*\b)*)`)
	cited      = regexp.MustCompile(`\d+(?:\.\d+)*`)
	codeFence  = regexp.MustCompile("(?s)```.*?```")
	lineStart  = regexp.MustCompile(`\s*\n[ \t]*(?://|#|\*)*[ \t]*`)
)

// docPrefix is how a citation names the sections of a kind of heading.
var docPrefix = map[string]string{"": "contract ", "Map": "map contract ", "Storage": "storage ", "Architecture": "architecture "}

// Documents holds that what comments cite exists, headings have numbers of their
// own, links lead somewhere, and no document is too long.
func Documents(t *testing.T, sources []Source) {
	t.Helper()
	docs := map[string]string{}
	read(t, "docs", func(name string) bool { return strings.HasSuffix(name, ".md") }, docs)
	if len(docs) < 10 {
		t.Fatalf("only %d documents found: is this the module's root?", len(docs))
	}
	sections, wrong := docSections(docs)
	wrong = append(wrong, docLinks(docs, exists)...)
	wrong = append(wrong, docLengths(docs)...)
	comments := map[string]string{}
	for _, s := range sources {
		for _, group := range s.File.Comments {
			for _, line := range group.List {
				comments[s.At(group)] += line.Text + "\n"
			}
		}
	}
	read(t, ".", hasComments, comments)
	wrong = append(wrong, badCitations(comments, sections)...)
	for _, w := range wrong {
		t.Error(w)
	}
}

// hasComments are the files beside Go's whose comments cite: stories, maps, sources
// of the console and of the browser bundle.
func hasComments(name string) bool {
	return slices.Contains([]string{".ts", ".tsx", ".mjs", ".txt", ".geo", ".txtar", ".yaml"}, path.Ext(name))
}

// read adds the files below a folder that are wanted, by their names.
func read(t *testing.T, root string, wanted func(name string) bool, into map[string]string) {
	t.Helper()
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if base := d.Name(); base != "." && (strings.HasPrefix(base, ".") || slices.Contains([]string{"bin", "data", "dist", "node_modules"}, base)) {
				return fs.SkipDir
			}
			return nil
		case !wanted(name):
			return nil
		}
		data, err := os.ReadFile(name)
		into[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// docSections are the numbered sections, as they are cited.
func docSections(docs map[string]string) (sections map[string]bool, wrong []string) {
	sections = map[string]bool{}
	for _, name := range sortedNames(docs) {
		for _, m := range docHeading.FindAllStringSubmatch(codeFence.ReplaceAllString(docs[name], ""), -1) {
			section := docPrefix[m[1]] + m[2]
			if sections[section] {
				wrong = append(wrong, fmt.Sprintf("%s: the section %q exists already", name, section))
			}
			sections[section] = true
		}
	}
	return sections, wrong
}

// badCitations are citations of sections that do not exist.
func badCitations(texts map[string]string, sections map[string]bool) (wrong []string) {
	for _, name := range sortedNames(texts) {
		for _, m := range citation.FindAllStringSubmatch(lineStart.ReplaceAllString(texts[name], " "), -1) {
			for _, number := range cited.FindAllString(m[2], -1) {
				if section := strings.ToLower(m[1]) + " " + number; !sections[section] {
					wrong = append(wrong, fmt.Sprintf("%s cites %q, which is no section of docs; it says %q", name, section, m[0]))
				}
			}
		}
	}
	return wrong
}

// docLinks are links that lead nowhere. exists says whether there is such a file.
func docLinks(docs map[string]string, exists func(name string) bool) (wrong []string) {
	for _, name := range sortedNames(docs) {
		for _, m := range docLink.FindAllStringSubmatch(docs[name], -1) {
			file, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			target := path.Join(path.Dir(name), file)
			if file == "" {
				target = name
			}
			text, known := docs[target]
			switch {
			case !known && !exists(target):
				wrong = append(wrong, fmt.Sprintf("%s links to %s, which does not exist", name, m[1]))
			case known && anchor != "" && !slices.Contains(anchors(text), anchor):
				wrong = append(wrong, fmt.Sprintf("%s links to %s, and %s has no such heading", name, m[1], target))
			}
		}
	}
	return wrong
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// anchors are the names by which links reach the headings of a document.
func anchors(text string) (out []string) {
	for _, m := range docTitle.FindAllStringSubmatch(codeFence.ReplaceAllString(text, ""), -1) {
		out = append(out, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, m[1]))
	}
	return out
}

func docLengths(docs map[string]string) (wrong []string) {
	for _, name := range sortedNames(docs) {
		if n := strings.Count(docs[name], "\n"); n > maxDocLines {
			wrong = append(wrong, fmt.Sprintf("%s has %d lines; a document has %d at most", name, n, maxDocLines))
		}
	}
	return wrong
}

func sortedNames(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
