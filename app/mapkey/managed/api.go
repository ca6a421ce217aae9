package managed

import (
	"slices"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/mapkey"
	"svc/app/mapkey/origin"
	"svc/store"
)

// Source says where a key is kept.
type Source string

// The sources.
const (
	Console Source = "CONSOLE"
	File    Source = "FILE"
)

// MapKey is a key of the map (map contract 54.10).
type MapKey struct {
	ID           string     `json:"id" doc:"Of a key of the file it begins with file_."`
	Name         string     `json:"name"`
	KeyStart     string     `json:"key_start" doc:"The beginning of the key, to tell keys apart." example:"3fa94c1b…"`
	Source       Source     `json:"source" enum:"CONSOLE,FILE" doc:"FILE: in the key file of the server, read-only here."`
	Origins      []string   `json:"origins" doc:"Where it works; empty: everywhere."`
	RateLimit    int64      `json:"rate_limit" doc:"Requests a minute; 0: the default of the server."`
	MonthlyQuota int64      `json:"monthly_quota" doc:"Billable requests of a month in UTC; 0: no limit."`
	UsedMonth    *int64     `json:"used_this_month" doc:"Billable requests of this month in UTC; null: nobody counts."`
	Disabled     bool       `json:"disabled" doc:"Revoked, or disabled in the file."`
	Note         string     `json:"note"`
	CreatedAt    *time.Time `json:"created_at" doc:"null: the file does not say."`
	CreatedBy    string     `json:"created_by" doc:"How the person was called then; empty for keys of the file."`
	RevokedAt    *time.Time `json:"revoked_at"`
}

// NewMapKey is a key that was just made.
type NewMapKey struct {
	MapKey
	Key string `json:"key" doc:"The key. It is shown here and never again." example:"3fa94c1b0d6e4f7a8b9c0d1e2f3a4b5c"`
}

// fileID is the ID of a key of the file: the beginning of its hash.
func fileID(id mapkey.ID) string { return "file_" + id.String()[:24] }

func (s *Service) show(r *record, now time.Time) MapKey {
	return MapKey{
		ID: r.ID, Name: r.Name, KeyStart: r.Start, Source: Console, Origins: r.Origins, RateLimit: r.RateLimit, MonthlyQuota: r.MonthlyQuota,
		UsedMonth: s.used(r.hash(), now), Disabled: r.RevokedAt != nil, Note: r.Note, CreatedAt: &r.CreatedAt, CreatedBy: r.CreatedBy, RevokedAt: r.RevokedAt,
	}
}

func (s *Service) showFile(f *mapkey.FileKey, now time.Time) MapKey {
	k := MapKey{
		ID: fileID(f.ID), Name: f.Key.Name, KeyStart: f.Key.Key, Source: File, Origins: append([]string{}, f.Key.Origins...), RateLimit: max(f.Key.RateLimit, 0),
		MonthlyQuota: max(f.Key.MonthlyQuota, 0), UsedMonth: s.used(f.ID, now), Disabled: f.Key.Disabled, Note: f.Key.Note,
	}
	if at, err := time.Parse(time.RFC3339, f.Key.CreatedAt); err == nil {
		at = at.UTC()
		k.CreatedAt = &at
	}
	return k
}

// used is nil when nobody counts.
func (s *Service) used(id mapkey.ID, now time.Time) *int64 {
	if s.gate.Meter == nil {
		return nil
	}
	n, ok := s.gate.Meter.Used(id, now)
	if !ok {
		return nil
	}
	return &n
}

// inFile finds a key of the file; nil when there is none.
func (s *Service) inFile(id string) *mapkey.FileKey {
	if s.gate.Keys == nil || !strings.HasPrefix(id, "file_") {
		return nil
	}
	for _, f := range s.gate.Keys.FileKeys() {
		if fileID(f.ID) == id {
			return &f
		}
	}
	return nil
}

func (s *Service) list(c *api.Call, tx *store.Tx, _ struct{}) (out api.List[MapKey], err error) {
	list, err := all(tx)
	if err != nil {
		return out, err
	}
	keys := make([]MapKey, 0, len(list))
	for i := range list {
		keys = append(keys, s.show(&list[i], c.Now))
	}
	slices.SortStableFunc(keys, func(a, b MapKey) int { return b.CreatedAt.Compare(*a.CreatedAt) })
	if s.gate.Keys != nil {
		for _, f := range s.gate.Keys.FileKeys() {
			keys = append(keys, s.showFile(&f, c.Now))
		}
	}
	return api.NewList(keys), nil
}

type idIn struct {
	ID string `path:"id" maxLength:"64"`
}

func (s *Service) get(c *api.Call, tx *store.Tx, in idIn) (out MapKey, err error) {
	if f := s.inFile(in.ID); f != nil {
		return s.showFile(f, c.Now), nil
	}
	r, err := records.Get(tx, store.Platform, in.ID)
	if err == nil {
		out = s.show(&r, c.Now)
	}
	return out, err
}

type createIn struct {
	Body struct {
		Name         string   `json:"name" required:"true" maxLength:"200" doc:"Who uses it."`
		Origins      []string `json:"origins" maxItems:"200" doc:"Where it works, such as https://acme.example or https://*.acme.example; empty: everywhere."`
		RateLimit    int64    `json:"rate_limit" minimum:"0" maximum:"1000000" doc:"Requests a minute; 0: the default of the server."`
		MonthlyQuota int64    `json:"monthly_quota" minimum:"0" maximum:"1000000000000" doc:"Billable requests of a month in UTC; 0: no limit."`
		Note         string   `json:"note" maxLength:"2000"`
	}
}

func (s *Service) create(c *api.Call, in createIn) (out api.Created[NewMapKey], err error) {
	b := in.Body
	made, err := s.add(c, mapkey.NewKey{Name: b.Name, Origins: b.Origins, RateLimit: b.RateLimit, MonthlyQuota: b.MonthlyQuota, Note: b.Note})
	return api.New(made), err
}

// add makes and stores a key.
func (s *Service) add(c *api.Call, n mapkey.NewKey) (made NewMapKey, err error) {
	key := mapkey.Generate()
	id := mapkey.KeyID(key)
	r := record{
		ID: s.db.NewID(prefix), Name: n.Name, Hash: id.String(), Start: mapkey.Mask(key), Origins: n.Origins, RateLimit: n.RateLimit,
		MonthlyQuota: n.MonthlyQuota, Note: n.Note, CreatedAt: c.Now, UpdatedAt: c.Now, CreatedBy: c.Caller.Name,
	}
	if err := r.check(); err != nil {
		return made, err
	}
	err = s.change(c, func(tx *store.Tx) error {
		list, err := all(tx)
		if err != nil {
			return err
		}
		if len(list) >= most {
			return api.Wrong("name", "must have at most %d entries", most)
		}
		made = NewMapKey{s.show(&r, c.Now), key}
		if err := records.Insert(tx, store.Platform, &r); err != nil {
			return err
		}
		return audit.WriteTo(tx, store.Platform, c, "map_key.created", r.resource(), r.changed(&record{})...)
	})
	return made, err
}

// changed are the fields that differ from those before, for the log.
func (r *record) changed(before *record) []audit.Detail {
	return []audit.Detail{
		audit.Changed("name", before.Name, r.Name), audit.Changed("origins", before.Origins, r.Origins),
		audit.Changed("rate_limit", before.RateLimit, r.RateLimit), audit.Changed("monthly_quota", before.MonthlyQuota, r.MonthlyQuota),
		audit.Changed("note", before.Note, r.Note),
	}
}

// check is validation_failed on the field that is wrong. It trims what people typed.
func (r *record) check() error {
	r.Name = strings.TrimSpace(r.Name)
	if r.Name == "" {
		return api.Wrong("name", "must not be empty")
	}
	origins := []string{}
	for _, o := range r.Origins {
		if o = strings.TrimSpace(o); o == "" || origin.Check(o) != "" {
			return api.Wrong("origins", "must have the form https://acme.example or https://*.acme.example")
		}
		if !slices.Contains(origins, o) {
			origins = append(origins, o)
		}
	}
	r.Origins = origins
	switch {
	case r.RateLimit > maxRate:
		return api.Wrong("rate_limit", "must be at most %d", maxRate)
	case r.MonthlyQuota > maxQuota:
		return api.Wrong("monthly_quota", "must be at most %d", maxQuota)
	}
	_, err := mapkey.NewKey{Name: r.Name, Origins: r.Origins, RateLimit: r.RateLimit, MonthlyQuota: r.MonthlyQuota, Note: r.Note}.Check()
	if err != nil { // what is left: a character that is no text
		return api.Wrong("name", "must be a text").WithCause(err)
	}
	return nil
}

// change is a transaction after which the keys hold as they are now.
func (s *Service) change(c *api.Call, f func(*store.Tx) error) error {
	if err := s.db.Update(c, f); err != nil {
		return err
	}
	return s.db.View(c, s.load)
}

type updateIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name         api.Patch[string]   `json:"name" maxLength:"200"`
		Origins      api.Patch[[]string] `json:"origins" maxItems:"200"`
		RateLimit    api.Patch[int64]    `json:"rate_limit" minimum:"0" maximum:"1000000"`
		MonthlyQuota api.Patch[int64]    `json:"monthly_quota" minimum:"0" maximum:"1000000000000"`
		Note         api.Patch[string]   `json:"note" maxLength:"2000"`
	}
}

func (s *Service) update(c *api.Call, in updateIn) (out MapKey, err error) {
	return s.edit(c, in.ID, "map_key.updated", func(r *record) (bool, error) {
		changed := in.Body.Name.Apply(&r.Name)
		changed = in.Body.Origins.Apply(&r.Origins) || changed
		changed = in.Body.RateLimit.Apply(&r.RateLimit) || changed
		changed = in.Body.MonthlyQuota.Apply(&r.MonthlyQuota) || changed
		changed = in.Body.Note.Apply(&r.Note) || changed
		return changed, r.check()
	})
}

func (s *Service) revoke(c *api.Call, in idIn) (out MapKey, err error) {
	return s.edit(c, in.ID, "map_key.revoked", func(r *record) (bool, error) {
		if r.RevokedAt != nil {
			return false, nil
		}
		r.RevokedAt = &c.Now
		return true, nil
	})
}

// edit changes one stored key and writes it down.
func (s *Service) edit(c *api.Call, id, action string, change func(*record) (bool, error)) (out MapKey, err error) {
	if s.inFile(id) != nil {
		return out, ErrInFile
	}
	err = s.change(c, func(tx *store.Tx) error {
		r, err := records.Get(tx, store.Platform, id)
		if err != nil {
			return err
		}
		before := r
		before.Origins = slices.Clone(r.Origins)
		changed, err := change(&r)
		if err != nil {
			return err
		}
		if changed {
			r.UpdatedAt = c.Now
			if err := records.Put(tx, store.Platform, &r); err != nil {
				return err
			}
			if err := audit.WriteTo(tx, store.Platform, c, action, r.resource(), r.changed(&before)...); err != nil {
				return err
			}
		}
		out = s.show(&r, c.Now)
		return nil
	})
	return out, err
}

// Usage is what a key was used for.
type Usage struct {
	From     time.Time    `json:"from"`
	To       time.Time    `json:"to" doc:"Exclusive."`
	Requests int64        `json:"requests" doc:"Admitted and billable."`
	Denied   int64        `json:"denied"`
	Quota    *UsedQuota   `json:"quota" doc:"null without a quota."`
	Products []UsedOf     `json:"products" doc:"By product."`
	Days     []UsedByDays `json:"days" doc:"By day in UTC and product; what is nothing is left out."`
}

// UsedQuota is the quota of the month.
type UsedQuota struct {
	Limit     int64     `json:"limit"`
	Used      int64     `json:"used"`
	Remaining int64     `json:"remaining"`
	Resets    time.Time `json:"resets"`
}

// UsedOf is the use of one product.
type UsedOf struct {
	Product  string `json:"product" example:"search"`
	Requests int64  `json:"requests"`
	Denied   int64  `json:"denied"`
}

// UsedByDays is the use of one product on one day.
type UsedByDays struct {
	Day      string `json:"day" example:"2026-11-23"`
	Product  string `json:"product" example:"search"`
	Requests int64  `json:"requests"`
	Denied   int64  `json:"denied"`
}

type usageIn struct {
	ID   string `path:"id" maxLength:"64"`
	Days int    `query:"days" minimum:"1" maximum:"366" default:"30" doc:"How many days up to now."`
}

func (s *Service) usage(c *api.Call, in usageIn) (out Usage, err error) {
	id, quota, err := s.counted(c, in.ID)
	if err != nil {
		return out, err
	}
	if s.gate.Meter == nil {
		return out, ErrNotMetered
	}
	report, err := s.gate.Meter.Report(c, &mapkey.Holder{ID: id, MonthlyQuota: quota}, mapkey.DaysWindow(c.Now, in.Days), true, c.Now)
	if err != nil {
		s.log.Warn("a usage report was made from memory alone", "error", err.Error())
	}
	out = Usage{From: report.From, To: report.To, Requests: report.Requests, Denied: report.Denied, Products: []UsedOf{}, Days: byDay(report.Series)}
	if q := report.Quota; q != nil {
		out.Quota = &UsedQuota{q.Limit, q.Used, q.Remaining, q.Resets}
	}
	for _, p := range report.Products {
		out.Products = append(out.Products, UsedOf{p.Product, p.Requests, p.Denied})
	}
	return out, nil
}

// byDay adds hours up to days (UTC) of each product.
func byDay(hours []mapkey.HourUse) []UsedByDays {
	out := []UsedByDays{}
	at := map[[2]string]int{}
	for _, h := range hours {
		key := [2]string{h.Hour.UTC().Format(time.DateOnly), h.Product}
		i, known := at[key]
		if !known {
			i = len(out)
			at[key] = i
			out = append(out, UsedByDays{Day: key[0], Product: key[1]})
		}
		out[i].Requests += h.Requests
		out[i].Denied += h.Denied
	}
	return out
}

// counted is what a key is counted under, and its quota.
func (s *Service) counted(c *api.Call, id string) (of mapkey.ID, quota int64, err error) {
	if f := s.inFile(id); f != nil {
		return f.ID, max(f.Key.MonthlyQuota, 0), nil
	}
	err = s.db.View(c, func(tx *store.Tx) error {
		r, err := records.Get(tx, store.Platform, id)
		if err == nil {
			of, quota = r.hash(), r.MonthlyQuota
		}
		return err
	})
	return of, quota, err
}
