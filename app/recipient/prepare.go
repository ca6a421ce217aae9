package recipient

import (
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/app/recipient/sheet"
	"svc/store"
	"svc/store/queue"
)

// prepared is an import that was looked through and not yet saved.
type prepared struct {
	terms   terms
	report  ImportReport // of a dry run
	parsed  ImportReport // what the file alone says
	fresh   int          // recipients that it would make
	batches [][]byte
}

const (
	// viewRows is how many rows one reading transaction looks at.
	viewRows = 1000
	// A transaction writes 10,000 keys at most, of which counts and sets that there
	// are few of take some hundreds. A new recipient with both names costs seven keys;
	// those of a batch have their numbers in a row, so that a value (a tag, an
	// attribute, a language) is a count and two pieces of a set for all of them. One
	// that changes replaces entries, in sets that nobody else of the batch may be in;
	// opting out costs forty more.
	newCost, changeCost, optOutCost, ownCost, sharedCost, batchCost = 7, 19, 40, 2, 3, 9000

	maxSample = 5

	// packers is how many batches are packed at a time: somebody waits for it.
	packers = 2
)

// prepare reads an upload and says what would become of it. Nothing is saved.
func (s *Service) prepare(c *api.Call, req request) (*prepared, error) {
	select {
	case s.reading <- struct{}{}:
		defer func() { <-s.reading }()
	case <-c.Done():
		return nil, c.Err()
	}
	sh, err := req.read(c.Now)
	if err != nil {
		return nil, err
	}
	p := &prepared{terms: terms{Default: req.Default, Source: req.Source, List: req.ListID}, parsed: newReport(sh, false), report: newReport(sh, req.DryRun)}
	costs, err := s.foresee(c, p, sh.Rows)
	if err != nil {
		return nil, err
	}
	p.report.Sample = append(p.report.Sample, sh.Rows[:min(len(sh.Rows), maxSample)]...) // a slice would keep all rows in memory
	if req.DryRun {
		return p, nil
	}
	return p, p.pack(sh.Rows, costs)
}

// foresee judges every row as things are now, and answers what each will cost.
func (s *Service) foresee(c *api.Call, p *prepared, rows []sheet.Row) ([]int, error) {
	costs := make([]int, 0, len(rows))
	met := map[string]bool{}
	var most []sheet.Issue // of what the store says
	for chunk := range slices.Chunk(rows, viewRows) {
		judged := make([]outcome, 0, len(chunk))
		err := s.db.View(c, func(tx *store.Tx) error {
			judged = judged[:0]
			if p.terms.List != "" {
				if _, err := lists.Get(tx, c.Org, p.terms.List); err != nil {
					return err
				}
			}
			suppressed, err := suppressions.Count(tx, c.Org)
			for i := range chunk {
				if err != nil {
					return err
				}
				var o outcome
				o, _, err = judge(tx, c.Org, &chunk[i], p.terms, suppressed > 0, nil)
				judged = append(judged, o)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		part := ImportReport{ByConsent: p.report.ByConsent}
		for i := range judged {
			o := &judged[i]
			if id := o.rec.ID; id != "" && met[id] {
				o.again()
			} else if id != "" {
				met[id] = true
			}
			part.count(&chunk[i], o)
			costs = append(costs, o.cost(&chunk[i]))
			if o.isNew && o.imported() {
				p.fresh++
			}
		}
		p.report.add(part)
		most = sheet.Merge(most, part.Issues)
	}
	p.report.Issues = sheet.Merge(p.report.Issues, most)
	return costs, nil
}

// cost is how many keys a row will write, at most, without what it shares with
// others of its batch.
func (o *outcome) cost(row *sheet.Row) int {
	cost := newCost
	if !o.isNew {
		cost = changeCost + ownCost*(len(row.Tags)+len(row.Attributes))
	}
	if o.optOut {
		cost += optOutCost
	}
	return cost
}

// shared are values whose sets a batch changes once for all its new recipients.
type shared map[string]bool

// cost is what the values of a row add that no row before it has.
func (s shared) cost(row *sheet.Row) (cost int) {
	add := func(kind, value string) {
		if key := kind + value; !s[key] {
			s[key] = true
			cost += sharedCost
		}
	}
	add("language ", row.Language)
	for _, t := range row.Tags {
		add("tag ", t)
	}
	for key := range row.Attributes {
		add("attribute ", key)
	}
	return cost
}

// add adds the counts of some rows; their consents are counted in place.
func (p *ImportReport) add(part ImportReport) {
	p.Valid += part.Valid
	p.Created += part.Created
	p.Updated += part.Updated
	p.Duplicates += part.Duplicates
	p.Invalid += part.Invalid
	p.Suppressed += part.Suppressed
	p.OptedOut += part.OptedOut
}

// pack cuts the rows into batches, each for one transaction.
func (p *prepared) pack(rows []sheet.Row, costs []int) error {
	var cuts [][]sheet.Row
	for from := 0; from < len(rows); {
		to, cost, together := from, 0, shared{}
		for ; to < len(rows); to++ {
			cost += costs[to] + together.cost(&rows[to])
			if cost > batchCost && to > from {
				break
			}
		}
		cuts = append(cuts, rows[from:to])
		from = to
	}
	p.batches = make([][]byte, len(cuts))
	var all errgroup.Group
	all.SetLimit(packers)
	for i, cut := range cuts {
		all.Go(func() (err error) {
			p.batches[i], err = pack(cut)
			return err
		})
	}
	return all.Wait()
}

// begin saves an import with its rows and the job that goes through them, in one
// transaction: either all of it is there after a crash, or nothing.
func (s *Service) begin(c *api.Call, req request, p *prepared) (id string, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		if err := s.refuseSecond(tx, c); err != nil {
			return err
		}
		used, err := Used(tx, c.Org)
		if err != nil {
			return err
		}
		if err := org.CheckLimit(tx, c.Org, org.LimitRecipients, used, p.fresh); err != nil {
			return err
		}
		i := Import{
			ID: tx.DB().NewID("imp"), Status: ImportRunning, Terms: p.terms, Tags: req.Tags, Report: p.parsed, Reserved: p.fresh,
			Batches: len(p.batches), ProgressAt: c.Now, By: importer{c.Caller.Kind, c.Caller.ID, c.Caller.Name}, CreatedAt: c.Now,
		}
		if req.file != nil {
			i.FileName = fileName(req.file.Name)
		}
		if i.Terms.List, err = listFor(tx, c, req); err != nil {
			return err
		}
		if i.Job, err = queue.Add(tx, importJob{Org: c.Org, Import: i.ID}, time.Time{}, queue.InLane(c.Org), queue.For(c.Org, i.ID), queue.Attempts(importTries)); err != nil {
			return err
		}
		id = i.ID
		return saveImport(tx, c, &i, p.batches)
	})
	return id, err
}

func saveImport(tx *store.Tx, c *api.Call, i *Import, packed [][]byte) error {
	for n, rows := range packed {
		b := batch{ID: batchID(i.ID, n)}
		if err := batchRows.Set(tx, c.Org, &b, rows); err != nil {
			return err
		}
		if err := batches.Insert(tx, c.Org, &b); err != nil {
			return err
		}
	}
	if err := forgetOldest(tx, c.Org); err != nil {
		return err
	}
	found := i.Report.Issues
	i.Report.Issues = nil
	if err := i.note(tx, c.Org, found); err != nil {
		return err
	}
	if err := imports.Insert(tx, c.Org, i); err != nil {
		return err
	}
	return audit.Write(tx, c, "import.started", audit.On("import", i.ID, i.FileName))
}

// forgetOldest keeps the list of imports at its bound. The oldest has ended: one is
// under way at a time.
func forgetOldest(tx *store.Tx, org string) error {
	n, err := imports.Count(tx, org)
	if err != nil || n < maxImports {
		return err
	}
	oldest, _, err := imports.Walk(tx, org, nil, 1)
	if err != nil || len(oldest) == 0 {
		return err
	}
	if err := issueLists.Delete(tx, org, oldest[0].ID); err != nil && !store.IsNotFound(err) {
		return err
	}
	return imports.Delete(tx, org, oldest[0].ID)
}

// listFor is the list that the people go into: the one that was named, or a new
// one.
func listFor(tx *store.Tx, c *api.Call, req request) (string, error) {
	if req.NewListName == "" {
		if req.ListID == "" {
			return "", nil
		}
		l, err := lists.Get(tx, c.Org, req.ListID)
		return l.ID, err
	}
	l := List{ID: tx.DB().NewID("lst"), Name: req.NewListName, CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now}
	return l.ID, makeList(tx, c, &l)
}

// fileName is the name of an upload, for people to read: its end, in a few words.
func fileName(s string) string {
	const most = 200
	r := []rune(s)
	return string(r[max(0, len(r)-most):])
}

// refuseSecond refuses an import while another is under way. One whose job is no
// more has failed.
func (s *Service) refuseSecond(tx *store.Tx, c *api.Call) error {
	i, err := underWay.Find(tx, c.Org, runningKey)
	if store.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	j, err := queue.Get(tx, i.Job)
	if err == nil && j.State != queue.Archived && j.State != queue.Done {
		return ErrImportRunning
	}
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	return fail(tx, c.Org, &i)
}
