package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"svc/app/api"
)

// A workbook is read as a stream of XML out of its archive: nothing of it is unpacked to
// the disk, where it would lie open, and no more than its shared texts is in memory.
//
// The library for this (excelize v2.11.1) was measured and not taken. With everything in
// memory it takes 118 MB for 100,000 people, 377 MB when their texts are shared, and up to
// 958 MB for hostile workbooks of 100 KB; told to take less, it writes people into files
// in the clear, and still takes 88, 309 and 757 MB. This reader takes 55 MB at most
// (BenchmarkWorkbook), of the 60 that an import may (contract 21.3).
//
// These bound what a hostile one costs.
const (
	maxUnpacked    = 128 << 20 // bytes of one part of the archive
	maxParts       = 2000
	maxSheets      = 250
	maxSharedTexts = 500_000
	maxSharedBytes = 16 << 20
	maxStyles      = 10_000
)

// workbook is an XLSX file.
type workbook struct {
	parts  map[string]*zip.File
	sheets []sheetRef
	old    bool // days are counted from 1904
	dates  []dateKind
	shared texts
}

type sheetRef struct {
	name, part string
	hidden     bool
}

// openWorkbook finds the sheets of a workbook. The error is ErrNotText when the archive
// holds none.
func openWorkbook(content []byte) (*workbook, error) {
	archive, err := openArchive(content)
	if err != nil {
		return nil, err
	}
	w := &workbook{parts: map[string]*zip.File{}}
	for _, f := range archive.File {
		w.parts[strings.TrimPrefix(strings.ReplaceAll(f.Name, `\`, "/"), "/")] = f
	}
	const main = "xl/workbook.xml"
	if w.parts[main] == nil {
		return nil, ErrNotText
	}
	targets := map[string]string{}
	err = w.each("xl/_rels/workbook.xml.rels", func(_ *pieces, e xml.StartElement) error {
		if e.Name.Local == "Relationship" && len(targets) < maxParts {
			target := attr(e, "Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join("xl", target)
			}
			targets[attr(e, "Id")] = strings.TrimPrefix(target, "/")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = w.each(main, func(_ *pieces, e xml.StartElement) error {
		switch {
		case e.Name.Local == "workbookPr":
			w.old = isOn(attr(e, "date1904"))
		case e.Name.Local == "sheet" && len(w.sheets) < maxSheets:
			if part := targets[attr(e, "id")]; w.parts[part] != nil && !strings.Contains(part, "chartsheets/") {
				w.sheets = append(w.sheets, sheetRef{attr(e, "name"), part, attr(e, "state") != "" && attr(e, "state") != "visible"})
			}
		}
		return nil
	})
	if err == nil && len(w.sheets) == 0 {
		err = ErrNotText
	}
	return w, err
}

// openArchive reads which parts there are. Each costs some hundred bytes, and an archive
// of 10 MB could say that it has 200,000: they are counted by their mark before.
func openArchive(content []byte) (*zip.Reader, error) {
	if bytes.Count(content, []byte("PK\x01\x02")) > maxParts {
		return nil, ErrNotText
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err != nil {
		return nil, ErrNotText.WithCause(err)
	}
	return archive, nil
}

// Unpacked is how many bytes the parts of a workbook have when they are unpacked, as it
// says itself: no more is read. 0 for another file.
func Unpacked(content []byte) (n int) {
	if !bytes.HasPrefix(content, zipMark) {
		return 0
	}
	archive, err := openArchive(content)
	if err != nil {
		return 0
	}
	for _, f := range archive.File {
		n += int(min(f.UncompressedSize64, maxUnpacked))
	}
	return n
}

func isOn(s string) bool { return s == "1" || s == "true" }

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// pieces are the parts of an XML text, none of which is larger than maxRecord.
type pieces struct {
	*xml.Decoder
	from *bounded
}

// next is the next piece; io.EOF at the end, ErrNotText for what is no XML.
func (p *pieces) next() (xml.Token, error) {
	p.from.from(p.InputOffset())
	t, err := p.RawToken()
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, ErrNotText.WithCause(err)
	}
	return t, err
}

// errEnough ends each early.
var errEnough = errors.New("enough")

// each calls a function for every element of a part of the archive; a part that is not
// there has none.
func (w *workbook) each(name string, do func(*pieces, xml.StartElement) error) error {
	f := w.parts[name]
	if f == nil {
		return nil
	}
	if f.UncompressedSize64 > maxUnpacked {
		return ErrNotText.WithMessage("The workbook unpacks to more than %d MB; save it without pictures, or as CSV.", maxUnpacked>>20)
	}
	in, err := f.Open()
	if err != nil {
		return ErrNotText.WithCause(err)
	}
	defer in.Close()
	from := &bounded{in: io.LimitReader(in, int64(f.UncompressedSize64))} // it may say less than it has
	p := &pieces{xml.NewDecoder(from), from}
	p.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, errors.New("XML of a workbook is in UTF-8") }
	for {
		t, err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok {
			if err := do(p, e); errors.Is(err, errEnough) {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
}

// text is what stands in an element that began: all its <t>, without readings of them.
func (p *pieces) text(within string) (string, error) {
	var out strings.Builder
	in, aside := within != "si" && within != "is", 0
	for {
		t, err := p.next()
		if err != nil {
			return "", notWhole(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				in = aside == 0
			case "rPh":
				aside++
			}
		case xml.EndElement:
			switch t.Name.Local {
			case within:
				return out.String(), nil
			case "t":
				in = false
			case "rPh":
				aside--
			}
		case xml.CharData:
			if in && out.Len()+len(t) > maxRecord {
				return "", errLong
			}
			if in {
				out.Write(t)
			}
		}
	}
}

// notWhole makes the end of a file within an element what it is: a broken file.
func notWhole(err error) error {
	if errors.Is(err, io.EOF) {
		return ErrNotText
	}
	return err
}

// find is the sheet of that name in any case, the first for "".
func (w *workbook) find(name string) (sheetRef, error) {
	if name == "" {
		return w.sheets[0], nil
	}
	names := make([]string, 0, len(w.sheets))
	for _, s := range w.sheets {
		if strings.EqualFold(s.name, strings.TrimSpace(name)) {
			return s, nil
		}
		names = append(names, s.name)
	}
	return sheetRef{}, api.Wrong("sheet", "there is no sheet %.80q; the workbook has %.500s", name, strings.Join(names, ", "))
}

// read reads the people of the sheet that is asked for.
func (w *workbook) read(o Options, where string) (*Sheet, error) {
	var t *table
	name, err := w.eachRow(o.Sheet, where, o.into(&t, where))
	if err != nil {
		return nil, err
	}
	t.out.Name = name
	return t.end()
}

// eachRow calls a function for every row of the sheet that is asked for, from the first that
// holds something, and answers the name of the sheet.
func (w *workbook) eachRow(asked, where string, take func(cells []string, number int) error) (name string, err error) {
	s, err := w.find(asked)
	if err != nil {
		return "", err
	}
	if err := w.readShared(where); err != nil {
		return "", err
	}
	if err := w.readStyles(); err != nil {
		return "", err
	}
	last, begun := 0, false
	err = w.each(s.part, func(p *pieces, e xml.StartElement) error {
		if e.Name.Local != "row" {
			return nil
		}
		number := last + 1
		if n, err := strconv.Atoi(attr(e, "r")); err == nil && n > last {
			number = n
		}
		last = number
		cells, err := w.cells(p, number, where)
		if err != nil || !begun && blank(cells) {
			return err
		}
		begun = true
		return take(cells, number)
	})
	if err == nil && !begun {
		err = api.Wrong(where, "has nothing in the sheet %.80q; its first row names the columns", s.name)
	}
	return s.name, err
}

func blank(cells []string) bool { return strings.TrimSpace(strings.Join(cells, "")) == "" }

// cells are the values of a row that began.
func (w *workbook) cells(p *pieces, number int, where string) (out []string, err error) {
	size, next := 0, 0
	for {
		t, err := p.next()
		if err != nil {
			return nil, notWhole(err)
		}
		if e, ok := t.(xml.EndElement); ok && e.Name.Local == "row" {
			return out, nil
		}
		e, ok := t.(xml.StartElement)
		if !ok || e.Name.Local != "c" {
			continue
		}
		at := next
		if n := columnOf(attr(e, "r")); n >= 0 {
			at = n
		}
		next = at + 1
		value, err := w.value(p, attr(e, "t"), attr(e, "s"))
		if err == nil {
			size += len(value)
		}
		switch {
		case errors.Is(err, errLong) || size > maxRecord:
			return nil, api.Wrong(where, "has more than %d bytes in row %d, up to column %d; shorten the row", maxRecord, number, at+1)
		case err != nil:
			return nil, err
		case value == "":
			continue
		case at >= maxColumns:
			return nil, api.Wrong(where, "has a value in column %d of row %d; %d columns are allowed", at+1, number, maxColumns)
		}
		for len(out) <= at {
			out = append(out, "")
		}
		out[at] = value
	}
}

// columnOf is the place of a column by the letters of a cell such as AB12, -1 for none.
func columnOf(ref string) int {
	n := 0
	for i := 0; i < len(ref) && ref[i] >= 'A' && ref[i] <= 'Z' && i < 4; i++ {
		n = n*26 + int(ref[i]-'A') + 1
	}
	return n - 1
}

// value is a cell that began, as its row in a CSV file would have it.
func (w *workbook) value(p *pieces, kind, style string) (value string, err error) {
	for {
		t, err := p.next()
		if err != nil {
			return "", notWhole(err)
		}
		switch t := t.(type) {
		case xml.EndElement:
			if t.Name.Local == "c" {
				return w.shown(value, kind, style)
			}
		case xml.StartElement:
			if name := t.Name.Local; name == "v" || name == "is" {
				if value, err = p.text(name); err != nil {
					return "", err
				}
			}
		}
	}
}

// shown is a stored value as a person wrote it.
func (w *workbook) shown(value, kind, style string) (string, error) {
	switch kind {
	case "s":
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 || n >= w.shared.count() {
			return "", ErrNotText.WithCause(fmt.Errorf("shared text %.20q is not there", value))
		}
		return w.shared.at(n), nil
	case "b":
		return strconv.FormatBool(value == "1"), nil
	case "", "n":
		return w.number(value, style), nil
	}
	return value, nil
}
