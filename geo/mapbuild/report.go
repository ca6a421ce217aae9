package mapbuild

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"svc/geo/buildkit"
	"svc/geo/index"
	"svc/geo/ring"
	"svc/geo/text"
)

// Report is NAME.report.json: what a build made and what it could not use.
type Report struct {
	Inputs              []string           `json:"inputs"`
	Out                 string             `json:"out"`
	BuiltAt             time.Time          `json:"built_at"`
	Entries             int                `json:"entries"`
	Bytes               int64              `json:"bytes"`
	Kinds               map[string]int     `json:"kinds"`
	Categories          map[string]int     `json:"categories"`
	Nameless            map[string]int     `json:"nameless"`    // entries without a name, by category
	MedianRank          map[string]float64 `json:"median_rank"` // by category
	Areas               int                `json:"areas"`       // administrative polygons
	Named               Named              `json:"named"`
	buildkit.BrokenList                    // of administrative relations
	BelowStreet         []string           `json:"below_street"` // places that rank below a street named after them
	AboveCity           []string           `json:"above_city"`   // districts that rank above their city
	Seconds             map[string]float64 `json:"seconds"`      // by stage
	PeakBytes           int64              `json:"peak_bytes"`   // of memory, 0 where the system does not say
	// Tiles is what the build of tiles from the same extracts says, when there
	// was one: a *tilebuild.Report.
	Tiles any `json:"tiles,omitempty"`
}

// Named tells how many of the objects with a name entered: nodes, ways and areas.
// Relations that are no place, such as routes, and pieces of borders are told beside them.
type Named struct {
	Objects   int            `json:"objects"`
	LeftOut   int            `json:"left_out"`
	Share     float64        `json:"share"`     // LeftOut of Objects
	Outside   int            `json:"outside"`   // with a name and no place in the extracts
	Tags      map[string]int `json:"tags"`      // of what was left out, by the tag that says most of it
	Relations map[string]int `json:"relations"` // with a name and no area, by type
	Borders   int            `json:"borders"`   // open ways of boundaries with a name
}

// maxListed is how many lines a list of the report has.
const maxListed = 200

func newReport(inputs []string) *Report {
	return &Report{
		Inputs: inputs, Kinds: map[string]int{}, Categories: map[string]int{}, Nameless: map[string]int{},
		MedianRank: map[string]float64{}, BrokenList: buildkit.BrokenList{Broken: []buildkit.Broken{}}, Named: Named{Tags: map[string]int{}, Relations: map[string]int{}}, BelowStreet: []string{}, AboveCity: []string{}, Seconds: map[string]float64{},
	}
}

func (r *Report) brokenRelation(id int64, name string, problems []ring.Problem) {
	r.AddBroken(buildkit.Broken{Relation: id, Name: name, Problem: problems[0].Kind, Way: problems[0].Way})
}

// count tells what the model holds, and lists what ranks oddly.
func (r *Report) count(m *index.Model) {
	r.Entries, r.Areas = len(m.Entries), len(m.Areas)
	ranks := map[string][]uint16{}
	for i := range m.Entries {
		e := &m.Entries[i]
		c := m.Meta.Categories[e.Category]
		r.Kinds[c.Kind]++
		r.Categories[c.ID]++
		if e.Bits&index.FlagNamed == 0 {
			r.Nameless[c.ID]++
		}
		ranks[c.ID] = append(ranks[c.ID], e.Rank)
	}
	for id, list := range ranks {
		slices.Sort(list)
		r.MedianRank[id] = float64(list[len(list)/2]) / 10000
	}
	r.compareRanks(m)
}

func (r *Report) compareRanks(m *index.Model) {
	places, streets, cities := map[string]*index.Entry{}, map[string]*index.Entry{}, map[uint32]*index.Entry{}
	best := func(book map[string]*index.Entry, e *index.Entry) {
		key := strings.Join(text.Significant(text.Tokens(m.Strings.String(e.Name))), " ")
		if old := book[key]; old == nil || e.Rank > old.Rank {
			book[key] = e
		}
	}
	kind := func(e *index.Entry) string { return m.Meta.Categories[e.Category].Kind }
	for i := range m.Entries {
		e := &m.Entries[i]
		switch kind(e) {
		case "place":
			best(places, e)
			if id := m.Meta.Categories[e.Category].ID; id == "place.city" || id == "place.town" {
				if old := cities[e.Name]; old == nil || e.Rank > old.Rank {
					cities[e.Name] = e
				}
			}
		case "street":
			best(streets, e)
		}
	}
	for _, key := range sortedByKey(places) {
		if p, s := places[key], streets[key]; s != nil && s.Rank > p.Rank && len(r.BelowStreet) < maxListed {
			r.BelowStreet = append(r.BelowStreet, fmt.Sprintf("%s %s (%.4f, street %.4f)", p.Source, m.Strings.String(p.Name), float64(p.Rank)/10000, float64(s.Rank)/10000))
		}
	}
	for i := range m.Entries {
		e := &m.Entries[i]
		if m.Meta.Categories[e.Category].ID != "place.district" {
			continue
		}
		if c := cities[e.Admin.City]; c != nil && e.Rank > c.Rank && len(r.AboveCity) < maxListed {
			r.AboveCity = append(r.AboveCity, fmt.Sprintf("%s %s", e.Source, m.Strings.String(e.Name)))
		}
	}
}

// finish adds what only the end of a build knows.
func (r *Report) finish(t *buildkit.Timer, out string) {
	r.Out, r.BuiltAt, r.Seconds, r.PeakBytes = filepath.Base(out), time.Now().UTC().Truncate(time.Second), t.Seconds(), buildkit.PeakMemory()
	if info, err := os.Stat(out); err == nil {
		r.Bytes, r.BuiltAt = info.Size(), info.ModTime().UTC()
	}
}

// reportPath is NAME.report.json beside NAME.svcmap.
func reportPath(out string) string {
	return strings.TrimSuffix(out, filepath.Ext(out)) + ".report.json"
}

// Write writes NAME.report.json beside out, which is NAME.svcmap.
func (r *Report) Write(out string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	tmp := reportPath(out) + ".tmp"
	err = os.WriteFile(tmp, append(data, '\n'), 0o644)
	if err == nil {
		err = os.Rename(tmp, reportPath(out))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("the map %s is written, its report is not: %w", out, err), ignoreMissing(os.Remove(tmp)))
	}
	return nil
}
