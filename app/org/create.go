package org

import (
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zones are checked on hosts that have none installed
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"svc/app/api"
	"svc/app/api/perm"
	"svc/app/audit"
	"svc/app/setting"
	"svc/store"
)

const (
	maxName = 120 // characters
	maxSlug = 40
	// keepExecutions is how long executions are kept where nothing else is said.
	keepExecutions = 90
)

// Fields are what a new organization begins with.
type Fields struct {
	Name     string
	Timezone string // IANA; "" is UTC
	// Owner is the person who becomes its OWNER; "" for none yet.
	Owner string
	// Plan "" is the platform's default.
	Plan Plan
}

// Create makes an organization with its first OWNER. The answer's id is the
// organization that c acts in from now on, if c is the owner's.
func Create(tx *store.Tx, c *api.Call, f Fields) (Organization, error) {
	name, zone, err := f.clean()
	if err != nil {
		return Organization{}, err
	}
	plan, err := planOf(tx, f.Plan)
	if err != nil {
		return Organization{}, err
	}
	slug, err := freeSlug(tx, name)
	if err != nil {
		return Organization{}, err
	}
	now := tx.DB().Now()
	o := Organization{
		ID: tx.DB().NewID("org"), Name: name, Slug: slug, Status: Active, Plan: plan, Timezone: zone, DefaultLanguage: English,
		AIEnabled: true, ConversationIntelligence: true, Retention: Retention{ExecutionsDays: keepExecutions},
		OptOutPage: OptOutPage{Language: English}, CreatedAt: now, UpdatedAt: now,
	}
	if err := table.Insert(tx, store.Platform, &o); err != nil {
		return Organization{}, err
	}
	if f.Owner != "" {
		if _, err := addMember(tx, o.ID, f.Owner, perm.Owner); err != nil {
			return Organization{}, err
		}
	}
	return o, audit.WriteTo(tx, o.ID, c, "organization.created", audit.On("organization", o.ID, o.Name))
}

// Check is validation_failed on name and timezone, whichever cannot be.
func (f Fields) Check() error {
	_, _, err := f.clean()
	return err
}

func (f Fields) clean() (name, zone string, err error) {
	name, noName := checkName(f.Name)
	zone, noZone := CheckZone("timezone", f.Timezone)
	return name, zone, api.AllWrong(noName, noZone)
}

func planOf(tx *store.Tx, p Plan) (Plan, error) {
	if p != "" {
		return p, nil
	}
	s, err := setting.Get(tx)
	return Plan(s.DefaultPlan), err
}

func checkName(name string) (string, error) {
	name = strings.TrimSpace(name)
	if n := utf8.RuneCountInString(name); n == 0 || n > maxName {
		return "", api.Wrong("name", "must have 1 to %d characters", maxName)
	}
	return name, nil
}

// CheckZone is validation_failed on field unless zone is an IANA time zone; "" is
// UTC.
func CheckZone(field, zone string) (string, error) {
	if zone == "" {
		return "UTC", nil
	}
	if _, err := time.LoadLocation(zone); err != nil || zone == "Local" || len(zone) > 64 {
		return "", api.Wrong(field, "must be a time zone of the IANA database, as in Asia/Tashkent")
	}
	return zone, nil
}

// freeSlug makes a short name for addresses that nobody has.
func freeSlug(tx *store.Tx, name string) (string, error) {
	base := slug(name)
	for i := 1; i <= 20; i++ {
		try := base
		if i > 1 {
			try += "-" + strconv.Itoa(i)
		}
		if _, err := bySlug.ID(tx, store.Platform, store.Text(try)); store.IsNotFound(err) {
			return try, nil
		} else if err != nil {
			return "", err
		}
	}
	id := tx.DB().NewID("org") // its last characters are random
	return base + "-" + id[len(id)-10:], nil
}

// slug keeps the Latin letters and digits of a name, without their marks.
func slug(name string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(strings.ToLower(name)) {
		switch {
		case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r) || r == '\'' || r == '’' || r == '‘' || r == 'ʻ':
			// marks and apostrophes are part of a letter: o‘ is o
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= maxSlug {
			break
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "organization"
}
