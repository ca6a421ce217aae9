package org

import (
	"slices"
	"strings"
	"unicode/utf8"

	"svc/app/api"
	"svc/app/audit"
	"svc/app/setting"
	"svc/store"
)

type updateOrganizationIn struct {
	Body struct {
		Name            api.Patch[string]             `json:"name"`
		Timezone        api.Patch[string]             `json:"timezone"`
		DefaultLanguage api.Patch[Language]           `json:"default_language" enum:"uz,ru,en"`
		Retention       *retentionIn                  `json:"retention"`
		OptOutPage      *optOutPageIn                 `json:"opt_out_page"`
		StopKeywords    api.PatchNull[stopKeywordsIn] `json:"stop_keywords" doc:"null: the service's own."`
		SendingWindow   api.PatchNull[hoursIn]        `json:"default_sending_window" doc:"What a new campaign gets that names no sending_window; null: nothing."`
	}
}

type retentionIn struct {
	MessagesDays   api.PatchNull[int] `json:"messages_days" doc:"1 to 3650; null keeps them."`
	EventsDays     api.PatchNull[int] `json:"events_days" doc:"1 to what the plan allows; null is that."`
	ExecutionsDays api.Patch[int]     `json:"executions_days" doc:"1 to 3650."`
}

type optOutPageIn struct {
	Title    api.PatchNull[string] `json:"title"`
	Text     api.PatchNull[string] `json:"text"`
	Language api.Patch[Language]   `json:"language" enum:"uz,ru,en"`
}

// stopKeywordsIn: an absent language keeps its words.
type stopKeywordsIn struct {
	UZ *[]string `json:"uz,omitempty"`
	RU *[]string `json:"ru,omitempty"`
	EN *[]string `json:"en,omitempty"`
}

func (s *Service) update(c *api.Call, in updateOrganizationIn) (out ShownOrganization, err error) {
	err = s.db.Update(c, func(tx *store.Tx) error {
		before, err := Get(tx, c.Org)
		if err != nil {
			return err
		}
		after := before
		if err := in.apply(&after); err != nil {
			return err
		}
		if changed(&before, &after) {
			after.UpdatedAt = tx.DB().Now()
			if err := after.replace(tx, c, &before); err != nil {
				return err
			}
		}
		settings, err := setting.Get(tx)
		out = after.show(settings.AUPVersion)
		return err
	})
	return out, err
}

// replace saves an organization as it is after a change.
func (o *Organization) replace(tx *store.Tx, c *api.Call, before *Organization) error {
	if err := save(tx, o); err != nil {
		return err
	}
	return audit.Write(tx, c, "organization.updated", audit.On("organization", o.ID, o.Name), differences(before, o)...)
}

// apply checks the change and writes it to o.
func (in updateOrganizationIn) apply(o *Organization) (err error) {
	b := &in.Body
	if b.Name.Set {
		if o.Name, err = checkName(b.Name.Value); err != nil {
			return err
		}
	}
	if b.Timezone.Set {
		if o.Timezone, err = CheckZone("timezone", b.Timezone.Value); err != nil {
			return err
		}
	}
	if err := language("default_language", b.DefaultLanguage, &o.DefaultLanguage); err != nil {
		return err
	}
	if b.Retention != nil {
		if err := b.Retention.apply(o); err != nil {
			return err
		}
	}
	if b.OptOutPage != nil {
		if err := b.OptOutPage.apply(&o.OptOutPage); err != nil {
			return err
		}
	}
	if b.StopKeywords.Set {
		if o.StopKeywords, err = b.StopKeywords.Value.over(o.Keywords()); err != nil {
			return err
		}
	}
	if b.SendingWindow.Set {
		err = b.SendingWindow.Value.apply(o)
	}
	return err
}

func language(field string, p api.Patch[Language], to *Language) error {
	if p.Set && !slices.Contains([]Language{Uzbek, Russian, English}, p.Value) {
		return api.Wrong(field, "must be uz, ru or en")
	}
	p.Apply(to)
	return nil
}

func (in *retentionIn) apply(o *Organization) error {
	days := func(field string, n *int) error {
		if n != nil && (*n < 1 || *n > maxDays) {
			return api.Wrong("retention."+field, "must be between 1 and %d days", maxDays)
		}
		return nil
	}
	for field, n := range map[string]*int{"messages_days": in.MessagesDays.Value, "events_days": in.EventsDays.Value} {
		if err := days(field, n); err != nil {
			return err
		}
	}
	if in.ExecutionsDays.Set {
		if err := days("executions_days", &in.ExecutionsDays.Value); err != nil {
			return err
		}
	}
	if n := in.EventsDays.Value; n != nil {
		if most, noLimit := o.Limit(LimitEventRetentionDays); !noLimit && *n > most {
			return api.ErrPlanLimit.WithMessage("The plan keeps events for %d days (%s); %d were asked for.", most, LimitEventRetentionDays, *n)
		}
	}
	in.MessagesDays.Apply(&o.Retention.MessagesDays)
	in.EventsDays.Apply(&o.Retention.EventsDays)
	in.ExecutionsDays.Apply(&o.Retention.ExecutionsDays)
	return nil
}

// Bounds of the texts of the opt-out page, in characters.
const (
	maxTitle = 120
	maxText  = 2000
)

func (in *optOutPageIn) apply(p *OptOutPage) error {
	for _, f := range []struct {
		name string
		in   api.PatchNull[string]
		to   **string
		most int
	}{{"title", in.Title, &p.Title, maxTitle}, {"text", in.Text, &p.Text, maxText}} {
		if !f.in.Set {
			continue
		}
		*f.to = nil
		if f.in.Value == nil || strings.TrimSpace(*f.in.Value) == "" {
			continue
		}
		text := strings.TrimSpace(*f.in.Value)
		if utf8.RuneCountInString(text) > f.most {
			return api.Wrong("opt_out_page."+f.name, "must not have more than %d characters", f.most)
		}
		*f.to = &text
	}
	return language("opt_out_page.language", in.Language, &p.Language)
}

// Bounds of stop words.
const (
	maxWords      = 50
	maxWordLength = 50 // characters
)

// over are these words in the place of those that hold; nil is the service's own.
func (k *stopKeywordsIn) over(now StopKeywords) (*StopKeywords, error) {
	if k == nil {
		return nil, nil
	}
	for _, l := range []struct {
		name string
		in   *[]string
		to   *[]string
	}{{"uz", k.UZ, &now.UZ}, {"ru", k.RU, &now.RU}, {"en", k.EN, &now.EN}} {
		if l.in == nil {
			continue
		}
		words, err := cleanWords("stop_keywords."+l.name, *l.in)
		if err != nil {
			return nil, err
		}
		*l.to = words
	}
	return &now, nil
}

func cleanWords(field string, in []string) ([]string, error) {
	out, seen := []string{}, map[string]bool{}
	for _, w := range in {
		w = strings.Join(strings.Fields(w), " ")
		if n := utf8.RuneCountInString(w); n == 0 || n > maxWordLength {
			return nil, api.Wrong(field, "each word must have 1 to %d characters", maxWordLength)
		}
		if !seen[store.Fold(w)] {
			seen[store.Fold(w)] = true
			out = append(out, w)
		}
	}
	if len(out) > maxWords {
		return nil, api.Wrong(field, "must not have more than %d words", maxWords)
	}
	return out, nil
}

// fields are what PATCH can change, by name, for the audit log.
func (o *Organization) fields() []struct {
	name  string
	value any
} {
	return []struct {
		name  string
		value any
	}{
		{"name", o.Name}, {"timezone", o.Timezone}, {"default_language", o.DefaultLanguage}, {"retention", o.Retention},
		{"opt_out_page", o.OptOutPage}, {"stop_keywords", o.StopKeywords},
		{"default_sending_window", o.SendingHours()},
	}
}

func differences(before, after *Organization) (out []audit.Detail) {
	was := before.fields()
	for i, f := range after.fields() {
		out = append(out, audit.Changed(f.name, was[i].value, f.value))
	}
	return out
}
