package api

import (
	"encoding/csv"
	"io"
	"iter"
	"strings"
)

// CSV is a table that is written while it is read. Rows that cannot be read end the
// connection: half a table must not look whole.
func CSV(fileName string, header []string, rows iter.Seq2[[]string, error]) Text {
	return Text{Type: "text/csv; charset=utf-8", FileName: fileName, Write: func(w io.Writer) error {
		out := csv.NewWriter(w)
		if err := out.Write(header); err != nil {
			return err
		}
		for row, err := range rows {
			if err != nil {
				return err
			}
			cells := make([]string, len(row))
			for i, text := range row {
				cells[i] = cell(text)
			}
			if err := out.Write(cells); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	}}
}

// cell makes a text safe in a CSV file: a spreadsheet would run one that begins with =,
// +, - or @ (messaging decisions, 6).
func cell(s string) string {
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}
