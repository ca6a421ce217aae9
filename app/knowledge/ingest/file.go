package ingest

import (
	"context"
	"errors"
	"fmt"

	"svc/ai/chunk"
	"svc/ai/document"
	"svc/app/knowledge/source"
	"svc/app/recipient/sheet"
	"svc/app/vault"
)

// maxCells bounds the cells of a table (contract 13.21).
const maxCells = 200_000

// file makes chunks of an uploaded file.
func (s *Service) file(ctx context.Context, src *source.Source) (m source.Made, err error) {
	content, err := s.sources.ReadFile(src)
	if err != nil {
		if errors.Is(err, vault.ErrDamaged) {
			return m, &Refused{source.Code(document.Damaged), err}
		}
		return m, err
	}
	kind, err := document.KindOf(src.FileName, content)
	if err != nil {
		return m, documentRefusal(err)
	}
	if kind == document.CSV || kind == document.XLSX {
		m.Chunks, err = table(kind, src.Title, content)
		return m, err
	}
	text, err := document.Read(ctx, kind, content)
	if err != nil {
		return m, documentRefusal(err)
	}
	m.Chunks, err = chunk.Split(src.Title, text.Body)
	return m, err
}

// documentRefusal makes a refusal of what is wrong with a document.
func documentRefusal(err error) error {
	var e *document.Error
	if errors.As(err, &e) {
		return &Refused{source.Code(e.Code), err}
	}
	return err
}

// errCells ends the reading of a table that has too many cells.
var errCells = errors.New("too many cells")

// rowsOf are the rows of one sheet, below its first one.
type rowsOf struct {
	name   string
	header []string
	rows   [][]string
}

// table makes chunks of the rows of a table: each cell below its header.
func table(kind document.Kind, title string, content []byte) (out []chunk.Chunk, err error) {
	if kind == document.CSV {
		text, err := document.Decode(content, "")
		if err != nil {
			return nil, documentRefusal(err)
		}
		content = []byte(text)
	}
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, &Refused{source.Code(document.Damaged), fmt.Errorf("%v", p)}
		}
	}()
	f, err := sheet.Open(content)
	if err != nil {
		return nil, &Refused{source.Code(document.Damaged), err}
	}
	var sheets []rowsOf
	cells := 0
	_, err = f.EachSheet("file", func(name string, row []string) error {
		if cells += len(row); cells > maxCells {
			return errCells
		}
		row = append([]string(nil), row...)
		if n := len(sheets); n == 0 || sheets[n-1].name != name {
			sheets = append(sheets, rowsOf{name: name, header: row})
			return nil
		}
		last := &sheets[len(sheets)-1]
		last.rows = append(last.rows, row)
		return nil
	})
	switch {
	case errors.Is(err, errCells):
		return nil, &Refused{TooLong, err}
	case err != nil:
		return nil, &Refused{source.Code(document.Damaged), err}
	}
	return chunksOfSheets(title, sheets)
}

func chunksOfSheets(title string, sheets []rowsOf) (out []chunk.Chunk, err error) {
	for _, s := range sheets {
		if len(s.rows) == 0 { // a single row is what there is to know
			s.header, s.rows = nil, [][]string{s.header}
		}
		name := title
		if s.name != "" && len(sheets) > 1 {
			name = title + " › " + s.name
		}
		part, err := chunk.Table(name, s.header, s.rows)
		if errors.Is(err, chunk.ErrEmpty) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for i := range part {
			part[i].N = len(out)
			out = append(out, part[i])
		}
	}
	switch {
	case len(out) == 0:
		return nil, chunk.ErrEmpty
	case len(out) > chunk.MaxChunks:
		return nil, chunk.ErrTooMany
	}
	return out, nil
}
