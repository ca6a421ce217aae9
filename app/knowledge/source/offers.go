package source

import (
	"context"
	"errors"
	"strings"

	"svc/ai"
	"svc/ai/chunk"
	"svc/app/api"
	"svc/app/business"
	"svc/store"
)

// OfferChunks are the chunks of offers, one each, in their order.
func OfferChunks(offers []business.Offer) ([]chunk.Chunk, error) {
	var out []chunk.Chunk
	for i := range offers {
		one, err := chunk.FAQ("", []chunk.Entry{{Question: offers[i].Name, Answer: offerText(&offers[i])}})
		if err != nil {
			return nil, err
		}
		one[0].N = i
		out = append(out, one[0]) // an offer is shorter than what chunk.FAQ divides
	}
	return out, nil
}

// offerText is what there is to know of an offer.
func offerText(o *business.Offer) string {
	var b strings.Builder
	add := func(label, text string) {
		if text != "" {
			b.WriteString(label + text + "\n")
		}
	}
	b.WriteString(o.Name + "\n")
	add("Narxi: ", o.PriceText())
	for _, x := range []struct {
		label string
		text  *string
	}{{"", o.PriceNote}, {"", o.Description}, {"Yetkazib berish: ", o.Delivery}, {"", o.URL}} {
		if x.text != nil {
			add(x.label, *x.text)
		}
	}
	add("", availability[o.Availability])
	return b.String()
}

// availability in words: the glossary of package rank finds them in every language.
var availability = map[business.Availability]string{
	business.Available:  "Mavjud, sotuvda bor.",
	business.Preorder:   "Oldindan buyurtma bilan.",
	business.OutOfStock: "Hozir yoʻq, tugagan.",
	business.Seasonal:   "Mavsumiy.",
}

// offersChanged publishes the offers of a business in the transaction that changes one: who
// searches reads them where they are kept, so that no price is ever an old one.
func offersChanged(tx *store.Tx, _ *api.Call, x business.OffersChanged) error {
	src, err := offersOf.Find(tx, x.Org, store.Text(x.Business))
	if err != nil {
		return store.IgnoreNotFound(err)
	}
	if src.Status == Disabled {
		return nil
	}
	if err := ask(tx, x.Org, src.ID); err != nil { // counts again
		return err
	}
	if src.Published == 0 {
		return nil
	}
	src.Latest++
	src.Published = src.Latest
	if err := src.apply(Asked); err != nil {
		return err
	}
	src.Revision++
	if err := sources.Put(tx, x.Org, &src); err != nil {
		return err
	}
	return changed(tx, x.Org)
}

// PublishOffers publishes what a business offers, as it is now, and counts it.
func (s *Service) PublishOffers(ctx context.Context, org string, src Source) (again bool, err error) {
	var list []business.Offer
	if err := s.db.View(ctx, func(tx *store.Tx) error {
		list, err = business.Offers(tx, org, src.BusinessID)
		return err
	}); err != nil {
		return false, err
	}
	chunks, err := OfferChunks(list)
	if err != nil && !errors.Is(err, chunk.ErrEmpty) {
		return false, err
	}
	var tokens int64
	for _, c := range chunks {
		tokens += ai.EstimateText(c.Title) + ai.EstimateText(c.Text)
	}
	return s.end(ctx, org, src, Made{}, func(tx *store.Tx, now *Source) error {
		now.Chunks, now.Tokens = len(chunks), tokens
		if now.Published > 0 {
			return nil
		}
		now.Latest++
		now.Published = now.Latest
		return changed(tx, org)
	})
}

// OffersNow are the chunks of a source of offers, as they are now.
func OffersNow(tx *store.Tx, org string, src *Source) ([]Chunk, error) {
	list, err := business.Offers(tx, org, src.BusinessID)
	if err != nil {
		return nil, err
	}
	chunks, err := OfferChunks(list)
	out := make([]Chunk, len(chunks))
	for i, c := range chunks {
		out[i] = Chunk{N: i, Title: c.Title, Text: c.Text, Lang: c.Lang}
	}
	return out, err
}
