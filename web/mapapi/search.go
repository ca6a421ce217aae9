package mapapi

import (
	"math"
	"net/http"
	"strings"
	"time"

	"svc/geo/geom"
	"svc/geo/result"
	"svc/geo/search"
)

const (
	defaultLimit    = 10
	maxSearch       = 50
	maxAutocomplete = 12
)

type searchAnswer struct {
	Query   string          `json:"query"`
	Results []result.Result `json:"results"`
	TookMS  float64         `json:"took_ms"` // two decimals
	Intent  *search.Intent  `json:"intent,omitempty"`
}

// search serves /api/search and /api/autocomplete, which differ in the most
// results that they give.
func (a *api) search(most int) func(http.ResponseWriter, *http.Request, *search.Engine) {
	return func(w http.ResponseWriter, r *http.Request, e *search.Engine) {
		begin := time.Now()
		p := params{r.URL.Query()}
		q := search.Query{
			Text: strings.TrimSpace(p.Get("q")), Lang: p.lang(), Limit: p.integer("limit", defaultLimit),
			Kinds: p.kinds(), Category: strings.TrimSpace(p.Get("category")), Box: p.box(), Layout: a.Layout,
		}
		if q.Limit <= 0 {
			q.Limit = defaultLimit
		}
		q.Limit = min(q.Limit, most)
		q.Bias, _ = p.number("bias")
		if lat, lon, ok := p.point(); ok {
			ref := geom.FromDegrees(lat, lon)
			q.Ref = &ref
		}
		found := e.Search(q)
		answerSearch(w, p, searchAnswer{
			Query: q.Text, Results: found.Results, Intent: found.Intent,
			TookMS: math.Round(float64(time.Since(begin).Microseconds())/10) / 100,
		})
	}
}
