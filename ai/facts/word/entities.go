package word

import (
	_ "embed"
	"strings"

	"svc/ai/lang"
	"svc/ai/phrase"
)

// Kind is what a word names by itself.
type Kind uint8

// The kinds of what words name; what stands behind one says what the ID is.
const (
	None     Kind = iota
	HalfUnit      // half of a unit in one word: полчаса
	Currency      // id
	Percent
	Unit // of a duration: value is how many of id
	Measure
	Month
	Weekday
	Day // relative: value is the days from today
	Color
	Material
	Place
	Payment
	Good
)

// Entity is what a word names.
type Entity struct {
	Kind  Kind
	ID    string
	Value float64
	End   string // the inflection behind the word
}

// LookUp finds what the word with a key names.
func LookUp(key string) Entity {
	e, n, ok := entities.Lookup(key)
	if !ok {
		return Entity{}
	}
	e.End = key[n:]
	return e
}

// The units in which durations are counted: hours, days and weeks in minutes, years in
// months. A month is no fixed number of days.
const (
	UnitMinute = "minute"
	UnitMonth  = "month"
	UnitPiece  = "piece"
)

//go:embed entities.txt
var entityLines string

// entities are the rows of entities.txt: the kind, what it is, its value, its words.
var entities = readEntities()

func readEntities() *phrase.Table[Entity] {
	kinds := map[string]Kind{
		"halfunit": HalfUnit, "currency": Currency, "percent": Percent, "unit": Unit, "measure": Measure, "month": Month, "weekday": Weekday,
		"day": Day, "color": Color, "material": Material, "place": Place, "payment": Payment, "good": Good,
	}
	var rows []phrase.Row[Entity]
	for line := range strings.Lines(entityLines) {
		f := strings.SplitN(strings.TrimSpace(line), "|", 4)
		rows = append(rows, phrase.Row[Entity]{Value: Entity{Kind: kinds[f[0]], ID: f[1], Value: float64(lang.Figure(f[2]))}, Words: f[3]})
	}
	return phrase.NewTable(rows...)
}
