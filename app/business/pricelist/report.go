package pricelist

import (
	"cmp"
	"slices"

	"svc/app/recipient/sheet"
)

// Report is what became of a table of offers, or what would.
type Report struct {
	DryRun     bool           `json:"dry_run"`
	Total      int            `json:"total" doc:"Rows that say anything."`
	Valid      int            `json:"valid" doc:"Rows that are imported."`
	Created    int            `json:"created" doc:"On a dry run: that would be."`
	Updated    int            `json:"updated" doc:"On a dry run: that would be."`
	Unchanged  int            `json:"unchanged" doc:"Valid rows that say nothing new."`
	Duplicates int            `json:"duplicates" doc:"Rows whose offer stands in an earlier row, which counts."`
	Invalid    int            `json:"invalid"`
	Issues     []Issue        `json:"issues" nullable:"false" doc:"The first 500, by row."`
	Columns    []string       `json:"columns" nullable:"false" doc:"The field that each column fills."`
	Ignored    []string       `json:"ignored_columns" nullable:"false" doc:"The columns that fill none, as the file names them."`
	Sample     []Row          `json:"sample" nullable:"false" doc:"The first rows, as they were understood."`
	Encoding   sheet.Encoding `json:"encoding,omitempty" enum:"UTF-8,UTF-16LE,UTF-16BE,WINDOWS-1251" doc:"How a text file was written, as far as it can be told."`
	Sheet      string         `json:"sheet,omitempty" doc:"Which sheet of a workbook was read."`
}

// sampleRows is how many rows of a file a report shows.
const sampleRows = 5

// Report is what became of the rows: how many made offers and changed some, how many said
// nothing new, and what was wrong with the others beside what was wrong with their cells.
func (l *List) Report(more []Issue, created, updated, unchanged int) Report {
	issues := append(slices.Clone(l.Issues), more...)
	slices.SortStableFunc(issues, func(a, b Issue) int { return cmp.Compare(a.Row, b.Row) })
	valid := created + updated + unchanged
	return Report{
		Total: l.Total, Valid: valid, Created: created, Updated: updated, Unchanged: unchanged, Duplicates: l.Duplicates,
		Invalid: l.Total - valid - l.Duplicates, Issues: append([]Issue{}, issues[:min(len(issues), MaxIssues)]...), Columns: l.Columns,
		Ignored: l.Ignored, Sample: append([]Row{}, l.Rows[:min(len(l.Rows), sampleRows)]...), Encoding: l.Encoding, Sheet: l.Sheet,
	}
}
