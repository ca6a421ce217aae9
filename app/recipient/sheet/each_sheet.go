package sheet

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
)

// EachSheet reads all tables of a file, a CSV file or a workbook: take is given each row that is
// not empty with the name of its sheet, "" in a CSV file, and keeps nothing of it. Sheets
// that are hidden in the workbook are passed over, and their names answered. The errors are
// those of File.Read.
func (f File) EachSheet(where string, take func(sheet string, cells []string) error) (hidden []string, err error) {
	if f.book != nil {
		return f.book.rows(where, take)
	}
	in := newLines(f.text)
	for {
		cells, _, err := in.row()
		switch {
		case errors.Is(err, io.EOF):
			return nil, nil
		case err != nil:
			return nil, in.refuse(err, len(cells), where)
		case blank(cells):
			continue
		}
		if err := take("", cells); err != nil {
			return nil, err
		}
	}
}

func (w *workbook) rows(where string, take func(sheet string, cells []string) error) (hidden []string, err error) {
	if err := w.readShared(where); err != nil {
		return nil, err
	}
	if err := w.readStyles(); err != nil {
		return nil, err
	}
	for _, s := range w.sheets {
		if s.hidden {
			hidden = append(hidden, s.name)
			continue
		}
		number := 0
		err := w.each(s.part, func(p *pieces, e xml.StartElement) error {
			if e.Name.Local != "row" || attr(e, "hidden") == "1" {
				return nil
			}
			number++
			cells, err := w.cells(p, number, where)
			if err != nil || blank(cells) {
				return err
			}
			return take(s.name, cells)
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.Clip(hidden), nil
}
