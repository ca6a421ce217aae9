package imports

import (
	"fmt"
	"time"

	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/sheet"
	"svc/store"
)

// importPeople answers 200 to a dry run and 201 to an import that was saved, both
// with the report.
func (s *Service) importPeople(c *api.Call, in importIn) (out api.MaybeCreated[ImportReport], err error) {
	req, err := readRequest(c, in)
	if err != nil {
		return out, err
	}
	report, id, err := s.start(c, req)
	if err != nil || req.DryRun {
		return api.MaybeCreated[ImportReport]{Value: report}, err
	}
	sample := report.Sample
	report, err = s.wait(c, id)
	report.Sample, report.ImportID = sample, &id
	return api.MaybeCreated[ImportReport]{Made: true, Value: report}, err
}

// start reads an upload, says what would become of it, and saves it with its job when
// it is no dry run. It waits until there is memory for it, and holds that no longer than
// it reads.
func (s *Service) start(c *api.Call, req request) (report ImportReport, id string, err error) {
	done, err := s.memory.wait(c, req.size())
	if err != nil {
		return report, "", err
	}
	defer done()
	if err := req.open(); err != nil {
		return report, "", err
	}
	p, err := s.prepare(c, req)
	if err != nil || req.DryRun {
		return p.report, "", err
	}
	id, err = s.begin(c, req, p)
	return p.report, id, err
}

// open tells what the file is, before anything is checked: what is neither a text nor a
// workbook is refused for that (contract 21.1).
func (r *request) open() (err error) {
	if r.file != nil {
		if r.opened, err = sheet.Open(r.file.Content); err != nil {
			return err
		}
		if r.Source == "" {
			r.Source = field.CSV
			if r.opened.IsJSON() {
				r.Source = field.JSON
			}
		}
	}
	return r.check()
}

// size is how many bytes there are to read. The XML of a workbook is long for what it
// says: reading it takes no more memory than it has bytes.
func (r *request) size() int {
	if r.file != nil {
		return max(len(r.file.Content), sheet.Unpacked(r.file.Content)/importPerByte)
	}
	return len(r.records)
}

// maxMapping is how many columns a mapping may name.
const maxMapping = 200

// check refuses what no import may ask for, and brings it into form.
func (r *request) check() error {
	wrong := map[string]string{}
	if r.Default == "" {
		r.Default = field.Unknown
	}
	var err error
	if r.Default, err = field.ParseConsent(string(r.Default)); err != nil {
		wrong["default_consent"] = err.Error()
	}
	if r.Tags, err = field.Tags(r.Tags); err != nil {
		wrong["tags"] = err.Error()
	}
	if !validSource(r.Source) {
		wrong["source"] = "must be one of CSV, JSON, API, CRM, MANUAL"
	}
	if r.ListID != "" && r.NewListName != "" {
		wrong["list_id"] = "send list_id or new_list_name, not both"
	}
	if err := field.CheckText(r.NewListName, maxListName); err != nil {
		wrong["new_list_name"] = err.Error()
	}
	if len(r.Mapping) > maxMapping {
		wrong["mapping"] = fmt.Sprintf("may name %d columns at most", maxMapping)
	}
	if r.file == nil && len(r.records) == 0 {
		wrong["records"] = "is needed: a list of people"
	}
	if len(r.records) > sheet.MaxBytes {
		return ErrFileTooLarge
	}
	if len(wrong) > 0 {
		return api.WrongFields(wrong)
	}
	return nil
}

const maxListName = 80

func validSource(s field.Source) bool {
	for _, known := range field.Sources() {
		if s == known {
			return true
		}
	}
	return false
}

// read makes rows of a request, and hands them to take some at a time.
func (r *request) read(now time.Time, take func([]sheet.Row) error) (*sheet.Sheet, error) {
	o := sheet.Options{Now: now, Tags: r.Tags, Mapping: r.Mapping, Sheet: r.Sheet, Take: take}
	if r.file == nil {
		return sheet.ReadRecords(r.records, o, "records")
	}
	return r.opened.Read(o, "file")
}

// wait answers the report of an import that ended. The import goes on when the
// client leaves.
func (s *Service) wait(c *api.Call, id string) (out ImportReport, err error) {
	wake, stop := s.db.Listen(importTopic(id))
	defer stop()
	for {
		var i Import
		err := s.db.View(c, func(tx *store.Tx) (err error) {
			if i, err = imports.Get(tx, c.Org, id); err != nil || i.Status != Done {
				return err
			}
			out, err = i.full(tx, c.Org)
			return err
		})
		switch {
		case err != nil:
			return out, err
		case i.Status == Done:
			return out, nil
		case i.Status == Failed:
			return out, ErrFailed
		}
		select {
		case <-wake:
		case <-c.Done():
			return out, c.Err()
		}
	}
}

// ShownImport is an import as the API answers it.
type ShownImport struct {
	ID         string        `json:"id"`
	Status     Status        `json:"status" enum:"RUNNING,DONE,FAILED"`
	FileName   *string       `json:"file_name"`
	Source     field.Source  `json:"source"`
	Default    field.Consent `json:"default_consent"`
	ListID     *string       `json:"list_id"`
	List       *api.Named    `json:"list"`
	Tags       []string      `json:"tags"`
	Report     ImportReport  `json:"report" doc:"Without its sample; while it runs, so far."`
	CreatedBy  *string       `json:"created_by"`
	Creator    *api.Named    `json:"creator"`
	CreatedAt  time.Time     `json:"created_at"`
	FinishedAt *time.Time    `json:"finished_at"`
}

type importsIn struct {
	api.PageIn
	Sort string `query:"sort" enum:"created_at,-created_at" default:"-created_at"`
}

func (s *Service) listImports(c *api.Call, tx *store.Tx, in importsIn) (out api.Page[ShownImport], err error) {
	page, err := imports.Page(tx, c.Org, store.Query[Import]{Reverse: in.Sort[0] == '-', Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
	if err != nil {
		return out, err
	}
	return api.ShowPage(page, in.PageIn, func(x *Import) (ShownImport, error) { return x.shown(tx, c.Org) })
}

func (s *Service) getImport(c *api.Call, tx *store.Tx, in recipient.IDIn) (out ShownImport, err error) {
	i, err := imports.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	return i.shown(tx, c.Org)
}

// shown is an import as the API answers it. The sample is in the answer of the import
// itself only (contract 6).
func (i *Import) shown(tx *store.Tx, org string) (ShownImport, error) {
	report, err := i.full(tx, org)
	report.Sample = nil
	return ShownImport{
		ID: i.ID, Status: i.Status, FileName: api.Optional(i.FileName), Source: i.Terms.Source, Default: i.Terms.Default,
		ListID: api.Optional(i.Terms.List), List: api.Ref(org, i.Terms.List), Tags: append([]string{}, i.Tags...), Report: report, CreatedBy: api.Optional(i.By.ID), Creator: api.Ref(org, i.By.ID),
		CreatedAt: i.CreatedAt, FinishedAt: i.FinishedAt,
	}, err
}
