package document

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"runtime/metrics"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ledongthuc/pdf"
)

// Bounds of a PDF. The library takes what a file says of itself: sizes that no file of
// MaxFile has are refused before, and the memory and the time of the rest are looked at each
// time it reads.
const (
	maxObjects  = 2_000_000
	maxColumns  = 100_000
	maxPageText = 4 << 20
	maxForms    = 2_000 // drawn within each other or one after the other
	maxDepth    = 8
	leastShare  = 0.6 // of letters and digits among what is seen
	leastText   = 20  // letters of a file that has any
)

// stopped ends a parser from within. It is a runtime.Error, because the library goes on after
// others.
type stopped struct{ code Code }

// Error implements error.
func (s stopped) Error() string { return string(s.code) }

// RuntimeError implements runtime.Error.
func (stopped) RuntimeError() {}

// watched is a file that ends its reader when the time or the memory is used up.
type watched struct {
	ctx    context.Context
	in     *bytes.Reader
	reads  int
	begun  uint64
	sample []metrics.Sample
}

func watch(ctx context.Context, content []byte) *watched {
	w := &watched{ctx: ctx, in: bytes.NewReader(content), sample: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}}
	w.begun = w.memory()
	return w
}

func (w *watched) memory() uint64 {
	metrics.Read(w.sample)
	return w.sample[0].Value.Uint64()
}

// ReadAt implements io.ReaderAt.
func (w *watched) ReadAt(p []byte, at int64) (int, error) {
	if w.ctx.Err() != nil {
		panic(stopped{Timeout})
	}
	if w.reads++; w.reads%16 == 0 && w.memory() > w.begun+maxMemory {
		panic(stopped{TooLarge})
	}
	if at < 0 {
		return 0, io.EOF
	}
	return w.in.ReadAt(p, at)
}

var (
	sizes  = regexp.MustCompile(`/(Size|Columns|N|Count)\s+(\d{6,})`)
	widths = regexp.MustCompile(`/W\s*\[([^\]]{0,200})\]`)
)

// checkSizes refuses what a file cannot have.
func checkSizes(content []byte) error {
	for _, m := range sizes.FindAllSubmatch(content, -1) {
		n, err := strconv.Atoi(string(m[2]))
		if err != nil || n > maxObjects || string(m[1]) == "Columns" && n > maxColumns {
			return refuse(Damaged, nil)
		}
	}
	for _, m := range widths.FindAllSubmatch(content, -1) {
		for _, f := range bytes.Fields(m[1]) {
			if len(f) > 6 {
				return refuse(Damaged, nil)
			}
		}
	}
	return nil
}

func readPDF(ctx context.Context, content []byte) (out Text, err error) {
	if i := bytes.Index(content[:min(len(content), 1024)], []byte("%PDF-")); i > 0 {
		content = content[i:]
	}
	if err := checkSizes(content); err != nil {
		return out, err
	}
	r, err := pdf.NewReader(watch(ctx, content), int64(len(content)))
	if errors.Is(err, pdf.ErrInvalidPassword) || err != nil && bytes.Contains(content, []byte("/Encrypt")) {
		return out, refuse(Encrypted, nil)
	}
	if err != nil {
		return out, refuse(Damaged, err)
	}
	var t tree
	if err := t.walk(r.Trailer().Key("Root").Key("Pages"), pdf.Value{}, 0); err != nil {
		return out, err
	}
	out.Pages = len(t.pages)
	out.Title = r.Trailer().Key("Info").Key("Title").Text()
	var all strings.Builder
	for _, p := range t.pages {
		if p.content.IsNull() {
			continue
		}
		w := &painter{ctm: identity, tm: identity, line: identity}
		w.draw(p.content, p.resources, 0)
		if all.WriteString(w.out.String() + "\n\n"); all.Len() > MaxText {
			return out, refuse(TooLarge, nil)
		}
	}
	out.Body = joinHyphens(all.String())
	return out, checkReadable(out.Body)
}

// page is what a page draws, and with what.
type page struct{ content, resources pdf.Value }

// tree is the pages of a file in their order. The library would follow a tree that bites its
// own tail for ever.
type tree struct {
	pages []page
	nodes int
}

func (t *tree) walk(v, resources pdf.Value, depth int) error {
	if t.nodes++; t.nodes > 20*MaxPages || depth > 40 {
		return refuse(Damaged, nil)
	}
	if own := v.Key("Resources"); !own.IsNull() {
		resources = own
	}
	kids := v.Key("Kids")
	if kids.IsNull() {
		t.pages = append(t.pages, page{v.Key("Contents"), resources})
		if len(t.pages) > MaxPages {
			return refuse(TooManyPage, nil)
		}
		return nil
	}
	for i := range kids.Len() {
		if err := t.walk(kids.Index(i), resources, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// checkReadable refuses a text that is none, or whose characters are not known.
func checkReadable(s string) error {
	seen, letters := 0, 0
	for _, r := range s {
		if unicode.IsSpace(r) {
			continue
		}
		seen++
		if unicode.IsLetter(r) && !unicode.Is(unicode.Co, r) || unicode.IsDigit(r) {
			letters++
		}
	}
	switch {
	case seen < leastText:
		return refuse(NoText, nil)
	case float64(letters) < leastShare*float64(seen):
		return refuse(Garbled, nil)
	}
	return nil
}

// joinHyphens puts words together that are divided at the end of a line.
func joinHyphens(s string) string {
	var b strings.Builder
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		l = strings.TrimRight(l, " ")
		if i+1 < len(lines) {
			word, hyphen := strings.CutSuffix(l, "-")
			if !hyphen {
				word, hyphen = strings.CutSuffix(l, "\u00ad")
			}
			last, _ := utf8.DecodeLastRuneInString(word)
			next, _ := utf8.DecodeRuneInString(lines[i+1])
			if hyphen && unicode.IsLetter(last) && unicode.IsLower(next) {
				b.WriteString(word)
				continue
			}
		}
		b.WriteString(l + "\n")
	}
	return b.String()
}
