package api

import (
	"encoding/csv"
	"io"
	"iter"

	"svc/app/api/cell"
)

// CSV is a table that is written while it is read. Rows that cannot be read end the
// connection: half a table must not look whole. Every cell, those of the header too, is
// written as cell.Escape makes it.
func CSV(fileName string, header []string, rows iter.Seq2[[]string, error]) Text {
	return Text{Type: "text/csv; charset=utf-8", FileName: fileName, Write: func(w io.Writer) error {
		out := csv.NewWriter(w)
		if err := out.Write(escapeRow(header)); err != nil {
			return err
		}
		for row, err := range rows {
			if err != nil {
				return err
			}
			if err := out.Write(escapeRow(row)); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	}}
}

// escapeRow is cell.Escape of a row.
func escapeRow(row []string) []string {
	cells := make([]string, len(row))
	for i, text := range row {
		cells[i] = cell.Escape(text)
	}
	return cells
}
