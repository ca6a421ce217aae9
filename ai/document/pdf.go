package document

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
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
	if out.Pages = r.NumPage(); out.Pages > MaxPages {
		return out, refuse(TooManyPage, nil)
	}
	out.Title = r.Trailer().Key("Info").Key("Title").Text()
	var all strings.Builder
	for n := 1; n <= out.Pages; n++ {
		text, err := pageText(r.Page(n))
		if err != nil {
			return out, err
		}
		if all.WriteString(text + "\n\n"); all.Len() > MaxText {
			return out, refuse(TooLarge, nil)
		}
	}
	out.Body = joinHyphens(all.String())
	return out, checkReadable(out.Body)
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

// matrix is a transformation of the plane: [a b c d e f].
type matrix [6]float64

var identity = matrix{1, 0, 0, 1, 0, 0}

func (m matrix) times(n matrix) matrix {
	return matrix{
		m[0]*n[0] + m[1]*n[2], m[0]*n[1] + m[1]*n[3],
		m[2]*n[0] + m[3]*n[2], m[2]*n[1] + m[3]*n[3],
		m[4]*n[0] + m[5]*n[2] + n[4], m[4]*n[1] + m[5]*n[3] + n[5],
	}
}

// painter follows what a page draws and writes down its text in the order in which it is
// drawn, with lines where it goes down and spaces where it leaves room.
type painter struct {
	out   strings.Builder
	forms int

	ctm, tm, line matrix
	stack         []matrix
	enc           pdf.TextEncoding
	size, leading float64
	x, y          float64 // where the last text ended, about
	drawn         bool
}

func pageText(p pdf.Page) (text string, err error) {
	if p.V.IsNull() || p.V.Key("Contents").IsNull() {
		return "", nil
	}
	w := &painter{ctm: identity, tm: identity, line: identity}
	w.draw(p.V.Key("Contents"), p.Resources(), 0)
	return w.out.String(), nil
}

// fontsOf are the fonts of resources, each read once.
func fontsOf(resources pdf.Value) func(name string) pdf.TextEncoding {
	known := map[string]*pdf.Font{}
	return func(name string) pdf.TextEncoding {
		f := known[name]
		if f == nil {
			f = &pdf.Font{V: resources.Key("Font").Key(name)}
			known[name] = f
		}
		return f.Encoder()
	}
}

func (w *painter) draw(content, resources pdf.Value, depth int) {
	fonts := fontsOf(resources)
	pdf.Interpret(content, func(stk *pdf.Stack, op string) {
		args := make([]pdf.Value, stk.Len())
		for i := len(args) - 1; i >= 0; i-- {
			args[i] = stk.Pop()
		}
		if w.out.Len() > maxPageText {
			panic(stopped{TooLarge})
		}
		switch op {
		case "Tf":
			if len(args) == 2 {
				w.enc, w.size = fonts(args[0].Name()), args[1].Float64()
			}
		case "Do":
			w.form(args, resources, depth)
		default:
			w.operate(op, args)
		}
	})
}

// form draws what stands elsewhere in the file.
func (w *painter) form(args []pdf.Value, resources pdf.Value, depth int) {
	if len(args) != 1 || depth >= maxDepth {
		return
	}
	x := resources.Key("XObject").Key(args[0].Name())
	if x.Key("Subtype").Name() != "Form" {
		return
	}
	if w.forms++; w.forms > maxForms {
		panic(stopped{TooLarge})
	}
	own := x.Key("Resources")
	if own.IsNull() {
		own = resources
	}
	before := w.ctm
	if m, ok := matrixOf(list(x.Key("Matrix"))); ok {
		w.ctm = m.times(w.ctm)
	}
	w.draw(x, own, depth+1)
	w.ctm = before
}

func list(v pdf.Value) (out []pdf.Value) {
	for i := range v.Len() {
		out = append(out, v.Index(i))
	}
	return out
}

func matrixOf(args []pdf.Value) (m matrix, ok bool) {
	if len(args) != len(m) {
		return m, false
	}
	for i, a := range args {
		m[i] = a.Float64()
	}
	return m, true
}

func (w *painter) operate(op string, args []pdf.Value) {
	switch op {
	case "q":
		if len(w.stack) < 1000 {
			w.stack = append(w.stack, w.ctm)
		}
	case "Q":
		if n := len(w.stack); n > 0 {
			w.ctm, w.stack = w.stack[n-1], w.stack[:n-1]
		}
	case "cm":
		if m, ok := matrixOf(args); ok {
			w.ctm = m.times(w.ctm)
		}
	case "BT":
		w.tm, w.line = identity, identity
	case "Tm":
		if m, ok := matrixOf(args); ok {
			w.tm, w.line = m, m
		}
	case "TL":
		if len(args) == 1 {
			w.leading = args[0].Float64()
		}
	case "Td", "TD":
		if len(args) == 2 {
			if op == "TD" {
				w.leading = -args[1].Float64()
			}
			w.move(args[0].Float64(), args[1].Float64())
		}
	case "T*":
		w.move(0, -w.leading)
	case "'", "\"":
		w.move(0, -w.leading)
		fallthrough
	case "Tj":
		if len(args) > 0 {
			w.show(args[len(args)-1].RawString())
		}
	case "TJ":
		if len(args) == 1 {
			w.showAll(args[0])
		}
	}
}

func (w *painter) move(x, y float64) {
	w.line = matrix{1, 0, 0, 1, x, y}.times(w.line)
	w.tm = w.line
}

// showAll shows texts with room between them.
func (w *painter) showAll(parts pdf.Value) {
	const word = 180 // thousandths of the size of the font that are room between words
	for i := range parts.Len() {
		switch v := parts.Index(i); v.Kind() {
		case pdf.String:
			w.show(v.RawString())
		case pdf.Integer, pdf.Real:
			gap := v.Float64()
			w.tm = matrix{1, 0, 0, 1, -gap / 1000 * w.size, 0}.times(w.tm)
			if gap < -word {
				w.space()
				w.x = w.at()[4]
			}
		}
	}
}

// at is where text is drawn now.
func (w *painter) at() matrix { return w.tm.times(w.ctm) }

func (w *painter) show(raw string) {
	text := raw
	if w.enc != nil {
		text = w.enc.Decode(raw)
	}
	if text == "" {
		return
	}
	at := w.at()
	high := math.Max(math.Hypot(at[2], at[3])*w.size, 1)
	switch down := math.Abs(at[5] - w.y); {
	case !w.drawn:
	case down > 1.8*high:
		w.out.WriteString("\n\n")
	case down > 0.4*high:
		w.out.WriteByte('\n')
	case at[4]-w.x > 0.2*high || w.x-at[4] > 2*high:
		w.space()
	}
	w.out.WriteString(text)
	w.drawn = true
	// Letters are about half as wide as they are high; what stands is compared with what comes.
	wide := 0.5 * w.size * float64(utf8.RuneCountInString(text))
	w.tm = matrix{1, 0, 0, 1, wide, 0}.times(w.tm)
	end := w.at()
	w.x, w.y = end[4], end[5]
}

func (w *painter) space() {
	if s := w.out.String(); s != "" && !strings.HasSuffix(s, " ") && !strings.HasSuffix(s, "\n") {
		w.out.WriteByte(' ')
	}
}
