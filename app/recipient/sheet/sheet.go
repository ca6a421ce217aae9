// Package sheet reads the people that somebody uploads: a CSV file as a
// spreadsheet saves it, a JSON file, or the records of a JSON body.
//
// It promises that every row becomes either a Row or an issue that says what is
// wrong with it, numbered as a spreadsheet numbers it; that a person who stands
// twice counts once, the first time; and that no input makes it take more than a
// multiple of its size. It refuses to know who is there already: that is asked of
// the store.
package sheet

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/recipient/field"
)

// Bounds of an upload (contract 47).
const (
	MaxBytes  = 10 << 20
	MaxRows   = 100_000
	MaxIssues = 500

	maxColumns = 200
	maxShown   = 100 // characters of a value in an issue

	// What is handed to Options.Take at a time.
	takeRows  = 1000
	takeBytes = 1 << 20 // of memory, as Size says

	rowBytes       = 256 // what a row takes besides its texts
	attributeBytes = 64  // what an attribute takes besides its text: its place in a map, and in the copy that is checked
)

// Kind says what an issue is about (contract 35.3).
type Kind string

// The kinds of issue. Only INVALID and DUPLICATE keep a row out.
const (
	Invalid        Kind = "INVALID"
	Duplicate      Kind = "DUPLICATE"
	Suppressed     Kind = "SUPPRESSED"
	OptedOut       Kind = "OPTED_OUT"
	UnknownConsent Kind = "UNKNOWN_CONSENT"
)

// Issue is what there is to say about one row.
type Issue struct {
	Row     int     `json:"row" doc:"The header counts as row 1; records of JSON count from 1."`
	Field   *string `json:"field"`
	Value   *string `json:"value" doc:"As it was written, cut to 100 characters."`
	Kind    Kind    `json:"kind" enum:"INVALID,DUPLICATE,SUPPRESSED,OPTED_OUT,UNKNOWN_CONSENT"`
	Message string  `json:"message"`
}

// NewIssue makes an issue; field and value may be "".
func NewIssue(row int, kind Kind, fieldName, value, message string) Issue {
	i := Issue{Row: row, Kind: kind, Message: message}
	if fieldName != "" {
		i.Field = &fieldName
	}
	if value != "" {
		value = cut(value)
		i.Value = &value
	}
	return i
}

func cut(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if utf8.RuneCountInString(s) <= maxShown {
		return s
	}
	return string([]rune(s)[:maxShown]) + "…"
}

// Row is one person as a row says.
type Row struct {
	Number      int            `json:"row"`
	MessengerID int64          `json:"messenger_id,omitempty"`
	Username    string         `json:"username,omitempty"`
	FirstName   string         `json:"first_name,omitempty"`
	LastName    string         `json:"last_name,omitempty"`
	Language    string         `json:"language,omitempty"`
	Consent     field.Consent  `json:"consent_status,omitempty"`
	ConsentAt   time.Time      `json:"consent_timestamp,omitzero"`
	ConsentNote string         `json:"consent_note,omitempty"`
	Tags        []string       `json:"tags,omitempty"`
	Attributes  map[string]any `json:"attributes,omitempty"`
}

// Sheet is what was read.
type Sheet struct {
	Columns    []string // the field that each column fills, in the order of the file
	Rows       []Row    // good ones, each person once
	Total      int      // rows that say anything
	Invalid    int
	Duplicates int
	Issues     []Issue // the first MaxIssues, by row
	// Encoding is how a text file was written, Name the sheet of a workbook.
	Encoding Encoding
	Name     string
	Warnings []Warning
	// Header are the columns as the file names them, Rejected the rows that are not in
	// Rows, each with a cell for every column.
	Header   []string
	Fields   []string // that each of Header fills, "" for none
	Rejected []Rejected
}

// Warning is something to look at that kept no row out.
type Warning struct {
	Code    string `json:"code" enum:"day_month_order" example:"day_month_order"`
	Field   string `json:"field" example:"consent_timestamp"`
	Row     int    `json:"row" doc:"The first of them."`
	Count   int    `json:"count" doc:"Rows."`
	Message string `json:"message"`
}

// dayMonthOrder is the code of a warning about dates such as 01.05.2024, which is the
// first of May here (contract 21.1).
const dayMonthOrder = "day_month_order"

// Options say how to read.
type Options struct {
	Now time.Time
	// Tags go to every row.
	Tags []string
	// Mapping says which field a column fills, by its header: it goes before what
	// the reader recognizes. A field is one of Fields, attributes.<key>, or "" to
	// leave the column out.
	Mapping map[string]string
	// Sheet names the sheet of a workbook that is read; "": its first.
	Sheet string
	// Take is given the good rows some at a time, so that never all of them are in
	// memory; nil: they are in Sheet.Rows. Its error ends the reading.
	Take func([]Row) error
}

// reader gathers rows.
type reader struct {
	Options
	out   Sheet
	ids   map[int64]int32  // the row in which a person stands first
	names map[string]int32 // likewise, by username in lower case
	bytes int              // of the text of out.Rows, since they were handed on
	kept  int              // bytes of out.Rejected
}

func newReader(o Options) *reader {
	return &reader{Options: o, out: Sheet{Columns: []string{}, Issues: []Issue{}}, ids: map[int64]int32{}, names: map[string]int32{}}
}

// issue keeps an issue while there is room.
func (r *reader) issue(i Issue) {
	if len(r.out.Issues) < MaxIssues {
		r.out.Issues = append(r.out.Issues, i)
	}
}

// take decides what becomes of a row that was read.
func (r *reader) take(d *draft) error {
	r.out.Total++
	d.finish(r.Tags)
	if len(d.problems) > 0 {
		r.out.Invalid++
		for _, p := range d.problems {
			r.issue(p)
		}
		r.reject(d, reasonOf(d.problems))
		return nil
	}
	row := d.row
	first := r.ids[row.MessengerID]
	if name := strings.ToLower(row.Username); first == 0 && name != "" {
		first = r.names[name]
	}
	if first != 0 {
		r.out.Duplicates++
		message := fmt.Sprintf("The same person stands in row %d, which counts.", first)
		r.issue(NewIssue(row.Number, Duplicate, "", "", message))
		r.reject(d, message)
		return nil
	}
	if row.MessengerID != 0 {
		r.ids[row.MessengerID] = int32(row.Number)
	}
	if row.Username != "" {
		r.names[strings.Clone(strings.ToLower(row.Username))] = int32(row.Number) // a part of a row would keep all of it
	}
	if d.dayMonth != "" {
		r.warnOrder(row.Number, d.dayMonth)
	}
	r.out.Rows = append(r.out.Rows, row)
	r.bytes += row.Size()
	if r.Take == nil || len(r.out.Rows) < takeRows && r.bytes < takeBytes {
		return nil
	}
	return r.flush()
}

// flush hands on the rows that were gathered.
func (r *reader) flush() error {
	if r.Take == nil || len(r.out.Rows) == 0 {
		return nil
	}
	rows := r.out.Rows
	r.out.Rows, r.bytes = nil, 0
	return r.Take(rows)
}

// Size is about how many bytes of memory a row takes.
func (r *Row) Size() int {
	n := rowBytes + attributeBytes*len(r.Attributes) + len(r.Username) + len(r.FirstName) + len(r.LastName) + len(r.ConsentNote)
	for _, t := range r.Tags {
		n += len(t)
	}
	for k, v := range r.Attributes {
		n += len(k)
		if s, ok := v.(string); ok {
			n += len(s)
		}
	}
	return n
}

// warnOrder notes a date whose day might be the month.
func (r *reader) warnOrder(row int, value string) {
	if len(r.out.Warnings) == 0 {
		r.out.Warnings = []Warning{{Code: dayMonthOrder, Field: consentAt, Row: row, Message: fmt.Sprintf(
			"Dates such as %s are read as day, month, year; write 2026-03-31 where that is wrong.", value)}}
	}
	r.out.Warnings[0].Count++
}

// Merge puts lists of issues together by row, MaxIssues at most. What is said of
// every second person, that no basis is recorded, gives way to what needs a hand.
func Merge(lists ...[]Issue) []Issue {
	all := append([]Issue{}, slices.Concat(lists...)...) // a list without any is no null
	rank := func(i Issue) int {
		if i.Kind == UnknownConsent {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b Issue) int { return cmp.Or(rank(a)-rank(b), a.Row-b.Row) })
	all = all[:min(len(all), MaxIssues)]
	slices.SortStableFunc(all, func(a, b Issue) int { return a.Row - b.Row })
	return all
}

// errTooMany refuses more rows than an import may have.
func errTooMany(where string) error {
	return api.Wrong(where, "has more than %d rows; cut it into several imports", MaxRows)
}
