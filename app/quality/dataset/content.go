package dataset

import (
	"slices"
	"strings"

	"svc/ai/mask"
	"svc/app/api"
	"svc/app/business"
	"svc/app/business/price"
	"svc/app/quality/grade"
	"svc/app/seller/answer"
	"svc/store"
)

// Message is one of an item's conversation.
type Message struct {
	Author string `json:"author" required:"true" enum:"CUSTOMER,AI,HUMAN"`
	Text   string `json:"text" required:"true" minLength:"1" maxLength:"4096" example:"101 ta atirgul narxi qancha?"`
}

// Offer is what was for sale in an item's conversation.
type Offer struct {
	ID           string                `json:"id,omitempty" maxLength:"64" doc:"Of the business, where it is one of its offers."`
	Name         string                `json:"name" required:"true" minLength:"1" maxLength:"200"`
	Description  *string               `json:"description,omitempty" maxLength:"2000"`
	Price        *price.Amount         `json:"price,omitempty"`
	PriceMax     *price.Amount         `json:"price_max,omitempty"`
	Currency     *string               `json:"currency,omitempty" maxLength:"3"`
	PriceNote    *string               `json:"price_note,omitempty" maxLength:"300"`
	Availability business.Availability `json:"availability,omitempty" enum:"AVAILABLE,PREORDER,OUT_OF_STOCK,SEASONAL"`
	Delivery     *string               `json:"delivery,omitempty" maxLength:"300"`
}

// Fact is what the seller remembered of the customer.
type Fact struct {
	Key   string `json:"key" required:"true" enum:"PREFERENCE,ORDER,NEED,BUDGET,OTHER"`
	Value string `json:"value" required:"true" minLength:"1" maxLength:"300"`
}

// Input is a conversation as the seller would find it.
type Input struct {
	Messages []Message `json:"messages" required:"true" nullable:"false" minItems:"1" maxItems:"40" doc:"The oldest first; the last is the customer's."`
	Stage    string    `json:"stage,omitempty" maxLength:"40" doc:"Of the funnel; its first when left out."`
	Offers   []Offer   `json:"offers,omitempty" maxItems:"40" doc:"What is for sale in this conversation; the offers of the business when left out."`
	Memory   []Fact    `json:"memory,omitempty" maxItems:"10"`
}

// Content is what is sealed of an item.
type Content struct {
	Input    Input          `json:"input"`
	Expected grade.Expected `json:"expected"`
}

// Open reads what an item says.
func (i *Item) Open(db *store.DB, org string) (c Content, err error) {
	err = words.OpenJSON(db, org, i, &c)
	return c, err
}

// keys of the memory that an item may have: none that says who the customer is.
var factKeys = []string{"PREFERENCE", "ORDER", "NEED", "BUDGET", "OTHER"}

// mask takes the personal data out of everything that customers and people wrote, and the words
// of names.
func (c *Content) mask(names []string) {
	of := func(s string) string { return withoutNames(mask.Text(s).Text, names) }
	for i := range c.Input.Messages {
		c.Input.Messages[i].Text = of(c.Input.Messages[i].Text)
	}
	c.Input.Memory = slices.DeleteFunc(c.Input.Memory, func(f Fact) bool { return !slices.Contains(factKeys, f.Key) })
	for i := range c.Input.Memory {
		c.Input.Memory[i].Value = of(c.Input.Memory[i].Value)
	}
	for _, list := range [][]string{c.Expected.ReplyContains, c.Expected.ReplyAvoids} {
		for i := range list {
			list[i] = of(list[i])
		}
	}
}

// check says what is wrong with each field.
func (c *Content) check() error {
	var last, texts, none error
	if m := c.Input.Messages; len(m) == 0 || m[len(m)-1].Author != "CUSTOMER" {
		last = api.Wrong("input.messages", "must end with a message of the customer")
	}
	for _, list := range [][]string{c.Expected.ReplyContains, c.Expected.ReplyAvoids} {
		for _, s := range list {
			if n := len([]rune(s)); strings.TrimSpace(s) == "" || n > maxText {
				texts = api.Wrong("expected", "texts must have 1 to %d characters", maxText)
			}
		}
	}
	for _, m := range c.Input.Messages {
		if strings.TrimSpace(m.Text) == "" {
			none = api.Wrong("input.messages", "must not be blank")
		}
	}
	return api.AllWrong(last, texts, none)
}

const maxText = 1_000

// Add stores an item, masked. The errors name the fields of the body of the operation.
func Add(tx *store.Tx, org string, d *Dataset, i Item, c Content) (Item, error) {
	n, err := Count(tx, org, d.ID)
	if err != nil {
		return i, err
	}
	if n >= MaxItems {
		return i, api.ErrState.WithMessage("A dataset holds %d items at most; make another.", MaxItems)
	}
	if err := c.check(); err != nil {
		return i, err
	}
	if i.Tags, err = tags(i.Tags); err != nil {
		return i, err
	}
	names, err := i.names(tx, org)
	if err != nil {
		return i, err
	}
	c.mask(names)
	i.ID, i.Dataset, i.CreatedAt = tx.DB().NewID("edi"), d.ID, tx.DB().Now()
	if err := words.SetJSON(tx, org, &i, c); err != nil {
		return i, err
	}
	return i, items.Insert(tx, org, &i)
}

func tags(list []string) (out []string, err error) {
	for _, t := range list {
		t = strings.ToLower(strings.Join(strings.Fields(mask.Text(t).Text), "_"))
		if t == "" || slices.Contains(out, t) {
			continue
		}
		if len([]rune(t)) > maxTag || len(out) == maxTags {
			return nil, api.Wrong("tags", "must be at most %d, of %d characters each", maxTags, maxTag)
		}
		out = append(out, t)
	}
	return out, nil
}

// Said is the conversation of an item as package answer takes it.
func (in *Input) Said() (out []answer.Said) {
	from := map[string]answer.Author{"CUSTOMER": answer.Customer, "AI": answer.Seller, "HUMAN": answer.Person}
	for _, m := range in.Messages {
		out = append(out, answer.Said{From: from[m.Author], Text: m.Text})
	}
	return out
}

// Known is its memory.
func (in *Input) Known() (out []answer.Known) {
	for _, f := range in.Memory {
		out = append(out, answer.Known{Key: f.Key, Value: f.Value})
	}
	return out
}

// ForSale are its offers; nil: it has none of its own.
func (in *Input) ForSale() (out []business.Offer) {
	for _, o := range in.Offers {
		x := business.Offer{
			ID: o.ID, Type: business.Product, Name: o.Name, Description: o.Description, Price: o.Price, PriceMax: o.PriceMax, Currency: o.Currency,
			PriceNote: o.PriceNote, Availability: o.Availability, Delivery: o.Delivery, Active: true,
		}
		if x.Availability == "" {
			x.Availability = business.Available
		}
		out = append(out, x)
	}
	return out
}
