package recipient

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/recipient/field"
	"svc/store"
)

// FilterIn are the parameters by which a list of recipients is narrowed.
type FilterIn struct {
	Q               string        `query:"q" minLength:"2" maxLength:"64" doc:"The beginning of a username, of a messenger_id, or of a first or last name, in either script."`
	ListID          string        `query:"list_id" maxLength:"64"`
	Tag             []string      `query:"tag,explode" maxItems:"50" doc:"Repeatable; all must match."`
	Tags            []string      `query:"tags,explode" maxItems:"50" doc:"The same as tag."`
	Consent         field.Consent `query:"consent_status" enum:"OPTED_IN,AUTHORIZED,EXISTING_RELATIONSHIP,UNKNOWN,OPTED_OUT"`
	Language        string        `query:"language" maxLength:"20"`
	Source          field.Source  `query:"source" enum:"CSV,JSON,API,MANUAL,CRM"`
	Suppressed      string        `query:"suppressed" enum:"true,false"`
	HasConversation string        `query:"has_conversation" enum:"true,false"`
	CreatedFrom     time.Time     `query:"created_from" doc:"Inclusive."`
	CreatedTo       time.Time     `query:"created_to" doc:"Exclusive."`
}

// filterBody is the same in a body. A key that it does not know is refused: a typing
// error would select everybody (contract 21.1).
type filterBody struct {
	_               struct{}      `additionalProperties:"false"`
	All             bool          `json:"all" doc:"Everybody: a filter without a condition is refused without it."`
	Q               string        `json:"q" minLength:"2" maxLength:"64"`
	ListID          string        `json:"list_id" maxLength:"64"`
	Tag             textList      `json:"tag" maxItems:"50" doc:"One tag, or several that must all match."`
	Tags            textList      `json:"tags" maxItems:"50" doc:"The same as tag."`
	Consent         field.Consent `json:"consent_status" enum:"OPTED_IN,AUTHORIZED,EXISTING_RELATIONSHIP,UNKNOWN,OPTED_OUT"`
	Language        string        `json:"language" maxLength:"20"`
	Source          field.Source  `json:"source" enum:"CSV,JSON,API,MANUAL,CRM"`
	Suppressed      *bool         `json:"suppressed"`
	HasConversation *bool         `json:"has_conversation"`
	CreatedFrom     time.Time     `json:"created_from"`
	CreatedTo       time.Time     `json:"created_to"`
}

// textList is a list of texts, or one text.
type textList []string

// UnmarshalJSON reads either form.
func (l *textList) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*l = present(one)
		return nil
	}
	return json.Unmarshal(data, (*[]string)(l))
}

// Schema describes either form.
func (textList) Schema(huma.Registry) *huma.Schema { return TextOrTexts() }

// TextOrTexts is the schema of a text or a list of texts.
func TextOrTexts() *huma.Schema {
	text := &huma.Schema{Type: huma.TypeString}
	return &huma.Schema{OneOf: []*huma.Schema{text, {Type: huma.TypeArray, Items: text}}}
}

// filter says which recipients are meant; a zero field does not filter.
type filter struct {
	q, list, language           string
	tags                        []string
	consent                     field.Consent
	source                      field.Source
	suppressed, hasConversation *bool
	from, to                    time.Time
}

func (in FilterIn) filter() filter {
	return filter{
		in.Q, in.ListID, in.Language, slices.Concat(in.Tag, in.Tags), in.Consent, in.Source, truth(in.Suppressed), truth(in.HasConversation), in.CreatedFrom, in.CreatedTo,
	}
}

func (in filterBody) filter() filter {
	return filter{
		in.Q, in.ListID, in.Language, slices.Concat(in.Tag, in.Tags), in.Consent, in.Source, in.Suppressed, in.HasConversation, in.CreatedFrom, in.CreatedTo,
	}
}

func truth(s string) *bool {
	if s == "" {
		return nil
	}
	b := s == "true"
	return &b
}

// conditions are the filter as the store asks it. A list that is not there is
// store.ErrNotFound.
func (f filter) conditions(tx *store.Tx, org string) (where []Cond, err error) {
	if f.list != "" {
		if _, err := lists.Get(tx, org, f.list); err != nil {
			return nil, err
		}
		where = append(where, listFacet.Any(f.list))
	}
	for _, tag := range f.tags {
		where = append(where, tagFacet.Any(field.FoldTag(strings.TrimSpace(tag))))
	}
	if f.consent != "" {
		where = append(where, consentFacet.Any(string(f.consent)))
	}
	if f.language != "" {
		where = append(where, languageFacet.Any(strings.ToLower(f.language)))
	}
	if f.source != "" {
		where = append(where, sourceFacet.Any(string(f.source)))
	}
	where = append(where, marked(suppressedFacet, f.suppressed)...)
	where = append(where, marked(conversationFacet, f.hasConversation)...)
	if q := strings.ToLower(strings.TrimPrefix(strings.TrimSpace(f.q), "@")); q != "" {
		found := field.PrefixSearch(q, initialFacet, byUsername, byMessengerID)
		if name, ok := named(q); ok {
			found = store.Or(found, name)
		}
		where = append(where, found)
	}
	return append(where, created(f.from, f.to, tx.DB().Now())...), nil
}

func marked(f *store.Facet[Recipient], want *bool) []Cond {
	switch {
	case want == nil:
		return nil
	case *want:
		return []Cond{f.Any(on)}
	}
	return []Cond{f.Any(on).Not()}
}

// founded is before anybody was saved.
var founded = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// created holds for those who were saved from a time on and before another: not
// earlier and not later. What is earlier or later is whole periods, of which the
// store has sets, and the part of an hour, which it reads.
func created(from, to, now time.Time) (where []Cond) {
	no := func(periods []string, a, b time.Time) {
		if len(periods) > 0 {
			where = append(where, createdFacet.Any(periods...).Not())
		}
		if a.Before(b) {
			where = append(where, byCreated.Where(store.Between(store.Time(a), store.Time(b))).Not())
		}
	}
	end := now.AddDate(2, 0, 0).UTC().Truncate(time.Hour) // a clock may have been ahead
	if from = from.UTC(); from.After(founded) {
		from = earlier(from, end)
		no(cover(founded, from.Truncate(time.Hour)), from.Truncate(time.Hour), from)
	}
	if !to.IsZero() {
		to = earlier(later(to.UTC(), founded), end)
		hour := to.Truncate(time.Hour)
		if hour.Before(to) {
			hour = hour.Add(time.Hour)
		}
		no(cover(hour, end), to, hour)
	}
	return where
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// order is a sort parameter as the store knows it; nil is the order of saving.
func order(sort string) (by *store.Index[Recipient], descending bool) {
	name, descending := strings.CutPrefix(sort, "-")
	switch name {
	case "last_messaged_at":
		by = byMessaged
	case "first_name":
		by = byFirstName
	}
	return by, descending
}
