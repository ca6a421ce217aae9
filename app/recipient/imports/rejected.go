package imports

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"svc/app/api"
	"svc/app/recipient"
	"svc/app/recipient/sheet"
	"svc/store"
)

// rejectedRows are some of the rows of an import that were not taken, sealed: they are
// about people (contract 21.1).
type rejectedRows struct {
	ID   string       `json:"id"`
	Rows store.Sealed `json:"rows"`
}

var (
	rejectedTable = store.NewTable("recipient_import_rejected", "", func(r *rejectedRows) string { return r.ID })
	rejectedSeal  = rejectedTable.Sealed("rows", func(r *rejectedRows) *store.Sealed { return &r.Rows })
)

// rejectedChunk is how many of them are one record.
const rejectedChunk = 500

func rejectedID(id string, chunk int) string { return fmt.Sprintf("%s/%05d", id, chunk) }

// keepRejected adds rows to those that are kept, while there is room. The caller saves
// the import.
func (i *Import) keepRejected(tx *store.Tx, org string, rows []sheet.Rejected) error {
	rows = rows[:min(len(rows), sheet.MaxRejected-i.Rejected)]
	for len(rows) > 0 {
		at := i.Rejected / rejectedChunk
		kept, err := i.rejectedAt(tx, org, at)
		if err != nil {
			return err
		}
		n := min(len(rows), rejectedChunk-len(kept))
		data, err := json.Marshal(append(kept, rows[:n]...))
		if err != nil {
			return err
		}
		rec := rejectedRows{ID: rejectedID(i.ID, at)}
		if err := rejectedSeal.Set(tx, org, &rec, packer.EncodeAll(data, nil)); err != nil {
			return err
		}
		if err := rejectedTable.Put(tx, org, &rec); err != nil {
			return err
		}
		rows = rows[n:]
		i.Rejected += n
	}
	return nil
}

// rejectedAt reads one record of rejected rows; one that is not there has none.
func (i *Import) rejectedAt(tx *store.Tx, org string, chunk int) (rows []sheet.Rejected, err error) {
	rec, err := rejectedTable.Get(tx, org, rejectedID(i.ID, chunk))
	if store.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	packed, err := rejectedSeal.Open(tx.DB(), org, &rec)
	if err != nil {
		return nil, err
	}
	plain, err := unpacker.DecodeAll(packed, nil)
	if err != nil {
		return nil, fmt.Errorf("rejected rows of an import: %w", err)
	}
	return rows, json.Unmarshal(plain, &rows)
}

// forgetRejected deletes what is kept.
func (i *Import) forgetRejected(tx *store.Tx, org string) error {
	for chunk := 0; chunk*rejectedChunk < i.Rejected; chunk++ {
		if err := rejectedTable.Delete(tx, org, rejectedID(i.ID, chunk)); err != nil && !store.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// rejected is a row that the store refused, as far as it is still known.
func (i *Import) rejected(row *sheet.Row, o *outcome) sheet.Rejected {
	return sheet.Rejected{Row: row.Number, Reason: o.reason, Cells: row.Cells(i.Fields)}
}

// RejectedRow is a row of an import that was not taken.
type RejectedRow struct {
	Row    int               `json:"row" doc:"The header counts as row 1; records of JSON count from 1."`
	Reason string            `json:"reason"`
	Cells  map[string]string `json:"cells" nullable:"false" doc:"By the column, as the file names it."`
}

type rejectedIn struct {
	recipient.IDIn
	api.PageIn
	Format string `query:"format" enum:"json,csv" default:"json" doc:"csv has the columns of the file, and the reason behind them, and can be imported when it was mended."`
}

// rejectedRows answers the rows of an import that were not taken, the first 10,000.
func (s *Service) rejectedRows(c *api.Call, in rejectedIn) (out api.Either[api.Page[RejectedRow]], err error) {
	var i Import
	err = s.db.View(c, func(tx *store.Tx) error {
		i, err = imports.Get(tx, c.Org, in.ID)
		return err
	})
	if err != nil {
		return out, err
	}
	if in.Format == "csv" {
		return api.Streamed[api.Page[RejectedRow]](s.rejectedCSV(c, &i)), nil
	}
	passed, err := in.Passed()
	if err != nil {
		return out, err
	}
	rows, err := s.rejectedFrom(c, &i, passed, in.Limit)
	if err != nil {
		return out, err
	}
	return api.Whole(api.CountedPage(rows, i.Rejected, in.PageIn, passed)), nil
}

// rejectedFrom are limit rows after the first passed ones.
func (s *Service) rejectedFrom(c *api.Call, i *Import, passed, limit int) ([]RejectedRow, error) {
	rows := []RejectedRow{}
	for at := passed / rejectedChunk; at*rejectedChunk < min(i.Rejected, passed+limit); at++ {
		list, err := s.rejectedOf(c, i, at)
		if err != nil {
			return nil, err
		}
		from := max(0, passed-at*rejectedChunk)
		to := min(len(list), passed+limit-at*rejectedChunk)
		for n := from; n < to; n++ {
			rows = append(rows, shownRejected(&list[n], i.Header))
		}
	}
	return rows, nil
}

func shownRejected(x *sheet.Rejected, header []string) RejectedRow {
	out := RejectedRow{x.Row, x.Reason, map[string]string{}}
	for n, name := range header {
		if n < len(x.Cells) {
			out.Cells[name] = x.Cells[n]
		}
	}
	return out
}

func (s *Service) rejectedOf(c *api.Call, i *Import, chunk int) (rows []sheet.Rejected, err error) {
	err = s.db.View(c, func(tx *store.Tx) error {
		rows, err = i.rejectedAt(tx, c.Org, chunk)
		return err
	})
	return rows, err
}

func (s *Service) rejectedCSV(c *api.Call, i *Import) api.Text {
	header := append(slices.Clone(i.Header), sheet.RejectedRow, sheet.RejectedReason)
	return api.CSV("rejected.csv", header, func(yield func([]string, error) bool) {
		for chunk := 0; chunk*rejectedChunk < i.Rejected; chunk++ {
			rows, err := s.rejectedOf(c, i, chunk)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, x := range rows {
				cells := make([]string, len(i.Header), len(header))
				copy(cells, x.Cells)
				if !yield(append(cells, strconv.Itoa(x.Row), x.Reason), nil) {
					return
				}
			}
		}
	})
}
