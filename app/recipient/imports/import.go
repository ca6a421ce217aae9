package imports

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/klauspost/compress/zstd"

	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/sheet"
	"svc/app/recipient/suppression"
	"svc/store"
)

// Status says where an import is.
type Status string

// The statuses (contract 6).
const (
	Running Status = "RUNNING"
	Done    Status = "DONE"
	Failed  Status = "FAILED"
)

// ImportReport says what an import did, or on a dry run would do (contract 35.3).
type ImportReport struct {
	DryRun     bool                  `json:"dry_run"`
	Total      int                   `json:"total" doc:"Rows that say anything."`
	Valid      int                   `json:"valid" doc:"Rows that are imported."`
	Created    int                   `json:"created" doc:"0 on a dry run."`
	Updated    int                   `json:"updated" doc:"0 on a dry run."`
	Duplicates int                   `json:"duplicates"`
	Invalid    int                   `json:"invalid"`
	Suppressed int                   `json:"suppressed"`
	OptedOut   int                   `json:"opted_out"`
	ByConsent  map[field.Consent]int `json:"by_consent" nullable:"false" doc:"Rows by the consent that the person ends with."`
	Issues     []sheet.Issue         `json:"issues" nullable:"false" doc:"The first 500."`
	Columns    []string              `json:"columns" nullable:"false" doc:"The field that each column fills. One without a name fills attributes.column_<its place>, when it has values."`
	Sample     []sheet.Row           `json:"sample,omitzero" nullable:"false" doc:"The first rows, as they were understood; only in the answer of the import itself."`
	ImportID   *string               `json:"import_id,omitempty" doc:"Only when the import was saved."`
	Encoding   sheet.Encoding        `json:"encoding,omitempty" enum:"UTF-8,UTF-16LE,UTF-16BE,WINDOWS-1251" doc:"How a text file was written, as far as it can be told."`
	Sheet      string                `json:"sheet,omitempty" doc:"Which sheet of a workbook was read."`
	Warnings   []sheet.Warning       `json:"warnings,omitempty" doc:"What to look at that kept no row out."`
}

// Import is an import as stored.
type Import struct {
	ID       string       `json:"id"`
	Status   Status       `json:"status"`
	FileName string       `json:"file_name,omitempty"`
	Terms    terms        `json:"terms"`
	Tags     []string     `json:"tags,omitempty"`
	Report   ImportReport `json:"report"`
	// Reserved is how many recipients it makes, which count against the plan from the
	// beginning.
	Reserved   int        `json:"reserved"`
	Batches    int        `json:"batches"`
	Processed  int        `json:"processed"` // rows
	ProgressAt time.Time  `json:"progress_at"`
	Job        string     `json:"job"`
	By         importer   `json:"by"`
	CreatedAt  time.Time  `json:"created_at"`
	FinishedAt *time.Time `json:"finished_at,omitempty"`
	// Header are the columns as the file names them, Fields what each fills, "" for
	// nothing; Rejected is how many rows of those that were not taken are kept
	// (rejected.go).
	Header   []string `json:"header,omitempty"`
	Fields   []string `json:"fields,omitempty"`
	Rejected int      `json:"rejected,omitempty"`
	// Hard and Soft count its issues, kept apart (issues): those of rows that need a
	// hand, and those that only say that no basis is recorded.
	Hard int `json:"hard"`
	Soft int `json:"soft"`
}

// issues are those of an import. They are apart because a batch rarely adds to them,
// and they may be larger than all else that it writes.
type issues struct {
	ID   string        `json:"id"`
	List []sheet.Issue `json:"list"`
}

// Used is how many recipients of an organization count against its plan: those that are
// there, and those that the import under way will make.
func Used(tx *store.Tx, org string) (int, error) {
	n, err := recipient.Count(tx, org)
	if err != nil {
		return 0, err
	}
	i, err := underWay.Find(tx, org, runningKey)
	if store.IsNotFound(err) {
		return n, nil
	}
	return n + max(0, i.Reserved-i.Report.Created), err
}

// NamesOf are the file names of imports by id; one that came without a file has none.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, imports, ids, func(i *Import) string { return i.FileName })
}

// importer is who asked for an import: what the job does, it does in that name.
type importer struct {
	Kind api.CallerKind `json:"kind"`
	ID   string         `json:"id"`
	Name string         `json:"name"`
}

// batch is the rows that one transaction imports, sealed until it does: that the
// batch is there means that it was not imported.
type batch struct {
	ID   string       `json:"id"`
	Rows store.Sealed `json:"rows"`
}

var (
	imports  = store.NewTable("recipient_import", "imp", func(i *Import) string { return i.ID })
	underWay = imports.Unique("under_way", func(i *Import) store.Key {
		if i.Status != Running {
			return nil
		}
		return runningKey
	})
	issueLists = store.NewTable("recipient_import_issues", "imp", func(i *issues) string { return i.ID })
	batches    = store.NewTable("recipient_import_batch", "", func(b *batch) string { return b.ID })
	batchRows  = batches.Sealed("rows", func(b *batch) *store.Sealed { return &b.Rows })
)

// runningKey is the same for every import: an organization has one under way.
var runningKey = store.Bool(true)

// maxImports is how many imports of an organization are remembered.
const maxImports = 500

func importTopic(id string) string { return "import:" + id }

func batchID(id string, n int) string { return fmt.Sprintf("%s/%05d", id, n) }

// note keeps what there is to say about more rows, where there is room for it. Rows
// come in order, so what was kept stays.
func (i *Import) note(tx *store.Tx, org string, more []sheet.Issue) error {
	soft := 0
	for _, x := range more {
		if x.Kind == sheet.UnknownConsent {
			soft++
		}
	}
	if (len(more) == soft || i.Hard >= sheet.MaxIssues) && (soft == 0 || i.Hard+i.Soft >= sheet.MaxIssues) {
		return nil
	}
	kept, err := issueLists.Get(tx, org, i.ID)
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	kept.ID, kept.List = i.ID, sheet.Merge(kept.List, more)
	i.Hard, i.Soft = 0, 0
	for _, x := range kept.List {
		if x.Kind == sheet.UnknownConsent {
			i.Soft++
		} else {
			i.Hard++
		}
	}
	return issueLists.Put(tx, org, &kept)
}

// full is the report of an import with its issues.
func (i *Import) full(tx *store.Tx, org string) (ImportReport, error) {
	kept, err := issueLists.Get(tx, org, i.ID)
	if err != nil && !store.IsNotFound(err) {
		return i.Report, err
	}
	i.Report.Issues, i.Report.Sample = kept.List, []sheet.Row{}
	if kept.List == nil {
		i.Report.Issues = []sheet.Issue{}
	}
	return i.Report, nil
}

// judge decides what becomes of a row, as things are now. anySuppressed spares the
// look into a suppression list that is empty. The draft of the row, nil for none, is
// the outcome's when it holds.
func judge(tx *store.Tx, org string, row *sheet.Row, t terms, anySuppressed bool, d *draft) (o outcome, old *recipient.Recipient, err error) {
	who := field.Who{MessengerID: row.MessengerID, Username: row.Username}
	old, taken, err := recipient.Find(tx, org, who)
	if err != nil {
		return o, nil, err
	}
	suppressed := old != nil && old.Suppressed
	if anySuppressed && !suppressed {
		if suppressed, err = suppression.Names(tx, org, who); err != nil {
			return o, nil, err
		}
	}
	if d != nil && old == nil && !suppressed {
		o = d.outcome
		o.draft = d
		return o, nil, nil
	}
	o = merge(old, row, t, suppressed, taken, tx.DB().Now())
	o.named = suppressed
	return o, old, nil
}

// count adds a row to a report.
func (p *ImportReport) count(row *sheet.Row, o *outcome) {
	switch o.issue {
	case sheet.Invalid:
		p.Invalid++
	case sheet.Duplicate:
		p.Duplicates++
	case sheet.Suppressed:
		p.Suppressed++
	case sheet.OptedOut:
		p.OptedOut++
	}
	if o.issue != "" {
		p.Issues = append(p.Issues, sheet.NewIssue(row.Number, o.issue, "", "", o.reason))
	}
	if o.imported() {
		p.Valid++
		p.ByConsent[o.becomes()]++
	}
}

func (o *outcome) imported() bool { return o.issue != sheet.Invalid && o.issue != sheet.Duplicate }

// again makes a row a duplicate whose recipient an earlier row of the import met,
// although the two had no name in common.
func (o *outcome) again() {
	*o = outcome{issue: sheet.Duplicate, reason: "An earlier row is the same recipient, and counts."}
}

// newReport begins the report of a sheet.
func newReport(sh *sheet.Sheet, dryRun bool) ImportReport {
	return ImportReport{
		DryRun: dryRun, Total: sh.Total, Invalid: sh.Invalid, Duplicates: sh.Duplicates, Issues: sh.Issues, Columns: sh.Columns,
		ByConsent: map[field.Consent]int{}, Sample: []sheet.Row{}, Encoding: sh.Encoding, Sheet: sh.Name, Warnings: sh.Warnings,
	}
}

// pack seals nothing yet: it makes the bytes that are sealed.
func pack(rows []sheet.Row) ([]byte, error) {
	data, err := json.Marshal(rows)
	return packer.EncodeAll(data, nil), err
}

func unpack(data []byte) (rows []sheet.Row, err error) {
	plain, err := unpacker.DecodeAll(data, nil)
	if err != nil {
		return nil, fmt.Errorf("rows of an import: %w", err)
	}
	return rows, json.Unmarshal(plain, &rows)
}

// Both are safe for concurrent use; options without a stream cannot fail.
var (
	packer, _   = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(packers))
	unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxUnpacked))
)

// maxUnpacked bounds a batch in memory: our own rows are far smaller.
const maxUnpacked = 256 << 20

// errLostBatch says that the rows of an import are not where they should be.
var errLostBatch = errors.New("a batch of the import is missing")
