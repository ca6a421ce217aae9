package document

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
)

// maxParts bounds the files of an archive.
const (
	maxParts = 5000
	// maxPart bounds what is read of one of them, in bytes.
	maxPart = 64 << 20
)

// openArchive reads which parts an archive has, and refuses one that unpacks to too much, as
// it says itself; what it hides is found when a part is read.
func openArchive(content []byte) (*zip.Reader, error) {
	if bytes.Count(content, []byte("PK\x01\x02")) > maxParts {
		return nil, refuse(TooLarge, nil)
	}
	z, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, refuse(Damaged, err)
	}
	var total uint64
	for _, f := range z.File {
		if f.UncompressedSize64 > MaxUnpacked {
			return nil, refuse(TooLarge, nil)
		}
		total += f.UncompressedSize64
		if f.Flags&1 != 0 {
			return nil, refuse(Encrypted, nil)
		}
	}
	if total > MaxUnpacked || total > 1<<20 && total/maxRatio > uint64(len(content)) {
		return nil, refuse(TooLarge, nil)
	}
	return z, nil
}

func kindOfArchive(content []byte) (Kind, error) {
	z, err := openArchive(content)
	if err != nil {
		return "", err
	}
	for _, f := range z.File {
		switch strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/") {
		case "word/document.xml":
			return DOCX, nil
		case "xl/workbook.xml":
			return XLSX, nil
		}
	}
	return "", refuse(Unknown, nil)
}

// readDOCX reads the body of a document, its notes and the boxes within, without what was
// deleted or is hidden.
func readDOCX(ctx context.Context, content []byte) (out Text, err error) {
	z, err := openArchive(content)
	if err != nil {
		return out, err
	}
	parts := map[string]*zip.File{}
	for _, f := range z.File {
		parts[strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/")] = f
	}
	headings, err := headingStyles(ctx, parts["word/styles.xml"])
	if err != nil {
		return out, err
	}
	w := &docx{headings: headings}
	for _, name := range []string{"word/document.xml", "word/footnotes.xml", "word/endnotes.xml"} {
		if err := eachToken(ctx, parts[name], w.take); err != nil {
			return out, err
		}
		w.flush()
	}
	out.Body = w.out.String()
	return out, nil
}

// eachToken hands on the tokens of a part; one that is not there has none.
func eachToken(ctx context.Context, f *zip.File, take func(xml.Token) error) error {
	if f == nil {
		return nil
	}
	in, err := f.Open()
	if err != nil {
		return refuse(Damaged, err)
	}
	defer in.Close()
	bounded := &io.LimitedReader{R: in, N: maxPart}
	d := xml.NewDecoder(&cancelled{ctx: ctx, in: bounded})
	d.Strict = true
	for {
		t, err := d.RawToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case bounded.N <= 0:
			return refuse(TooLarge, nil)
		case err != nil && ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			return refuse(Damaged, err)
		}
		if err := take(t); err != nil {
			return err
		}
	}
}

// cancelled ends reading with its context.
type cancelled struct {
	ctx context.Context
	in  io.Reader
}

func (c *cancelled) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.in.Read(p)
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// headingStyles are the levels of the styles that are headings, by id.
func headingStyles(ctx context.Context, f *zip.File) (map[string]int, error) {
	out := map[string]int{}
	id := ""
	err := eachToken(ctx, f, func(t xml.Token) error {
		e, ok := t.(xml.StartElement)
		if !ok || len(out) > 1000 {
			return nil
		}
		switch e.Name.Local {
		case "style":
			id = attr(e, "styleId")
		case "name":
			name := strings.ToLower(attr(e, "val"))
			if rest, ok := strings.CutPrefix(name, "heading "); ok {
				if n, err := strconv.Atoi(rest); err == nil && n >= 1 && n <= 9 {
					out[id] = min(n, 6)
				}
			}
			if name == "title" {
				out[id] = 1
			}
		case "outlineLvl":
			if n, err := strconv.Atoi(attr(e, "val")); err == nil && n >= 0 && n < 6 && id != "" {
				out[id] = n + 1
			}
		}
		return nil
	})
	return out, err
}

// docx collects the paragraphs of a document.
type docx struct {
	headings map[string]int
	out      strings.Builder

	paragraph strings.Builder
	level     int // of the heading that the paragraph is
	skip      int // how deep in what is left out
	hidden    bool
	inText    bool
	tables    int // how deep in tables
	row       []string
	cell      strings.Builder
}

// leftOut are elements whose text nobody reads: what was deleted or moved away, comments,
// fields, and the fallback of what stands there already.
var leftOut = map[string]bool{"del": true, "moveFrom": true, "delText": true, "instrText": true, "Fallback": true, "comment": true, "rt": true}

func (w *docx) take(t xml.Token) error {
	if w.out.Len()+w.paragraph.Len()+w.cell.Len() > MaxText {
		return refuse(TooLarge, nil)
	}
	switch t := t.(type) {
	case xml.StartElement:
		if w.skip > 0 || leftOut[t.Name.Local] {
			w.skip++
			return nil
		}
		w.begin(t)
	case xml.EndElement:
		if w.skip > 0 {
			w.skip--
			return nil
		}
		w.end(t.Name.Local)
	case xml.CharData:
		if w.inText && w.skip == 0 && !w.hidden {
			w.paragraph.Write(t)
		}
	}
	return nil
}

func (w *docx) begin(e xml.StartElement) {
	switch e.Name.Local {
	case "r":
		w.hidden = false
	case "vanish", "webHidden":
		if v := attr(e, "val"); v != "0" && v != "false" {
			w.hidden = true
		}
	case "t":
		w.inText = true
	case "tab":
		w.paragraph.WriteByte(' ')
	case "br", "cr":
		w.paragraph.WriteByte('\n')
	case "pStyle":
		w.level = w.headings[attr(e, "val")]
	case "tbl":
		w.tables++
	}
}

func (w *docx) end(name string) {
	switch name {
	case "t":
		w.inText = false
	case "r":
		w.hidden = false
	case "p":
		w.flush()
	case "tc":
		if w.tables > 0 {
			w.row = append(w.row, strings.Join(strings.Fields(w.cell.String()), " "))
			w.cell.Reset()
		}
	case "tr":
		if text := strings.Trim(strings.Join(w.row, " | "), " |"); text != "" {
			w.out.WriteString(text + "\n")
		}
		w.row = nil
	case "tbl":
		w.tables = max(0, w.tables-1)
		w.out.WriteByte('\n')
	}
}

// flush ends a paragraph.
func (w *docx) flush() {
	text := strings.TrimSpace(w.paragraph.String())
	level := w.level
	w.paragraph.Reset()
	w.level = 0
	switch {
	case text == "":
	case w.tables > 0:
		w.cell.WriteString(text + " ")
	case level > 0:
		w.out.WriteString("\n" + strings.Repeat("#", level) + " " + strings.Join(strings.Fields(text), " ") + "\n\n")
	default:
		w.out.WriteString(text + "\n\n")
	}
}
