package business

import (
	"fmt"

	"svc/app/api"
	"svc/app/business/texts"
	"svc/store"
)

// Script is the alphabet in which the seller writes.
type Script string

// The scripts.
const (
	Latin          Script = "LATIN"
	Cyrillic       Script = "CYRILLIC"
	SameAsCustomer Script = "SAME_AS_CUSTOMER"
)

// Term is a word of the business.
type Term struct {
	Term  string  `json:"term" maxLength:"120" doc:"What is meant."`
	Use   string  `json:"use" maxLength:"120" doc:"The word to use."`
	Avoid *string `json:"avoid" maxLength:"120" doc:"A word not to use."`
}

// LanguageProfile is how the seller writes one language.
type LanguageProfile struct {
	ProfileBase
	Language Language `json:"language" enum:"uz,ru,en"`
	Script   Script   `json:"script" enum:"LATIN,CYRILLIC,SAME_AS_CUSTOMER"`
	Glossary []Term   `json:"glossary" nullable:"false" maxItems:"200"`
	Greeting *string  `json:"greeting"`
	Notes    *string  `json:"notes"`
	Mixing   string   `json:"mixing" enum:"ALLOW,AVOID" doc:"Words of other languages among its own."`
}

var (
	languageProfiles = store.NewTable("language_profile", "lpf", func(p *LanguageProfile) string { return p.ID })
	_                = languageProfiles.Unique("name", func(p *LanguageProfile) store.Key { return store.Text(store.Fold(p.Name)) })
)

// builtinLanguage are the profiles that everybody has, the default of each language first.
func builtinLanguage() []LanguageProfile {
	list := []LanguageProfile{
		{ProfileBase: ProfileBase{Name: "Oʻzbekcha"}, Language: Uzbek, Script: SameAsCustomer, Mixing: "AVOID"},
		{ProfileBase: ProfileBase{Name: "Русский"}, Language: Russian, Script: Cyrillic, Mixing: "AVOID"},
		{ProfileBase: ProfileBase{Name: "English"}, Language: English, Script: Latin, Mixing: "AVOID"},
		{ProfileBase: ProfileBase{Name: "Oʻzbekcha (lotin)"}, Language: Uzbek, Script: Latin, Mixing: "AVOID"},
		{ProfileBase: ProfileBase{Name: "Ўзбекча (кирилл)"}, Language: Uzbek, Script: Cyrillic, Mixing: "AVOID"},
	}
	for i := range list {
		list[i].ID, list[i].Builtin, list[i].Glossary = builtinID("lpf", i+1), true, []Term{}
	}
	return list
}

var languageOf = profiles[LanguageProfile]{
	kind: "language_profile", what: "language profile", table: languageProfiles, builtin: builtinLanguage,
	base: func(p *LanguageProfile) *ProfileBase { return &p.ProfileBase }, check: (*LanguageProfile).check,
	used: usesProfile,
}

// LanguagesOf are the language profiles with those ids, and the default of each language
// that none of them is for.
func LanguagesOf(tx *store.Tx, org string, ids []string) (map[Language]LanguageProfile, error) {
	out := map[Language]LanguageProfile{}
	for _, p := range builtinLanguage()[:3] {
		out[p.Language] = p
	}
	for _, id := range ids {
		p, err := languageOf.find(tx, org, id)
		if err != nil {
			return nil, err
		}
		out[p.Language] = p
	}
	return out, nil
}

func (p *LanguageProfile) check() error {
	p.Greeting, p.Notes = texts.Trimmed(p.Greeting), texts.Trimmed(p.Notes)
	checks := []error{p.ProfileBase.check()}
	switch {
	case p.Language == English && p.Script == Cyrillic, p.Language == Russian && p.Script == Latin:
		checks = append(checks, api.Wrong("script", "is not that of the language"))
	}
	if p.Glossary == nil {
		p.Glossary = []Term{}
	}
	for i := range p.Glossary {
		t := &p.Glossary[i]
		t.Term, t.Use, t.Avoid = texts.OneLine(t.Term), texts.OneLine(t.Use), texts.Trimmed(t.Avoid)
		if t.Term == "" || t.Use == "" {
			checks = append(checks, api.Wrong(fmt.Sprintf("glossary[%d]", i), "needs a term and the word to use"))
		}
	}
	return api.AllWrong(checks...)
}

func (s *Service) listLanguage(c *api.Call, in api.PageIn) (api.Page[LanguageProfile], error) {
	return languageOf.list(s.db, c, in)
}

type createLanguageIn struct {
	Body struct {
		Name     string   `json:"name" required:"true" maxLength:"120"`
		Language Language `json:"language" required:"true" enum:"uz,ru,en"`
		Script   Script   `json:"script" enum:"LATIN,CYRILLIC,SAME_AS_CUSTOMER" default:"SAME_AS_CUSTOMER"`
		Glossary []Term   `json:"glossary" maxItems:"200"`
		Greeting *string  `json:"greeting" maxLength:"500"`
		Notes    *string  `json:"notes" maxLength:"2000"`
		Mixing   string   `json:"mixing" enum:"ALLOW,AVOID" default:"AVOID"`
	}
}

func (s *Service) createLanguage(c *api.Call, in createLanguageIn) (api.Created[LanguageProfile], error) {
	b := in.Body
	return languageOf.create(s.db, c, LanguageProfile{
		ProfileBase: ProfileBase{ID: s.db.NewID("lpf"), Name: b.Name}, Language: b.Language, Script: b.Script, Glossary: b.Glossary, Greeting: b.Greeting,
		Notes: b.Notes, Mixing: b.Mixing,
	}, "created")
}

type updateLanguageIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name     api.Patch[string]     `json:"name" maxLength:"120"`
		Language api.Patch[Language]   `json:"language" enum:"uz,ru,en"`
		Script   api.Patch[Script]     `json:"script" enum:"LATIN,CYRILLIC,SAME_AS_CUSTOMER"`
		Glossary api.Patch[[]Term]     `json:"glossary" maxItems:"200"`
		Greeting api.PatchNull[string] `json:"greeting" maxLength:"500"`
		Notes    api.PatchNull[string] `json:"notes" maxLength:"2000"`
		Mixing   api.Patch[string]     `json:"mixing" enum:"ALLOW,AVOID"`
	}
}

func (s *Service) updateLanguage(c *api.Call, in updateLanguageIn) (LanguageProfile, error) {
	b := &in.Body
	return languageOf.update(s.db, c, in.ID, func(p *LanguageProfile) (changed bool) {
		for _, did := range []bool{
			b.Name.Apply(&p.Name), b.Language.Apply(&p.Language), b.Script.Apply(&p.Script), b.Glossary.Apply(&p.Glossary), b.Greeting.Apply(&p.Greeting),
			b.Notes.Apply(&p.Notes), b.Mixing.Apply(&p.Mixing),
		} {
			changed = changed || did
		}
		return changed
	})
}

func (s *Service) deleteLanguage(c *api.Call, in idIn) (api.NoContent, error) {
	return languageOf.remove(s.db, c, in.ID)
}

func (s *Service) copyLanguage(c *api.Call, in copyIn) (api.Created[LanguageProfile], error) {
	return languageOf.copy(s.db, c, in.ID, s.db.NewID("lpf"), in.name())
}
