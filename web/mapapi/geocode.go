package mapapi

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"

	"svc/app/mapkey"
	"svc/geo/geocode"
	"svc/geo/geom"
	"svc/geo/result"
	"svc/geo/search"
)

// Limits of POST /api/geocode (map contract 46).
const (
	maxQuestions = 100
	maxGeocode   = 5       // results of one question
	maxBatchBody = 1 << 20 // bytes
)

// question is one of a batch: a text, or an object with the text or the parts of an
// address, and with what /api/search takes besides.
type question struct {
	Q        string   `json:"q"`
	Name     string   `json:"name"`
	Street   string   `json:"street"`
	House    string   `json:"housenumber"`
	City     string   `json:"city"`
	District string   `json:"district"`
	Region   string   `json:"region"`
	Country  string   `json:"country"`
	Postcode string   `json:"postcode"`
	Lang     string   `json:"lang"`
	Limit    int      `json:"limit"`
	Lat      *float64 `json:"lat"`
	Lon      *float64 `json:"lon"`
	Bias     float64  `json:"bias"`
	Kinds    []string `json:"kinds"`
	Category string   `json:"category"`
}

// UnmarshalJSON reads a text as the text of a question, and refuses what is
// neither text nor object.
func (q *question) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*q = question{Q: text}
		return nil
	}
	type plain question
	var p plain
	if err := json.Unmarshal(data, &p); err != nil {
		return fmt.Errorf("a question is a text or an object: %w", err)
	}
	*q = question(p)
	return nil
}

// answered is the answer to one question. Exactly one of Results and Error is there.
type answered struct {
	Query   string      `json:"query"`
	Results *[]geocoded `json:"results,omitempty"`
	Error   string      `json:"error,omitempty"`
}

// geocoded is a result with how much of its question it accounts for.
type geocoded struct {
	result.Result
	Score float64 `json:"score"`
}

type geocodeAnswer struct {
	Answers []answered `json:"answers"`
	TookMS  float64    `json:"took_ms"`
}

// geocode serves POST /api/geocode. The gate has counted one question; the others
// are counted here, and those that the quota does not cover carry an error.
func (a *api) geocode(w http.ResponseWriter, r *http.Request, e *search.Engine) {
	begin := time.Now()
	var b struct {
		Questions []question `json:"questions"`
		Lang      string     `json:"lang"`
		Limit     int        `json:"limit"`
	}
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBatchBody)).Decode(&b) != nil {
		refuse(w, http.StatusBadRequest, "bad json")
		return
	}
	n := len(b.Questions)
	if n == 0 {
		refuse(w, http.StatusBadRequest, `questions required (a list of 1 to 100 texts or objects in "questions")`)
		return
	}
	if n > maxQuestions {
		refuse(w, http.StatusBadRequest, fmt.Sprintf("too many questions: %d, limit is %d", n, maxQuestions))
		return
	}
	admitted, refusal := n, ""
	if a.Charge != nil {
		admitted, refusal = a.Charge(r, mapkey.Geocoding, n-1)
		admitted++
	}
	coder := geocode.New(e)
	out := geocodeAnswer{Answers: make([]answered, 0, n)}
	for i, q := range b.Questions {
		switch {
		case i >= admitted:
			out.Answers = append(out.Answers, answered{Query: q.text(), Error: refusal})
		case r.Context().Err() != nil:
			return // the client left
		default:
			out.Answers = append(out.Answers, q.ask(coder, b.Lang, b.Limit, a.Layout))
		}
	}
	out.TookMS = math.Round(float64(time.Since(begin).Microseconds())/10) / 100
	w.Header().Set("Cache-Control", "no-store")
	answer(w, out)
}

// fields are the parts of the question.
func (q *question) fields() geocode.Fields {
	t := strings.TrimSpace
	return geocode.Fields{
		Name: t(q.Name), Street: t(q.Street), House: t(q.House), City: t(q.City), County: t(q.District),
		State: t(q.Region), Country: t(q.Country), Postcode: t(q.Postcode),
	}
}

// text is the question on one line.
func (q *question) text() string {
	if f := q.fields(); !f.IsZero() {
		return f.Text()
	}
	return strings.TrimSpace(q.Q)
}

// ask answers one question; lang and limit are those of the batch.
func (q *question) ask(coder *geocode.Geocoder, lang string, limit int, layout bool) answered {
	fields := q.fields()
	out := answered{Query: q.text()}
	switch {
	case out.Query == "":
		out.Error = "the question is empty: give q, or parts such as street and city"
		return out
	case strings.TrimSpace(q.Q) != "" && !fields.IsZero():
		out.Error = "q and parts of an address cannot be asked together"
		return out
	}
	s := search.Query{
		Text: out.Query, Lang: result.Language(cmp.Or(q.Lang, lang)), Limit: 1, Bias: q.Bias, Category: strings.TrimSpace(q.Category), Layout: layout,
		Kinds: kindsIn(slices.Values(q.Kinds)),
	}
	if q.Limit > 0 {
		limit = q.Limit
	}
	if limit > 0 {
		s.Limit = min(limit, maxGeocode)
	}
	if q.Lat != nil && q.Lon != nil && *q.Lat != 0 && *q.Lon != 0 && math.Abs(*q.Lat) <= 90 && math.Abs(*q.Lon) <= 180 {
		at := geom.FromDegrees(*q.Lat, *q.Lon)
		s.Ref = &at
	}
	found := []geocoded{}
	for _, m := range coder.Ask(s, fields) {
		found = append(found, geocoded{m.Result, m.Score})
	}
	out.Results = &found
	return out
}
