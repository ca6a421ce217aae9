// Package pricelist reads what a business offers from a table that somebody uploads: a CSV
// file or a workbook, with the columns of our own export or of a shop's own list.
//
// It promises that every row becomes either a Row or an issue that says what is wrong with
// it, numbered as a spreadsheet numbers it; that an offer that stands twice counts once, the
// first time; and that a table is read no further than it is allowed to be long. It refuses
// to know which offers there are: that is asked of the store.
package pricelist

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"svc/app/api"
	escaped "svc/app/api/cell"
	"svc/app/business/price"
	"svc/app/recipient/sheet"
	"svc/store"
)

// Bounds of an upload.
const (
	MaxBytes  = 5 << 20
	MaxRows   = 2000
	MaxIssues = sheet.MaxIssues
)

// Kind says why a row is not taken.
type Kind string

// The kinds of issue.
const (
	Invalid   Kind = "INVALID"
	Duplicate Kind = "DUPLICATE"
)

// Issue is what is wrong with one row.
type Issue struct {
	Row     int     `json:"row" doc:"The row that names the columns counts as row 1."`
	Field   *string `json:"field"`
	Value   *string `json:"value" doc:"As it was written, cut to 100 characters."`
	Kind    Kind    `json:"kind" enum:"INVALID,DUPLICATE"`
	Message string  `json:"message"`
}

// NewIssue makes an issue; field and value may be "".
func NewIssue(row int, kind Kind, field, value, message string) Issue {
	i := sheet.NewIssue(row, "", field, value, message)
	return Issue{i.Row, i.Field, i.Value, kind, i.Message}
}

// Row is one offer as a row says; what is empty says nothing.
type Row struct {
	Number       int           `json:"row"`
	Name         string        `json:"name"`
	Type         string        `json:"type,omitempty"`
	Description  string        `json:"description,omitempty"`
	Price        *price.Amount `json:"price,omitempty"`
	PriceMax     *price.Amount `json:"price_max,omitempty"`
	Currency     string        `json:"currency,omitempty"`
	PriceNote    string        `json:"price_note,omitempty"`
	Availability string        `json:"availability,omitempty"`
	Delivery     string        `json:"delivery,omitempty"`
	URL          string        `json:"url,omitempty"`
	Priority     *int          `json:"sales_priority,omitempty"`
	Active       *bool         `json:"active,omitempty"`
}

// List is what was read.
type List struct {
	Rows       []Row
	Total      int // rows that say anything
	Duplicates int
	Issues     []Issue  // of the rows that are not in Rows, all of them
	Columns    []string // the field that each column fills, in the order of the file
	Ignored    []string // the columns that fill none, as the file names them
	Encoding   sheet.Encoding
	Sheet      string // of a workbook
}

// Options say how to read.
type Options struct {
	// Sheet names the sheet of a workbook that is read; "": its first.
	Sheet string
	// Mapping says which field a column fills, by its header: it goes before what the reader
	// recognizes. A field is one of Fields, or "" to leave the column out.
	Mapping map[string]string
}

// reader gathers rows.
type reader struct {
	List
	where   string
	header  []string
	columns []string       // the field that each fills, "" for none
	first   map[string]int // the row in which a folded name stands first
	ours    bool           // the file is an export of ours
}

// Read reads the rows of a file; where is the field of the request that refusals name.
func Read(f sheet.File, o Options, where string) (*List, error) {
	r := &reader{where: where, first: map[string]int{}}
	name, err := f.Rows(o.Sheet, where, func(cells []string, number int) error {
		if r.columns == nil {
			return r.begin(slices.Clone(cells), o.Mapping)
		}
		return r.row(cells, number)
	})
	r.Encoding, r.Sheet = f.Encoding, name
	return &r.List, err
}

// row takes the cells of a row. The error ends the reading.
func (r *reader) row(cells []string, number int) error {
	if strings.TrimSpace(strings.Join(cells, "")) == "" {
		return nil
	}
	if r.Total++; r.Total > MaxRows {
		return api.Wrong(r.where, "has more than %d rows; cut it into several imports", MaxRows)
	}
	d := draft{row: Row{Number: number}}
	for i, cell := range cells {
		if r.ours {
			cell = escaped.Unescape(cell)
		}
		switch cell = strings.TrimSpace(cell); {
		case cell == "":
		case i >= len(r.columns):
			d.wrong("", cell, fmt.Sprintf("The row has a value in column %d, and the first row names %d: put a value that holds the separator into quotes, or name the column.",
				i+1, len(r.columns)))
		default:
			d.set(r.columns[i], cell)
		}
	}
	d.finish()
	key := store.Fold(d.row.Name)
	first, duplicate := r.first[key]
	switch {
	case len(d.problems) > 0:
		r.Issues = append(r.Issues, d.problems...)
	case duplicate:
		r.Duplicates++
		r.Issues = append(r.Issues, NewIssue(number, Duplicate, name, d.row.Name, fmt.Sprintf("The same offer stands in row %d, which counts.", first)))
	default:
		r.first[key] = number
		r.Rows = append(r.Rows, d.row)
	}
	return nil
}

// draft is a row in the making.
type draft struct {
	row      Row
	named    bool   // it says a name, be it a wrong one
	beside   string // the currency beside its prices
	problems []Issue
}

func (d *draft) wrong(field, value, message string) {
	d.problems = append(d.problems, NewIssue(d.row.Number, Invalid, field, value, message))
}

// set fills a field with a text that is not empty.
func (d *draft) set(field, value string) {
	var err error
	text := func(into *string, most int) {
		if utf8.RuneCountInString(value) > most {
			err = fmt.Errorf("must not be longer than %d characters", most)
		}
		*into = value
	}
	switch field {
	case name:
		d.named, value = true, strings.Join(strings.Fields(value), " ")
		text(&d.row.Name, 200)
	case kind:
		d.row.Type, err = wordOf(types, value)
	case description:
		text(&d.row.Description, 4000)
	case lowest:
		d.row.Price, err = d.amount(value)
	case highest:
		d.row.PriceMax, err = d.amount(value)
	case currency:
		if d.row.Currency = price.Currency(value); d.row.Currency == "" {
			err = errCurrency
		}
	case priceNote:
		text(&d.row.PriceNote, 500)
	case availability:
		d.row.Availability, err = wordOf(availabilities, value)
	case delivery:
		text(&d.row.Delivery, 1000)
	case address:
		text(&d.row.URL, 2048)
	case priority:
		d.row.Priority, err = whole(value)
	case active:
		var word string
		if word, err = wordOf(truths, value); err == nil {
			yes := word == yesWord
			d.row.Active = &yes
		}
	}
	if err != nil {
		d.wrong(field, value, field+" "+err.Error()+".")
	}
}

// amount reads a price, and the currency beside it.
func (d *draft) amount(value string) (*price.Amount, error) {
	a, code, err := price.ReadCell(value)
	if err != nil {
		return nil, err
	}
	if d.beside == "" {
		d.beside = code
	}
	if code != "" && code != d.beside {
		return nil, errTwoCurrencies
	}
	return &a, nil
}

// finish checks what only the whole row can be checked for.
func (d *draft) finish() {
	if d.row.Name == "" && !d.named {
		d.wrong(name, "", "name is needed: the row says no offer.")
	}
	switch d.row.Currency {
	case "":
		d.row.Currency = d.beside
	case d.beside:
	default:
		if d.beside != "" {
			d.wrong(currency, d.row.Currency, currency+" "+errTwoCurrencies.Error()+".")
		}
	}
}

func whole(value string) (*int, error) {
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > 100 {
		return nil, errPriority
	}
	return &n, nil
}
