package recipient

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/org"
	"svc/app/recipient/field"
	"svc/app/recipient/suppression"
	"svc/store"
)

type createIn struct {
	Body struct {
		MessengerID int64          `json:"messenger_id" nullable:"true" doc:"The numeric user ID; this, a username, or both." example:"123456789"`
		Username    string         `json:"username" nullable:"true" doc:"Without @." example:"olga_k"`
		FirstName   string         `json:"first_name" nullable:"true" maxLength:"128"`
		LastName    string         `json:"last_name" nullable:"true" maxLength:"128"`
		Language    string         `json:"language" nullable:"true" doc:"A code such as uz, ru or en." example:"uz"`
		Consent     field.Consent  `json:"consent_status" enum:"OPTED_IN,AUTHORIZED,EXISTING_RELATIONSHIP,UNKNOWN,OPTED_OUT" default:"UNKNOWN"`
		ConsentAt   *time.Time     `json:"consent_timestamp" doc:"When the basis was recorded; now, when it is not said."`
		ConsentNote *string        `json:"consent_note" maxLength:"1000"`
		Attributes  map[string]any `json:"attributes" nullable:"true" doc:"Each key is a message variable." example:"{\"city\":\"Tashkent\"}"`
		Tags        []string       `json:"tags" nullable:"true" doc:"Up to 50, each up to 64 characters." example:"[\"vip\"]"`
		ListIDs     []string       `json:"list_ids" nullable:"true" maxItems:"100"`
		Source      field.Source   `json:"source" enum:"CSV,JSON,API,MANUAL,CRM" doc:"MANUAL for people, API for keys when it is not said."`
	}
}

// CreatedRecipient is a recipient that was made, and what the caller should know of it.
type CreatedRecipient struct {
	ShownRecipient
	Warnings []Warning `json:"warnings" nullable:"false"`
}

// Warning is something that did not keep a request from being done.
type Warning struct {
	Code    string `json:"code" enum:"suppressed" example:"suppressed"`
	Message string `json:"message"`
}

// suppressedWarning tells that a new recipient cannot be written to (contract 21.1).
var suppressedWarning = Warning{"suppressed", "The suppression list names this person: the recipient is opted out, and no message will reach them."}

func (s *Service) create(c *api.Call, in createIn) (out api.Created[CreatedRecipient], err error) {
	r, err := in.recipient(c)
	if err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		fresh := r
		fresh.ID = tx.DB().NewID("rcp")
		if err := tx.Ahead(s.readsOfNew(c.Org, &fresh)...); err != nil {
			return err
		}
		named, err := s.add(tx, c, &fresh)
		if err != nil {
			return err
		}
		shown, err := showOne(tx, c.Org, fresh)
		out = api.New(CreatedRecipient{shown, warnings(named)})
		return err
	})
	return out, err
}

// warnings are those of a recipient who was added, and whom a suppression names or does not.
func warnings(suppressed bool) []Warning {
	if suppressed {
		return []Warning{suppressedWarning}
	}
	return []Warning{}
}

// recipient makes the record of a body, or says what is wrong with it.
func (in createIn) recipient(c *api.Call) (Recipient, error) {
	b := in.Body
	r := Recipient{
		MessengerID: b.MessengerID, Username: b.Username, FirstName: strings.TrimSpace(b.FirstName), LastName: strings.TrimSpace(b.LastName),
		Language: b.Language, Consent: b.Consent, ConsentAt: b.ConsentAt, ConsentNote: b.ConsentNote, Attributes: b.Attributes,
		Tags: b.Tags, Lists: union(nil, b.ListIDs), Source: b.Source, CreatedAt: c.Now, UpdatedAt: c.Now,
	}
	if r.Source == "" {
		r.Source = field.Manual
		if c.Caller.Kind == api.Key {
			r.Source = field.API
		}
	}
	if r.ConsentAt == nil && r.Consent.Basis() {
		r.ConsentAt = &c.Now
	}
	return r, r.check(c.Now)
}

// check refuses what no recipient may be, every field that is wrong at once, and
// brings tags and language into their form.
func (r *Recipient) check(now time.Time) error {
	wrong := r.Who().Check()
	note := func(name string, err error) {
		if err != nil {
			wrong[name] = err.Error()
		}
	}
	var err error
	if r.Language != "" {
		r.Language, err = field.ParseLanguage(r.Language)
		note("language", err)
	}
	r.Tags, err = field.Tags(r.Tags)
	note("tags", err)
	maps.DeleteFunc(r.Attributes, func(_ string, v any) bool { return v == nil })
	note("attributes", field.CheckAttributes(r.Attributes))
	note("first_name", field.CheckText(r.FirstName, field.MaxName))
	note("last_name", field.CheckText(r.LastName, field.MaxName))
	if r.ConsentAt != nil {
		at := r.ConsentAt.UTC() // as every time that is answered
		r.ConsentAt = &at
		note("consent_timestamp", field.CheckConsentTime(*r.ConsentAt, now))
	}
	if r.ConsentNote != nil {
		note("consent_note", field.CheckText(*r.ConsentNote, field.MaxNote))
	}
	if len(wrong) > 0 {
		return api.WrongFields(wrong)
	}
	return nil
}

// readsOfNew is what add reads for a new recipient.
func (s *Service) readsOfNew(orgID string, r *Recipient) []store.Read {
	reads := append(audit.Reads(orgID), org.ReadLimits(orgID),
		recipients.Read(orgID, r.ID), recipients.ReadNext(orgID), recipients.ReadCount(orgID),
		byMessengerID.Read(orgID, field.MessengerKey(r.MessengerID)), byUsername.Read(orgID, field.UsernameKey(r.Username)))
	reads = append(reads, suppression.Reads(orgID, r.Who())...)
	if s.o.Used.Read != nil {
		reads = append(reads, s.o.Used.Read(orgID))
	}
	for _, of := range s.o.Identifying {
		reads = append(reads, of(orgID, r.Who())...)
	}
	for _, id := range r.Lists {
		reads = append(reads, lists.Read(orgID, id))
	}
	return reads
}

// add saves a new recipient that was checked. named says that the suppression list had
// the person already.
func (s *Service) add(tx *store.Tx, c *api.Call, r *Recipient) (named bool, err error) {
	if len(r.Lists) > 0 {
		known, err := ListNames(tx, c.Org, r.Lists)
		if err != nil {
			return false, err
		}
		if len(known) < len(r.Lists) {
			return false, store.ErrNotFound
		}
	}
	for _, taken := range []func() (Recipient, error){
		func() (Recipient, error) { return ByMessengerID(tx, c.Org, r.MessengerID) },
		func() (Recipient, error) { return ByUsername(tx, c.Org, r.Username) },
	} {
		if _, err := taken(); err == nil {
			return false, ErrExists
		} else if !store.IsNotFound(err) {
			return false, err
		}
	}
	used, err := s.used(tx, c.Org)
	if err != nil {
		return false, err
	}
	if err := org.CheckLimit(tx, c.Org, org.LimitRecipients, used, 1); err != nil {
		return false, err
	}
	asked := r.Consent
	if asked == field.OptedOut {
		r.Consent = field.Unknown // OptOut changes it
	}
	if err := s.linkKnownAccounts(tx, c.Org, r, 0); err != nil {
		return false, err
	}
	h := history{At: c.Now, Kind: WasCreated, Consent: r.Consent, Source: string(r.Source), Actor: actor(c)}
	if err := note(tx, c.Org, r, h); err != nil {
		return false, err
	}
	named, err = suppression.Names(tx, c.Org, r.Who())
	if err != nil {
		return false, err
	}
	if err := s.saveAndSuppress(tx, c, r, named || asked == field.OptedOut, SourceOf(c), ""); err != nil {
		return false, err
	}
	if err := audit.Write(tx, c, "recipient.created", audit.On("recipient", r.ID, "")); err != nil {
		return false, err
	}
	return named, s.identified(tx, c, r, true)
}

type updateIn struct {
	IDIn
	Body struct {
		MessengerID api.PatchNull[int64]      `json:"messenger_id"`
		Username    api.PatchNull[string]     `json:"username"`
		FirstName   api.PatchNull[string]     `json:"first_name"`
		LastName    api.PatchNull[string]     `json:"last_name"`
		Language    api.PatchNull[string]     `json:"language"`
		Consent     api.Patch[field.Consent]  `json:"consent_status" enum:"OPTED_IN,AUTHORIZED,EXISTING_RELATIONSHIP,UNKNOWN,OPTED_OUT"`
		ConsentAt   api.PatchNull[time.Time]  `json:"consent_timestamp"`
		ConsentNote api.PatchNull[string]     `json:"consent_note"`
		Attributes  api.Patch[map[string]any] `json:"attributes" doc:"Changes the keys that are sent; null removes one." example:"{\"city\":\"Tashkent\",\"old\":null}"`
		Tags        api.Patch[[]string]       `json:"tags" doc:"Replaces all of them."`
	}
}

func (s *Service) update(c *api.Call, in updateIn) (out ShownRecipient, err error) {
	if err := orMaintained(c, in.Body.Consent.Set && in.Body.Consent.Value == field.OptedOut); err != nil {
		return out, err
	}
	err = s.db.Update(c, func(tx *store.Tx) error {
		before, err := recipients.Get(tx, c.Org, in.ID)
		if err != nil {
			return err
		}
		after, err := s.edit(tx, c, in, before)
		if err == nil && after.Who() != before.Who() {
			err = s.identified(tx, c, &after, false)
		}
		if err != nil {
			return err
		}
		out, err = showOne(tx, c.Org, after)
		return err
	})
	return out, err
}

// edit applies a PATCH and saves what it makes.
func (s *Service) edit(tx *store.Tx, c *api.Call, in updateIn, before Recipient) (Recipient, error) {
	b, r := in.Body, before
	fill(&r.MessengerID, b.MessengerID)
	fill(&r.Username, b.Username)
	fill(&r.FirstName, b.FirstName)
	fill(&r.LastName, b.LastName)
	r.FirstName, r.LastName = strings.TrimSpace(r.FirstName), strings.TrimSpace(r.LastName) // a blank name is none
	fill(&r.Language, b.Language)
	b.Attributes.Apply(&r.Attributes)
	if b.Tags.Set {
		r.Tags = slices.Clone(b.Tags.Value)
	}
	consent, at, remark := r.Consent, r.ConsentAt, r.ConsentNote
	changed := b.Consent.Apply(&consent)
	moved := b.ConsentAt.Apply(&at)
	noted := b.ConsentNote.Apply(&remark)
	if changed && !b.ConsentAt.Set {
		at = nil // a new basis is recorded now
	}
	optsOut := changed && consent == field.OptedOut
	checked := r
	checked.ConsentAt, checked.ConsentNote = at, remark
	if err := checked.check(c.Now); err != nil {
		return r, err
	}
	at = checked.ConsentAt
	r.Language, r.Tags, r.Attributes = checked.Language, checked.Tags, checked.Attributes
	if !changed && !moved && !noted && reflect.DeepEqual(r, before) {
		return r, nil
	}
	if r.Who() != before.Who() {
		if sending, err := isBusy(tx, c.Org, r.ID); err != nil || sending {
			return r, orBusy(err)
		}
	}
	if err := s.linkKnownAccounts(tx, c.Org, &r, before.MessengerID); err != nil {
		return r, err
	}
	r.UpdatedAt = c.Now
	if (changed || moved || noted) && !optsOut {
		if err := setConsent(tx, c, &r, consent, at, remark); err != nil {
			return r, err
		}
	}
	if err := audit.Write(tx, c, "recipient.updated", audit.On("recipient", r.ID, ""), differences(&before, &r)...); err != nil {
		return r, err
	}
	if optsOut {
		r.ConsentNote = remark
		return r, optOut(tx, c, s.bus, &r, SourceOf(c), "")
	}
	return r, s.save(tx, c, &before, &r, SourceOf(c))
}

// fill writes a value of a PATCH, the zero value for null.
func fill[T any](to *T, p api.PatchNull[T]) {
	if !p.Set {
		return
	}
	var none T
	*to = none
	if p.Value != nil {
		*to = *p.Value
	}
}

// differences are the fields that a change touched.
func differences(a, b *Recipient) []audit.Detail {
	return []audit.Detail{
		audit.Changed("messenger_id", number(a.MessengerID), number(b.MessengerID)),
		audit.Changed("username", api.Optional(a.Username), api.Optional(b.Username)),
		audit.Changed("first_name", a.FirstName, b.FirstName),
		audit.Changed("last_name", a.LastName, b.LastName),
		audit.Changed("language", api.Optional(a.Language), api.Optional(b.Language)),
		audit.Changed("consent_status", a.Consent, b.Consent),
		audit.Changed("consent_timestamp", a.ConsentAt, b.ConsentAt),
		audit.Changed("consent_note", a.ConsentNote, b.ConsentNote),
		audit.Changed("attributes", a.Attributes, b.Attributes),
		audit.Changed("tags", a.Tags, b.Tags),
	}
}
