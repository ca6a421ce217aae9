package sheet

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Rejected is a row that was not taken, as the file had it, and why.
type Rejected struct {
	Row    int      `json:"row"`
	Reason string   `json:"reason"`
	Cells  []string `json:"cells"` // one for each column of the header

	fields map[string]string // of a record of JSON, until the header is known
}

// How many rejected rows of a file are kept, and how many bytes of memory.
const (
	MaxRejected      = 10_000
	maxRejectedBytes = 4 << 20

	cellBytes = 16 // what a cell takes besides its text
)

// The columns that stand behind those of the file in a list of rejected rows. An import
// knows and skips them, so that the list can be mended and imported.
const (
	RejectedRow    = "import_row"
	RejectedReason = "import_reason"
)

// reject keeps a row that is not taken, while there is room.
func (r *reader) reject(d *draft, reason string) {
	size := len(reason) + cellBytes*len(d.cells)
	for _, c := range d.cells {
		size += len(c)
	}
	for _, v := range d.fields {
		size += len(v)
	}
	if len(r.out.Rejected) < MaxRejected && r.kept+size <= maxRejectedBytes {
		r.out.Rejected = append(r.out.Rejected, Rejected{Row: d.row.Number, Reason: reason, Cells: slices.Clone(d.cells), fields: d.fields})
		r.kept += size
	}
}

// reasonOf is what is wrong with a row, in one text.
func reasonOf(problems []Issue) string {
	said := make([]string, len(problems))
	for i, p := range problems {
		said[i] = p.Message
	}
	return strings.Join(said, " ")
}

// spread gives the rejected records of JSON a cell for each name that any of them has.
func (s *Sheet) spread(o Options, names map[string]bool) {
	s.Header = slices.SortedFunc(maps.Keys(names), byField)
	s.Fields = make([]string, len(s.Header))
	for i, name := range s.Header {
		s.Fields[i], _ = (&draft{Options: o}).target(name)
	}
	for i := range s.Rejected {
		x := &s.Rejected[i]
		x.Cells = make([]string, len(s.Header))
		for n, name := range s.Header {
			x.Cells[n] = x.fields[name]
		}
		x.fields = nil
	}
}

// Cells is a row as a line with these columns, each of which is a field: what remains of
// a row of which the file is gone.
func (r *Row) Cells(columns []string) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		switch c {
		case messengerID:
			if r.MessengerID != 0 {
				out[i] = strconv.FormatInt(r.MessengerID, 10)
			}
		case userName:
			out[i] = r.Username
		case firstName:
			out[i] = r.FirstName
		case lastName:
			out[i] = r.LastName
		case language:
			out[i] = r.Language
		case consent:
			out[i] = string(r.Consent)
		case consentAt:
			if !r.ConsentAt.IsZero() {
				out[i] = r.ConsentAt.Format("2006-01-02T15:04:05.999Z07:00")
			}
		case consentNote:
			out[i] = r.ConsentNote
		case tags:
			out[i] = strings.Join(r.Tags, ";")
		default:
			if v, ok := r.Attributes[strings.TrimPrefix(c, attributePrefix)]; ok {
				out[i] = fmt.Sprint(v)
			}
		}
	}
	return out
}
