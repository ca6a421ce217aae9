package business

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/business/price"
	"svc/app/business/pricelist"
	"svc/app/recipient/sheet"
	"svc/app/signal"
	"svc/store"
)

const (
	maxImports    = 2                          // read at a time: a workbook of 5 MB can take some ten times as much
	maxImportBody = pricelist.MaxBytes + 1<<20 // the file and the form around it
)

// errImportSize refuses a file that is too large.
var errImportSize = api.ErrTooLarge.WithMessage("A file of offers may have 5 MB; cut it into several.")

type offersForm struct {
	File     *api.File         `json:"file" required:"true" nullable:"false" doc:"A CSV file whose first row names the columns, in UTF-8, UTF-16 or Windows-1251; or an XLSX workbook."`
	DryRun   bool              `json:"dry_run" doc:"Say what would happen; save nothing."`
	Currency string            `json:"currency" maxLength:"3" doc:"Of prices whose row says none." example:"UZS"`
	Sheet    string            `json:"sheet" maxLength:"100" doc:"The sheet of a workbook; its first, when it is not said."`
	Mapping  map[string]string `json:"mapping" doc:"By header, the field that a column fills, or an empty text to leave it out."`
}

// TransformSchema gives an example that is taken.
func (offersForm) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	s.Examples = []any{map[string]any{"file": "name,price,currency\n101 ta atirgul,1250000,UZS\n", "dry_run": true}}
	return s
}

type importOffersIn struct {
	ID string `path:"id" maxLength:"64"`
	api.FormIn[offersForm]
}

// importOffers saves all valid rows of a table in one transaction. Names that differ in
// their case are one; what a cell does not say stays as it is.
func (s *Service) importOffers(c *api.Call, in importOffersIn) (out api.MaybeCreated[pricelist.Report], err error) {
	form, list, err := s.readOffers(c, &in)
	if err != nil {
		return out, err
	}
	run := s.db.Update
	if form.DryRun {
		run = s.db.View
	}
	err = run(c, func(tx *store.Tx) error {
		p, err := planImport(tx, c, in.ID, form.Currency, list)
		out.Value = p.report
		if err != nil || form.DryRun {
			return err
		}
		return s.saveImport(tx, c, p)
	})
	out.Made, out.Value.DryRun = !form.DryRun, form.DryRun
	return out, err
}

// readOffers reads the form and its table, for a business that exists.
func (s *Service) readOffers(c *api.Call, in *importOffersIn) (form offersForm, list *pricelist.List, err error) {
	if _, err := s.get(c, idIn{in.ID}); err != nil {
		return form, nil, err // before anything is read
	}
	form, err = in.ReadForm(c)
	switch {
	case err != nil:
		return form, nil, err
	case form.File == nil:
		return form, nil, api.ErrInvalidUpload
	case len(form.File.Content) > pricelist.MaxBytes:
		return form, nil, errImportSize
	case form.Currency != "" && !price.IsCode(form.Currency):
		return form, nil, api.Wrong("currency", "must be a code of ISO 4217 such as UZS")
	}
	list, err = s.read(c, form)
	return form, list, err
}

// read reads the table, while few others are read.
func (s *Service) read(ctx context.Context, form offersForm) (*pricelist.List, error) {
	if err := s.reading.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer s.reading.Release(1)
	file, err := sheet.Open(form.File.Content)
	if err != nil {
		return nil, err
	}
	return pricelist.Read(file, pricelist.Options{Sheet: form.Sheet, Mapping: form.Mapping}, "file")
}

// offerImport is what an import does to the offers that there are.
type offerImport struct {
	business Business
	report   pricelist.Report
	made     []Offer
	changed  []Offer
}

// planImport says what becomes of each row.
func planImport(tx *store.Tx, c *api.Call, business, fallback string, list *pricelist.List) (p offerImport, err error) {
	if p.business, err = businesses.Get(tx, c.Org, business); err != nil {
		return p, err
	}
	var issues []pricelist.Issue
	unchanged := 0
	for i := range list.Rows {
		r := &list.Rows[i]
		o, err := offersByName.Find(tx, c.Org, offerName(business, r.Name))
		isNew := store.IsNotFound(err)
		if err != nil && !isNew {
			return p, err
		}
		if isNew {
			o = Offer{ID: tx.DB().NewID("ofr"), BusinessID: business, Active: true, CreatedAt: c.Now, UpdatedAt: c.Now}
		}
		changed, err := o.take(r, fallback)
		if err != nil {
			return p, err
		}
		switch err := o.check(); {
		case err != nil:
			wrong := api.From(err).Details
			for _, field := range slices.Sorted(maps.Keys(wrong)) {
				issues = append(issues, pricelist.NewIssue(r.Number, pricelist.Invalid, field, "", field+" "+wrong[field]+"."))
			}
		case isNew:
			p.made = append(p.made, o)
		case changed:
			o.UpdatedAt = c.Now
			p.changed = append(p.changed, o)
		default:
			unchanged++
		}
	}
	if len(p.made) > 0 {
		err = roomFor(tx, c.Org, offerBusiness, business, len(p.made), maxOffers, "offers")
	}
	p.report = list.Report(issues, len(p.made), len(p.changed), unchanged)
	return p, err
}

// take changes an offer to what a row says, as a PATCH with its fields would, and tells
// whether that is something new.
func (o *Offer) take(r *pricelist.Row, fallback string) (changed bool, err error) {
	var in updateOfferIn
	said, err := json.Marshal(r)
	if err == nil {
		err = json.Unmarshal(said, &in.Body)
	}
	changed = in.apply(o)
	if r.PriceMax == nil && o.PriceMax != nil && o.Price != nil && *o.PriceMax < *o.Price {
		o.PriceMax = nil // the row has one price, and the range that stood here ended below it
	}
	if o.Price != nil && o.Currency == nil {
		o.Currency = api.Optional(fallback)
	}
	return changed, err
}

// saveImport saves what was planned, with one entry of the audit log.
func (s *Service) saveImport(tx *store.Tx, c *api.Call, p offerImport) error {
	for i := range p.made {
		if err := offers.Insert(tx, c.Org, &p.made[i]); err != nil {
			return err
		}
	}
	for i := range p.changed {
		if err := offers.Put(tx, c.Org, &p.changed[i]); err != nil {
			return err
		}
	}
	if len(p.made)+len(p.changed) == 0 {
		return nil
	}
	if err := signal.Publish(s.o.Bus, tx, c, OffersChanged{c.Org, p.business.ID}); err != nil {
		return err
	}
	return audit.Write(tx, c, "offer.imported", p.business.resource(), audit.Changed("created", nil, len(p.made)), audit.Changed("updated", nil, len(p.changed)))
}
