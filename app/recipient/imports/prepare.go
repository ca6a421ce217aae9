package imports

import (
	"errors"
	"runtime"
	"time"

	"golang.org/x/sync/errgroup"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/app/recipient"
	"svc/app/recipient/field"
	"svc/app/recipient/sheet"
	"svc/app/recipient/suppression"
	"svc/store"
	"svc/store/queue"
)

// prepared is an import that was looked through and not yet saved.
type prepared struct {
	terms   terms
	dry     bool
	large   bool         // it has the memory to itself
	chunks  int          // of rows that were judged
	report  ImportReport // of a dry run
	parsed  ImportReport // what the file alone says
	judged  ImportReport // what the store adds to that
	fresh   int          // recipients that it would make
	sample  []sheet.Row
	met     map[string]bool // recipients that a row matched
	batches []*[]byte
	packing errgroup.Group
	// The rows that are not packed yet, how many keys they will write, how large their
	// texts are, and the values that they share.
	pending    []sheet.Row
	cost, text int
	together   shared
	// The columns of the file with the fields that they fill, and the rows that are not
	// taken.
	header   []string
	fields   []string
	rejected []sheet.Rejected
}

const (
	// A transaction writes 10,000 keys at most, of which counts and sets that there
	// are few of take some hundreds. A new recipient with all names costs nine keys;
	// those of a batch have their numbers in a row, so that a value (a tag, an
	// attribute, a language) is a count and two pieces of a set for all of them. One
	// that changes replaces entries, in sets that nobody else of the batch may be in;
	// opting out costs forty more.
	newCost, changeCost, renameCost, optOutCost, ownCost, sharedCost, batchCost = 9, 19, 28, 40, 2, 3, 9000

	maxSample = 5

	// packers is how many batches are packed at a time, beside the reading.
	packers = 1

	// batchText is how many bytes of text a batch has at most.
	batchText = 1 << 20
)

// prepare reads an upload and says what would become of it. Nothing is saved. Rows are
// judged and packed while they are read, so that never all of them are in memory.
func (s *Service) prepare(c *api.Call, req request) (*prepared, error) {
	p := &prepared{terms: terms{Default: req.Default, Source: req.Source, List: req.ListID}, dry: req.DryRun, large: isLarge(req.size()), met: map[string]bool{}, together: shared{}}
	p.judged.ByConsent = map[field.Consent]int{}
	p.packing.SetLimit(packers)
	if err := s.checkList(c, p.terms.List); err != nil {
		return p, err
	}
	sh, err := req.read(c.Now, func(rows []sheet.Row) error { return s.foresee(c, p, rows) })
	if err == nil {
		p.cut()
	}
	if err := errors.Join(err, p.packing.Wait()); err != nil {
		return p, err
	}
	p.header, p.fields, p.rejected = sh.Header, sh.Fields, sh.Rejected
	p.parsed, p.report = newReport(sh, false), newReport(sh, req.DryRun)
	p.report.ByConsent = p.judged.ByConsent
	p.report.add(p.judged)
	p.report.Issues = sheet.Merge(p.report.Issues, p.judged.Issues)
	p.report.Sample = append(p.report.Sample, p.sample...)
	return p, nil
}

// checkList refuses a list that is not there, before the file is read.
func (s *Service) checkList(c *api.Call, list string) error {
	if list == "" {
		return nil
	}
	return s.db.View(c, func(tx *store.Tx) error {
		return hasList(tx, c.Org, list)
	})
}

func hasList(tx *store.Tx, org, id string) error {
	there, err := recipient.HasList(tx, org, id)
	if err == nil && !there {
		return store.ErrNotFound
	}
	return err
}

// foresee judges rows as things are now, and packs them into batches.
func (s *Service) foresee(c *api.Call, p *prepared, rows []sheet.Row) error {
	judged := make([]outcome, 0, len(rows))
	err := s.db.View(c, func(tx *store.Tx) error {
		judged = judged[:0]
		suppressed, err := suppression.Any(tx, c.Org)
		for i := range rows {
			if err != nil {
				return err
			}
			var o outcome
			o, _, err = judge(tx, c.Org, &rows[i], p.terms, suppressed, nil)
			judged = append(judged, o)
		}
		return err
	})
	if err != nil {
		return err
	}
	part := ImportReport{ByConsent: p.judged.ByConsent}
	for i := range judged {
		o := &judged[i]
		if id := o.rec.ID; id != "" && p.met[id] {
			o.again()
		} else if id != "" {
			p.met[id] = true
		}
		part.count(&rows[i], o)
		if o.isNew && o.imported() {
			p.fresh++
		}
		if len(p.sample) < maxSample {
			p.sample = append(p.sample, rows[i])
		}
		if !p.dry {
			p.put(&rows[i], o.cost(&rows[i]))
		}
	}
	p.judged.add(part)
	p.judged.Issues = sheet.Merge(p.judged.Issues, part.Issues)
	if p.chunks++; p.large && p.chunks%collectEvery == 0 {
		runtime.GC() // bodies that wait would let garbage grow to twice their size
	}
	return nil
}

// cost is how many keys a row will write, at most, without what it shares with
// others of its batch.
func (o *outcome) cost(row *sheet.Row) int {
	cost := newCost
	if !o.isNew {
		cost = changeCost + ownCost*(len(row.Tags)+len(row.Attributes))
	}
	if o.renamed {
		cost += renameCost
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
	for _, group := range (&recipient.Recipient{FirstName: row.FirstName, LastName: row.LastName}).NameGroups() {
		add("name ", group)
	}
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

// put adds a row to the batch that is being filled; one that is full is packed. A batch
// is one transaction, and bounded in text too, because the job has it in memory.
func (p *prepared) put(row *sheet.Row, cost int) {
	total := p.cost + cost + p.together.cost(row)
	if len(p.pending) > 0 && (total > batchCost || p.text+row.Size() > batchText) {
		p.cut()
		total = cost + p.together.cost(row)
	}
	p.pending, p.cost, p.text = append(p.pending, *row), total, p.text+row.Size()
}

// cut packs the rows that were put, while more are read.
func (p *prepared) cut() {
	rows := p.pending
	p.pending, p.cost, p.text, p.together = nil, 0, 0, shared{}
	if len(rows) == 0 {
		return
	}
	packed := new([]byte)
	p.batches = append(p.batches, packed)
	p.packing.Go(func() (err error) {
		*packed, err = pack(rows)
		return err
	})
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
			ID: tx.DB().NewID("imp"), Status: Running, Terms: p.terms, Tags: req.Tags, Report: p.parsed, Reserved: p.fresh,
			Batches: len(p.batches), Header: p.header, Fields: p.fields, ProgressAt: c.Now, By: importer{c.Caller.Kind, c.Caller.ID, c.Caller.Name}, CreatedAt: c.Now,
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
		return saveImport(tx, c, &i, p)
	})
	return id, err
}

func saveImport(tx *store.Tx, c *api.Call, i *Import, p *prepared) error {
	for n, rows := range p.batches {
		b := batch{ID: batchID(i.ID, n)}
		if err := batchRows.Set(tx, c.Org, &b, *rows); err != nil {
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
	if err := i.keepRejected(tx, c.Org, p.rejected); err != nil {
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
	if err := oldest[0].forgetRejected(tx, org); err != nil {
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
		return req.ListID, hasList(tx, c.Org, req.ListID)
	}
	l := recipient.List{ID: tx.DB().NewID("lst"), Name: req.NewListName, CreatedBy: c.Caller.ID, CreatedAt: c.Now, UpdatedAt: c.Now}
	return l.ID, recipient.MakeList(tx, c, &l)
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
		return ErrRunning
	}
	if err != nil && !store.IsNotFound(err) {
		return err
	}
	return fail(tx, c.Org, &i)
}
