package business

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"svc/app/api"
	"svc/app/business/texts"
	"svc/store"
)

// ProfileBase is what every profile has.
type ProfileBase struct {
	ID        string     `json:"id"`
	Name      string     `json:"name"`
	Builtin   bool       `json:"is_builtin" doc:"Built in: it can be copied, not changed."`
	CreatedAt *time.Time `json:"created_at" doc:"null: it is built in."`
	UpdatedAt *time.Time `json:"updated_at"`
}

// Example is how the seller should answer.
type Example struct {
	Customer string `json:"customer" maxLength:"1000"`
	Reply    string `json:"reply" maxLength:"2000"`
}

// Communication is how the seller speaks, in any language.
type Communication struct {
	ProfileBase
	Formality string    `json:"formality" enum:"FORMAL,NEUTRAL,FRIENDLY"`
	Address   string    `json:"address" enum:"POLITE_YOU,INFORMAL_YOU" doc:"siz and вы, or sen and ты."`
	Emoji     string    `json:"emoji" enum:"NONE,FEW,MANY"`
	Length    string    `json:"sentence_length" enum:"SHORT,MEDIUM,LONG"`
	Questions int       `json:"max_questions" minimum:"1" maximum:"2" doc:"In one reply."`
	Do        []string  `json:"do" nullable:"false" maxItems:"30" doc:"Up to 300 characters each."`
	Dont      []string  `json:"dont" nullable:"false" maxItems:"30" doc:"Up to 300 characters each."`
	Examples  []Example `json:"examples" nullable:"false" maxItems:"20"`
}

var (
	communicationProfiles = store.NewTable("communication_profile", "cpf", func(p *Communication) string { return p.ID })
	_                     = communicationProfiles.Unique("name", func(p *Communication) store.Key { return store.Text(store.Fold(p.Name)) })
)

// builtinID is the id of the n-th built-in record of a kind.
func builtinID(prefix string, n int) string { return fmt.Sprintf("%s_%026d", prefix, n) }

func itoa(n int) string { return strconv.Itoa(n) }

// builtinCommunication are the profiles that everybody has; the first one is the default.
func builtinCommunication() []Communication {
	list := []Communication{
		{
			ProfileBase: ProfileBase{Name: "Friendly"}, Formality: "FRIENDLY", Address: "POLITE_YOU", Emoji: "FEW", Length: "SHORT", Questions: 1,
			Do:   []string{"Answer the question first, then ask one that leads on.", "Name price and condition together."},
			Dont: []string{"Do not press.", "Do not praise what nobody asked for."},
		},
		{
			ProfileBase: ProfileBase{Name: "Business-like"}, Formality: "FORMAL", Address: "POLITE_YOU", Emoji: "NONE", Length: "MEDIUM", Questions: 1,
			Do:   []string{"Write whole sentences.", "State conditions exactly."},
			Dont: []string{"No jokes.", "No exclamation marks."},
		},
		{
			ProfileBase: ProfileBase{Name: "Young and short"}, Formality: "FRIENDLY", Address: "INFORMAL_YOU", Emoji: "MANY", Length: "SHORT", Questions: 1,
			Do: []string{"Write as in a chat with an acquaintance."}, Dont: []string{"No long paragraphs."},
		},
	}
	for i := range list {
		list[i].ID, list[i].Builtin, list[i].Examples = builtinID("cpf", i+1), true, []Example{}
	}
	return list
}

var communication = profiles[Communication]{
	kind: "communication_profile", what: "communication profile", table: communicationProfiles, builtin: builtinCommunication,
	base: func(p *Communication) *ProfileBase { return &p.ProfileBase }, check: (*Communication).check,
	used: usesProfile,
}

// CommunicationOf is a communication profile: the one with that id, the default for "".
func CommunicationOf(tx *store.Tx, org, id string) (Communication, error) {
	if id == "" {
		return builtinCommunication()[0], nil
	}
	return communication.find(tx, org, id)
}

func (p *Communication) check() error {
	checks := []error{p.ProfileBase.check()}
	for _, list := range []struct {
		field string
		texts *[]string
	}{{"do", &p.Do}, {"dont", &p.Dont}} {
		texts, err := texts.Short(*list.texts, maxQuestion)
		if err != nil {
			checks = append(checks, api.Wrong(list.field, "%s", err.Error()))
		}
		*list.texts = texts
	}
	if p.Examples == nil {
		p.Examples = []Example{}
	}
	for i := range p.Examples {
		e := &p.Examples[i]
		if e.Customer, e.Reply = strings.TrimSpace(e.Customer), strings.TrimSpace(e.Reply); e.Customer == "" || e.Reply == "" {
			checks = append(checks, api.Wrong(fmt.Sprintf("examples[%d]", i), "needs both sides: customer and reply"))
		}
	}
	return api.AllWrong(checks...)
}

func (s *Service) listCommunication(c *api.Call, in api.PageIn) (api.Page[Communication], error) {
	return communication.list(s.db, c, in)
}

type createCommunicationIn struct {
	Body struct {
		Name      string    `json:"name" required:"true" maxLength:"120"`
		Formality string    `json:"formality" enum:"FORMAL,NEUTRAL,FRIENDLY" default:"NEUTRAL"`
		Address   string    `json:"address" enum:"POLITE_YOU,INFORMAL_YOU" default:"POLITE_YOU"`
		Emoji     string    `json:"emoji" enum:"NONE,FEW,MANY" default:"NONE"`
		Length    string    `json:"sentence_length" enum:"SHORT,MEDIUM,LONG" default:"SHORT"`
		Questions int       `json:"max_questions" minimum:"1" maximum:"2" default:"1"`
		Do        []string  `json:"do" maxItems:"30"`
		Dont      []string  `json:"dont" maxItems:"30"`
		Examples  []Example `json:"examples" maxItems:"20"`
	}
}

func (s *Service) createCommunication(c *api.Call, in createCommunicationIn) (api.Created[Communication], error) {
	b := in.Body
	return communication.create(s.db, c, Communication{
		ProfileBase: ProfileBase{ID: s.db.NewID("cpf"), Name: b.Name}, Formality: b.Formality, Address: b.Address, Emoji: b.Emoji, Length: b.Length,
		Questions: b.Questions, Do: b.Do, Dont: b.Dont, Examples: b.Examples,
	}, "created")
}

type updateCommunicationIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body struct {
		Name      api.Patch[string]    `json:"name" maxLength:"120"`
		Formality api.Patch[string]    `json:"formality" enum:"FORMAL,NEUTRAL,FRIENDLY"`
		Address   api.Patch[string]    `json:"address" enum:"POLITE_YOU,INFORMAL_YOU"`
		Emoji     api.Patch[string]    `json:"emoji" enum:"NONE,FEW,MANY"`
		Length    api.Patch[string]    `json:"sentence_length" enum:"SHORT,MEDIUM,LONG"`
		Questions api.Patch[int]       `json:"max_questions" minimum:"1" maximum:"2"`
		Do        api.Patch[[]string]  `json:"do" maxItems:"30"`
		Dont      api.Patch[[]string]  `json:"dont" maxItems:"30"`
		Examples  api.Patch[[]Example] `json:"examples" maxItems:"20"`
	}
}

func (s *Service) updateCommunication(c *api.Call, in updateCommunicationIn) (Communication, error) {
	b := &in.Body
	return communication.update(s.db, c, in.ID, func(p *Communication) (changed bool) {
		for _, did := range []bool{
			b.Name.Apply(&p.Name), b.Formality.Apply(&p.Formality), b.Address.Apply(&p.Address), b.Emoji.Apply(&p.Emoji), b.Length.Apply(&p.Length),
			b.Questions.Apply(&p.Questions), b.Do.Apply(&p.Do), b.Dont.Apply(&p.Dont), b.Examples.Apply(&p.Examples),
		} {
			changed = changed || did
		}
		return changed
	})
}

func (s *Service) deleteCommunication(c *api.Call, in idIn) (api.NoContent, error) {
	return communication.remove(s.db, c, in.ID)
}

type copyIn struct {
	ID   string `path:"id" maxLength:"64"`
	Body *struct {
		Name string `json:"name,omitempty" maxLength:"120" doc:"That of the original with a number when left out."`
	}
}

func (in *copyIn) name() string {
	if in.Body == nil {
		return ""
	}
	return texts.OneLine(in.Body.Name)
}

func (s *Service) copyCommunication(c *api.Call, in copyIn) (api.Created[Communication], error) {
	return communication.copy(s.db, c, in.ID, s.db.NewID("cpf"), in.name())
}
