// Package business keeps how the AI seller of an organization is configured: businesses
// with their hours, what they offer, sales funnels, the persona that answers, how it
// speaks, how much it may do by itself, and for which accounts it answers.
//
// It promises that a configuration which contradicts itself is refused field by field
// when it is saved, not when a customer writes; that an account answers for one business
// at most; that no persona can claim to be a person (contract 11.4); that the stages of a
// funnel are replaced all at once; and that deleting a business removes everything that
// only it has.
//
// It refuses to read conversations and to decide anything about one: package seller does,
// with what is kept here. Who must act when a part of the configuration goes listens to
// the signals [Deleted], [OffersChanged] and [StagesReplaced].
package business

import (
	"time"

	"golang.org/x/sync/semaphore"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/business/booking"
	"svc/app/business/hours"
	"svc/app/business/texts"
	"svc/app/signal"
	"svc/store"
)

type (
	// Language is one that the seller speaks.
	Language = texts.Language
	// Texts are one text in each language.
	Texts = texts.Texts
)

// The languages.
const (
	Uzbek   = texts.Uzbek
	Russian = texts.Russian
	English = texts.English
)

// Status of a business.
type Status string

// The statuses. The AI does not act for an archived business.
const (
	Active   Status = "ACTIVE"
	Archived Status = "ARCHIVED"
)

// Business is what the seller speaks for.
type Business struct {
	ID              string        `json:"id"`
	Name            string        `json:"name"`
	Industry        *string       `json:"industry"`
	Description     *string       `json:"description"`
	TargetCustomer  *string       `json:"target_customer"`
	Website         *string       `json:"website"`
	Languages       []Language    `json:"languages" enum:"uz,ru,en" doc:"Languages in which it answers."`
	DefaultLanguage Language      `json:"default_language" enum:"uz,ru,en" doc:"Of customers whose language is not clear, or none of those."`
	Timezone        string        `json:"timezone" example:"Asia/Tashkent"`
	Hours           hours.Week    `json:"business_hours" doc:"By its own clocks. A business without any hours is always open."`
	Calendar        booking.Rules `json:"calendar_config"`
	AsksCustomer    bool          `json:"require_customer_confirmation" doc:"A booking waits until the customer has confirmed its exact time."`
	Status          Status        `json:"status" enum:"ACTIVE,ARCHIVED" doc:"The AI does not act for an archived business."`
	CreatedBy       string        `json:"created_by"`
	CreatedAt       time.Time     `json:"created_at"`
	UpdatedAt       time.Time     `json:"updated_at"`
}

var (
	businesses     = store.NewTable("business", "bus", func(b *Business) string { return b.ID })
	_              = businesses.Unique("name", func(b *Business) store.Key { return store.Text(store.Fold(b.Name)) })
	byName         = businesses.Index("by_name", func(b *Business) store.Key { return store.Text(store.Fold(b.Name)) })
	businessStatus = businesses.Facet("status", func(b *Business) []string { return []string{string(b.Status)} })
)

// Deleted says that a business and what only it has are gone.
type Deleted struct{ Org, Business string }

// OffersChanged says that what a business offers is not what it was.
type OffersChanged struct{ Org, Business string }

// StagesReplaced says that stages of a funnel are gone: conversations in one of them move to
// the stage that Moved gives for it, "" for none.
type StagesReplaced struct {
	Org, Business, Funnel string
	Moved                 map[string]string
}

// Options of New.
type Options struct {
	// AccountName is the name of a messenger or channel account, store.ErrNotFound when there
	// is none.
	AccountName func(tx *store.Tx, org, id string) (string, error)
	// Bus hears of [Deleted], [OffersChanged] and [StagesReplaced]; nil: nobody listens.
	Bus *signal.Bus
}

// Service does the operations of the slice.
type Service struct {
	db      *store.DB
	o       Options
	reading *semaphore.Weighted // imports of offers that are read
}

// New makes the service.
func New(db *store.DB, o Options) *Service {
	return &Service{db: db, o: o, reading: semaphore.NewWeighted(maxImports)}
}

// Tables are what a store that holds businesses is opened with.
func Tables() []store.AnyTable {
	return []store.AnyTable{businesses, offers, funnels, identities, communicationProfiles, languageProfiles, settingsTable, mappings}
}

// Get reads a business.
func Get(tx *store.Tx, org, id string) (Business, error) { return businesses.Get(tx, org, id) }

// Named is the business that a caller names in the field business_id; validation_failed there
// when the organization does not have it.
func Named(tx *store.Tx, org, id string) (Business, error) {
	b, err := businesses.Get(tx, org, id)
	if store.IsNotFound(err) {
		err = api.Wrong("business_id", "there is no business %.64s", id)
	}
	return b, err
}

// Count is how many businesses an organization has.
func Count(tx *store.Tx, org string) (int, error) { return businesses.Count(tx, org) }

// NamesOf are the names of businesses by id.
func NamesOf(tx *store.Tx, org string, ids []string) (map[string]string, error) {
	return api.Names(tx, org, businesses, ids, func(b *Business) string { return b.Name })
}

func (b *Business) resource() audit.Resource { return audit.On("business", b.ID, b.Name) }

// Location is the time zone of a business; one that the machine does not know is UTC.
func (b *Business) Location() *time.Location {
	if zone, err := time.LoadLocation(b.Timezone); err == nil {
		return zone
	}
	return time.UTC
}

// Open says whether a business is open at a time, and when it opens next if it is not; zero:
// not in the next 60 days.
func (b *Business) Open(at time.Time) (open bool, next time.Time) {
	return b.Hours.Open(at, b.Location())
}
