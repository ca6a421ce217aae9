package business

import (
	"fmt"
	"strconv"
	"time"

	"svc/app/api"
	"svc/app/business/pricelist"
	"svc/store"
)

// exportOffers writes the offers that match as CSV, with the columns that an import knows.
// Each page is a transaction of its own, so that none outlives a slow reader.
func (s *Service) exportOffers(c *api.Call, business string, where []store.Cond[Offer]) (api.Text, error) {
	page := func(after store.Cursor) (page store.Page[Offer], err error) {
		err = s.db.View(c, func(tx *store.Tx) error {
			if _, err := businesses.Get(tx, c.Org, business); err != nil {
				return err
			}
			page, err = offers.Page(tx, c.Org, store.Query[Offer]{Where: where, Sort: offersByPriority, After: after, Limit: api.MaxLimit})
			return err
		})
		return page, err
	}
	first, err := page(nil) // before the answer begins, so that it may be a refusal
	return api.CSV("offers.csv", pricelist.Columns(), func(yield func([]string, error) bool) {
		for p := first; ; {
			for i := range p.Data {
				if !yield(p.Data[i].row(), nil) {
					return
				}
			}
			if p.Next == nil {
				return
			}
			var err error
			if p, err = page(p.Next); err != nil {
				yield(nil, err)
				return
			}
		}
	}), err
}

// row is a line of the export.
func (o *Offer) row() []string {
	return []string{
		o.ID, o.Name, string(o.Type), cell(o.Description), cell(o.Price), cell(o.PriceMax), cell(o.Currency), cell(o.PriceNote), string(o.Availability),
		cell(o.Delivery), cell(o.URL), strconv.Itoa(o.Priority), strconv.FormatBool(o.Active), o.CreatedAt.Format(time.RFC3339), o.UpdatedAt.Format(time.RFC3339),
	}
}

func cell[T any](v *T) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(*v)
}
