package business

import (
	"slices"
	"time"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/business/price"
	"svc/app/business/texts"
	"svc/app/signal"
	"svc/store"
)

// OfferType says what kind of thing is offered.
type OfferType string

// The types.
const (
	Product      OfferType = "PRODUCT"
	Work         OfferType = "SERVICE"
	Subscription OfferType = "SUBSCRIPTION"
	Bundle       OfferType = "BUNDLE"
)

// Availability says whether an offer can be had now.
type Availability string

// The availabilities.
const (
	Available  Availability = "AVAILABLE"
	Preorder   Availability = "PREORDER"
	OutOfStock Availability = "OUT_OF_STOCK"
	Seasonal   Availability = "SEASONAL"
)

// Offer is what a business sells. The seller names no price that does not stand here.
type Offer struct {
	ID           string        `json:"id"`
	BusinessID   string        `json:"business_id"`
	Type         OfferType     `json:"type" enum:"PRODUCT,SERVICE,SUBSCRIPTION,BUNDLE"`
	Name         string        `json:"name"`
	Description  *string       `json:"description"`
	Price        *price.Amount `json:"price" doc:"The lowest price when price_max is set."`
	PriceMax     *price.Amount `json:"price_max"`
	Currency     *string       `json:"currency" example:"UZS" doc:"ISO 4217; set when there is a price."`
	PriceNote    *string       `json:"price_note"`
	Availability Availability  `json:"availability" enum:"AVAILABLE,PREORDER,OUT_OF_STOCK,SEASONAL"`
	Delivery     *string       `json:"delivery"`
	URL          *string       `json:"url"`
	Priority     int           `json:"sales_priority" doc:"0 to 100; lists begin with the highest."`
	Active       bool          `json:"active" doc:"The seller does not know an offer that is not active."`
	CreatedAt    time.Time     `json:"created_at"`
	UpdatedAt    time.Time     `json:"updated_at"`
}

// maxOffers is how many offers a business may have.
const maxOffers = 5000

var (
	offers           = store.NewTable("offer", "ofr", func(o *Offer) string { return o.ID })
	offersByName     = offers.Unique("name", func(o *Offer) store.Key { return offerName(o.BusinessID, o.Name) })
	offersByPriority = offers.Index("by_priority", func(o *Offer) store.Key {
		return store.Tuple(store.Text(o.BusinessID), store.Int(int64(-o.Priority)))
	})
	offerBusiness = offers.Facet("business", func(o *Offer) []string { return []string{o.BusinessID} })
	offerShelf    = offers.Facet("availability", func(o *Offer) []string { return []string{string(o.Availability), activity(o.Active)} })
)

// offerName is what only one offer of a business has.
func offerName(business, name string) store.Key {
	return store.Tuple(store.Text(business), store.Text(store.Fold(name)))
}

func activity(active bool) string {
	if active {
		return "active"
	}
	return "inactive"
}

// offersOf are all offers of a business.
func offersOf(tx *store.Tx, org, business string) ([]Offer, error) {
	return allOf(tx, org, offers, offersByPriority, maxOffers, offerBusiness.Any(business))
}

// allOf are the records of a table that conditions hold for.
func allOf[T any](tx *store.Tx, org string, t *store.Table[T], sort *store.Index[T], most int, where ...store.Cond[T]) ([]T, error) {
	page, err := t.Page(tx, org, store.Query[T]{Where: where, Sort: sort, Limit: most})
	return page.Data, err
}

// Offers are the active offers of a business, the highest priority first.
func Offers(tx *store.Tx, org, business string) ([]Offer, error) {
	return allOf(tx, org, offers, offersByPriority, maxOffers, offerBusiness.Any(business), offerShelf.Any(activity(true)))
}

// OffersByID are the offers of these ids that are there, in their order.
func OffersByID(tx *store.Tx, org string, ids []string) ([]Offer, error) {
	list, err := offers.GetMany(tx, org, ids)
	out := make([]Offer, 0, len(list))
	for _, o := range list {
		if o != nil {
			out = append(out, *o)
		}
	}
	return out, err
}

// ShownOffer is one as the API answers it.
type ShownOffer struct {
	Offer
	Business *api.Named `json:"business"`
}

func (o Offer) shown(org string) ShownOffer { return ShownOffer{o, api.Ref(org, o.BusinessID)} }

func (o *Offer) resource() audit.Resource { return audit.On("offer", o.ID, o.Name) }

// check brings an offer into form, or says what is wrong with each field.
func (o *Offer) check() error {
	o.Name = texts.OneLine(o.Name)
	o.Description, o.PriceNote, o.Delivery, o.URL = texts.Trimmed(o.Description), texts.Trimmed(o.PriceNote), texts.Trimmed(o.Delivery), texts.Trimmed(o.URL)
	if o.Type == "" {
		o.Type = Product
	}
	if o.Availability == "" {
		o.Availability = Available
	}
	return api.AllWrong(checkOfferName(o.Name), o.checkPrice(), api.CheckPage("url", o.URL))
}

func checkOfferName(name string) error {
	if n := utf8.RuneCountInString(name); n == 0 || n > maxOfferName {
		return api.Wrong("name", "must have 1 to %d characters", maxOfferName)
	}
	return nil
}

const maxOfferName = 200

func (o *Offer) checkPrice() error {
	switch {
	case o.Price == nil && o.PriceMax != nil:
		return api.Wrong("price_max", "needs a price below it")
	case o.Price != nil && o.PriceMax != nil && *o.PriceMax < *o.Price:
		return api.Wrong("price_max", "is below price")
	case o.Price != nil && (o.Currency == nil || !price.IsCode(*o.Currency)):
		return api.Wrong("currency", "is needed beside a price: a code of ISO 4217 such as UZS")
	case o.Currency != nil && !price.IsCode(*o.Currency):
		return api.Wrong("currency", "must be a code of ISO 4217 such as UZS")
	}
	return nil
}

type listOffersIn struct {
	ID string `path:"id" maxLength:"64"`
	api.PageIn
	Active       string       `query:"active" enum:"true,false"`
	Availability Availability `query:"availability" enum:"AVAILABLE,PREORDER,OUT_OF_STOCK,SEASONAL"`
	Format       string       `query:"format" enum:"json,csv" default:"json" doc:"csv streams every match, without paging; it can be imported again."`
}

func (s *Service) listOffers(c *api.Call, in listOffersIn) (api.Either[api.Page[ShownOffer]], error) {
	where := []store.Cond[Offer]{offerBusiness.Any(in.ID)}
	if in.Active != "" {
		where = append(where, offerShelf.Any(activity(in.Active == "true")))
	}
	if in.Availability != "" {
		where = append(where, offerShelf.Any(string(in.Availability)))
	}
	if in.Format == "csv" {
		text, err := s.exportOffers(c, in.ID, where)
		return api.Streamed[api.Page[ShownOffer]](text), err
	}
	var out api.Page[ShownOffer]
	err := s.db.View(c, func(tx *store.Tx) (err error) {
		out, err = pageOf(tx, c.Org, offers, Offer.shown, in.ID, in.PageIn, where, offersByPriority)
		return err
	})
	return api.Whole(out), err
}

// pageOf lists records of a business that exists.
func pageOf[T, S any](
	tx *store.Tx, org string, t *store.Table[T], show func(T, string) S, id string, in api.PageIn, where []store.Cond[T], sort *store.Index[T],
) (out api.Page[S], err error) {
	if _, err := businesses.Get(tx, org, id); err != nil {
		return out, err
	}
	page, err := t.Page(tx, org, store.Query[T]{Where: where, Sort: sort, Offset: in.Offset, Limit: in.Limit, After: in.Behind()})
	rows := make([]S, len(page.Data))
	for i := range page.Data {
		rows[i] = show(page.Data[i], org)
	}
	return api.NewPage(rows, page.Total, in, page.Next), err
}

type createOfferIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Type         OfferType     `json:"type" enum:"PRODUCT,SERVICE,SUBSCRIPTION,BUNDLE" doc:"PRODUCT when left out."`
		Name         string        `json:"name" required:"true" maxLength:"200" example:"101 ta atirgul"`
		Description  *string       `json:"description" maxLength:"4000"`
		Price        *price.Amount `json:"price"`
		PriceMax     *price.Amount `json:"price_max"`
		Currency     *string       `json:"currency" maxLength:"3" example:"UZS"`
		PriceNote    *string       `json:"price_note" maxLength:"500"`
		Availability Availability  `json:"availability" enum:"AVAILABLE,PREORDER,OUT_OF_STOCK,SEASONAL" doc:"AVAILABLE when left out."`
		Delivery     *string       `json:"delivery" maxLength:"1000"`
		URL          *string       `json:"url" maxLength:"2048"`
		Priority     int           `json:"sales_priority" minimum:"0" maximum:"100"`
		Active       *bool         `json:"active" doc:"true when left out."`
	}
}

func (s *Service) createOffer(c *api.Call, in createOfferIn) (out api.Created[ShownOffer], err error) {
	b := in.Body
	o := Offer{
		ID: s.db.NewID("ofr"), BusinessID: in.ID, Type: b.Type, Name: b.Name, Description: b.Description, Price: b.Price, PriceMax: b.PriceMax,
		Currency: b.Currency, PriceNote: b.PriceNote, Availability: b.Availability, Delivery: b.Delivery, URL: b.URL, Priority: b.Priority,
		Active: b.Active == nil || *b.Active, CreatedAt: c.Now, UpdatedAt: c.Now,
	}
	if err := o.check(); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		if err := canAdd(tx, c.Org, offerBusiness, in.ID, maxOffers, "offers"); err != nil {
			return err
		}
		if err := nameTaken(offers.Insert(tx, c.Org, &o)); err != nil {
			return err
		}
		out = api.New(o.shown(c.Org))
		return s.offerChanged(tx, c, "offer.created", &o)
	})
	return out, err
}

// canAdd refuses a record of a business that there is not, or that has as many as it may have.
func canAdd[T any](tx *store.Tx, org string, of *store.Facet[T], business string, most int, what string) error {
	if _, err := businesses.Get(tx, org, business); err != nil {
		return err
	}
	return roomFor(tx, org, of, business, 1, most, what)
}

// roomFor refuses more records than a business may have of a kind.
func roomFor[T any](tx *store.Tx, org string, of *store.Facet[T], business string, more, most int, what string) error {
	n, err := of.Count(tx, org, business)
	if err == nil && n+more > most {
		return api.ErrConflict.WithMessage("A business has at most %d %s; delete some that are not used.", most, what)
	}
	return err
}

type updateOfferIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Type         api.Patch[OfferType]        `json:"type" enum:"PRODUCT,SERVICE,SUBSCRIPTION,BUNDLE"`
		Name         api.Patch[string]           `json:"name" maxLength:"200"`
		Description  api.PatchNull[string]       `json:"description" maxLength:"4000"`
		Price        api.PatchNull[price.Amount] `json:"price"`
		PriceMax     api.PatchNull[price.Amount] `json:"price_max"`
		Currency     api.PatchNull[string]       `json:"currency" maxLength:"3"`
		PriceNote    api.PatchNull[string]       `json:"price_note" maxLength:"500"`
		Availability api.Patch[Availability]     `json:"availability" enum:"AVAILABLE,PREORDER,OUT_OF_STOCK,SEASONAL"`
		Delivery     api.PatchNull[string]       `json:"delivery" maxLength:"1000"`
		URL          api.PatchNull[string]       `json:"url" maxLength:"2048"`
		Priority     api.Patch[int]              `json:"sales_priority" minimum:"0" maximum:"100"`
		Active       api.Patch[bool]             `json:"active"`
	}
}

func (in *updateOfferIn) apply(o *Offer) bool {
	b := &in.Body
	return slices.Contains([]bool{
		b.Type.Apply(&o.Type), b.Name.Apply(&o.Name), b.Description.Apply(&o.Description), b.Price.Apply(&o.Price), b.PriceMax.Apply(&o.PriceMax),
		b.Currency.Apply(&o.Currency), b.PriceNote.Apply(&o.PriceNote), b.Availability.Apply(&o.Availability), b.Delivery.Apply(&o.Delivery),
		b.URL.Apply(&o.URL), b.Priority.Apply(&o.Priority), b.Active.Apply(&o.Active),
	}, true)
}

func (s *Service) updateOffer(c *api.Call, tx *store.Tx, in updateOfferIn) (out ShownOffer, err error) {
	o, err := offers.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	before := o
	changed := in.apply(&o)
	if err := o.check(); err != nil {
		return out, err
	}
	if out = o.shown(c.Org); !changed {
		return out, nil
	}
	o.UpdatedAt = c.Now
	out = o.shown(c.Org)
	if err := nameTaken(offers.Put(tx, c.Org, &o)); err != nil {
		return out, err
	}
	return out, s.offerChanged(tx, c, "offer.updated", &o, audit.Changed("name", before.Name, o.Name), audit.Changed("price", before.Price, o.Price),
		audit.Changed("price_max", before.PriceMax, o.PriceMax), audit.Changed("availability", before.Availability, o.Availability),
		audit.Changed("active", before.Active, o.Active))
}

func (s *Service) deleteOffer(c *api.Call, tx *store.Tx, in idIn) (out api.NoContent, err error) {
	o, err := offers.Get(tx, c.Org, in.ID)
	if err != nil {
		return out, err
	}
	if err := offers.Delete(tx, c.Org, o.ID); err != nil {
		return out, err
	}
	return out, s.offerChanged(tx, c, "offer.deleted", &o)
}

// PriceText is the price as people write it: "189 000 UZS", "260 000–310 000 UZS"; "" for
// none.
func (o *Offer) PriceText() string { return price.Text(o.Price, o.PriceMax, o.Currency) }

// offerChanged notes a change of an offer, and lets those know who keep what is offered
// elsewhere too.
func (s *Service) offerChanged(tx *store.Tx, c *api.Call, action string, o *Offer, details ...audit.Detail) error {
	if err := signal.Publish(s.o.Bus, tx, c, OffersChanged{c.Org, o.BusinessID}); err != nil {
		return err
	}
	return audit.Write(tx, c, action, o.resource(), details...)
}
