package sheet

import (
	"slices"
	"strings"

	"svc/app/api"
	escaped "svc/app/api/cell"
)

// table makes rows of the cells of a file whose first row names the columns.
type table struct {
	*reader
	where   string
	header  []string
	columns []string // the field that each fills
	filled  []bool
	cells   []string // of the row that is read
	ours    bool     // an export of this service, or its list of rejected rows
}

func (o Options) table(header []string, where string) (*table, error) {
	if len(header) > maxColumns {
		return nil, api.Wrong(where, "has %d columns in row 1; %d are allowed", len(header), maxColumns)
	}
	ours := isOurs(trimmed(header))
	if ours {
		header = trimmed(header)
	}
	columns, err := o.columns(header, where)
	if err != nil {
		return nil, err
	}
	t := &table{reader: newReader(o), where: where, header: header, columns: columns, filled: make([]bool, len(columns)), ours: ours}
	for i, h := range header {
		if !ours || !slices.Contains(rejectedOnly, h) {
			t.out.Header = append(t.out.Header, headerName(h, i))
			t.out.Fields = append(t.out.Fields, columns[i])
		}
	}
	return t, nil
}

// into makes a table of rows that come one after the other: the first names its columns.
func (o Options) into(t **table, where string) func(cells []string, number int) error {
	return func(cells []string, number int) (err error) {
		if *t == nil {
			*t, err = o.table(slices.Clone(cells), where)
			return err
		}
		return (*t).row(cells, number)
	}
}

func trimmed(header []string) []string {
	out := make([]string, len(header))
	for i, h := range header {
		out[i] = strings.TrimSpace(h)
	}
	return out
}

// headerName is a column as the list of rejected rows calls it.
func headerName(name string, at int) string {
	if strings.TrimSpace(name) == "" {
		return columnName(at)
	}
	return name
}

// row takes the cells of a row. The error ends the reading.
func (t *table) row(cells []string, number int) error {
	if len(cells) > max(maxColumns, len(t.columns)) {
		return api.Wrong(t.where, "has %d columns in row %d; %d are allowed", len(cells), number, maxColumns)
	}
	d := draft{Options: t.Options, cells: t.cells[:0]}
	d.row.Number = number
	for i := range min(len(cells), len(t.columns)) {
		cell := cells[i]
		if t.ours {
			cell = escaped.Unescape(cell)
		}
		if !t.ours || !slices.Contains(rejectedOnly, t.header[i]) {
			d.cells = append(d.cells, cell)
		}
		d.set(t.columns[i], cell)
		t.filled[i] = t.filled[i] || strings.TrimSpace(cell) != ""
	}
	for len(d.cells) < len(t.out.Header) {
		d.cells = append(d.cells, "")
	}
	t.cells = d.cells
	d.surplus(cells, len(t.columns))
	if d.empty() {
		return nil
	}
	if t.out.Total == MaxRows {
		return errTooMany(t.where)
	}
	return t.take(&d)
}

// end is the sheet when all rows were read. A column without a name counts when it has a
// value.
func (t *table) end() (*Sheet, error) {
	for i, c := range t.columns {
		if c != "" && (!nameless(t.header[i]) || t.filled[i]) {
			t.out.Columns = append(t.out.Columns, c)
		}
	}
	return &t.out, t.flush()
}
