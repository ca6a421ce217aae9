package check

import (
	"encoding/json"
	"slices"

	"svc/ai/ground"
)

// Case is one line of a corpus of replies: a reply with what it may say and the codes that
// it must get.
type Case struct {
	Conversation []struct{ Author, Text string } `json:"conversation"`
	Offers       []struct {
		ID, Type, Name, Price, Currency, Availability, Description, Delivery, URL string
		PriceMax                                                                  string `json:"price_max"`
		Note                                                                      string `json:"price_note"`
	} `json:"offers"`
	Knowledge []struct{ ID, Text string } `json:"knowledge"`
	Reply     string                      `json:"reply"`
	Expected  string                      `json:"lang_expected"`
	Codes     []Code                      `json:"codes"`
	Settings  struct {
		MaxCharacters     int               `json:"max_reply_characters"`
		ProhibitedPhrases []string          `json:"prohibited_phrases"`
		Disclosure        map[string]string `json:"disclosure"`
		DisclosureMode    string            `json:"disclosure_mode"`
		MaxQuestions      int               `json:"max_questions"`
		Languages         []string          `json:"languages"`
		DefaultLanguage   string            `json:"default_language"`
	} `json:"settings"`
	Action string `json:"action"`
	Stage  struct {
		Allowed    []string `json:"allowed_actions"`
		Prohibited []string `json:"prohibited_actions"`
	} `json:"stage"`
	Calendar bool `json:"calendar"`
}

// ReadCase reads one line of a corpus.
func ReadCase(line []byte) (c Case, err error) {
	err = json.Unmarshal(line, &c)
	return c, err
}

// Input is what the validators judge of a case, with the defaults of the form.
func (c *Case) Input() Input {
	in := Input{Reply: c.Reply, Action: c.Action, ChannelLimit: 4096, ChannelUnit: UTF16, CalendarConnected: c.Calendar}
	if in.Action == "" {
		in.Action = "ANSWER"
	}
	in.Stage = Stage{Allowed: c.Stage.Allowed, Prohibited: c.Stage.Prohibited}
	s := c.Settings
	in.Settings = Settings{
		MaxCharacters: s.MaxCharacters, ProhibitedPhrases: s.ProhibitedPhrases, Disclosure: s.Disclosure, DisclosureMode: s.DisclosureMode,
		MaxQuestions: s.MaxQuestions, Languages: s.Languages, DefaultLanguage: s.DefaultLanguage,
	}
	for _, o := range c.Offers {
		in.Sources.Offers = append(in.Sources.Offers, ground.Offer{
			ID: o.ID, Type: o.Type, Name: o.Name, Price: o.Price, PriceMax: o.PriceMax, Currency: o.Currency, Note: o.Note, Delivery: o.Delivery,
			Description: o.Description, URL: o.URL, Availability: o.Availability,
		})
	}
	for _, k := range c.Knowledge {
		in.Sources.Chunks = append(in.Sources.Chunks, ground.Chunk{ID: k.ID, Text: k.Text})
	}
	for _, m := range c.Conversation {
		if m.Author != "CUSTOMER" {
			in.Own = append(in.Own, m.Text)
			in.Sources.Burst = ""
			continue
		}
		in.Sources.CustomerText = append(in.Sources.CustomerText, m.Text)
		if in.Sources.Burst != "" {
			in.Sources.Burst += "\n"
		}
		in.Sources.Burst += m.Text
	}
	for _, text := range in.Own {
		in.Sources.OwnSent = append(in.Sources.OwnSent, ground.Own{Text: text})
	}
	return in
}

// Right tells whether a reply got exactly the codes that it must get.
func (c *Case) Right(results []Result) bool {
	got, want := Failed(results), slices.Clone(c.Codes)
	slices.Sort(got)
	slices.Sort(want)
	return slices.Equal(got, want)
}
