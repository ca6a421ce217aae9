package facts

import (
	_ "embed"
	"strings"

	"svc/ai/lang"
	"svc/ai/phrase"
)

// entityKind is what a word names by itself.
type entityKind uint8

const (
	eNone     entityKind = iota
	eHalfUnit            // half of a unit in one word: полчаса
	eCurrency            // id
	ePercent
	eUnit // of a duration: value is how many of id
	eMeasure
	eMonth
	eWeekday
	eDay // relative: value is the days from today
	eColor
	eMaterial
	ePlace
	ePayment
	eGood
)

type entity struct {
	kind  entityKind
	id    string
	value float64
	end   string // the inflection behind the word
}

func lookUp(key string) entity {
	e, n, ok := entities.Lookup(key)
	if !ok {
		return entity{}
	}
	e.end = key[n:]
	return e
}

// The units in which durations are counted: hours, days and weeks in minutes, years in
// months. A month is no fixed number of days.
const (
	unitMinute = "minute"
	unitMonth  = "month"
	unitPiece  = "piece"
)

//go:embed entities.txt
var entityLines string

// entities are the rows of entities.txt: the kind, what it is, its value, its words.
var entities = readEntities()

func readEntities() *phrase.Table[entity] {
	kinds := map[string]entityKind{
		"halfunit": eHalfUnit, "currency": eCurrency, "percent": ePercent, "unit": eUnit, "measure": eMeasure, "month": eMonth, "weekday": eWeekday,
		"day": eDay, "color": eColor, "material": eMaterial, "place": ePlace, "payment": ePayment, "good": eGood,
	}
	var rows []phrase.Row[entity]
	for line := range strings.Lines(entityLines) {
		f := strings.SplitN(strings.TrimSpace(line), "|", 4)
		rows = append(rows, phrase.Row[entity]{Value: entity{kind: kinds[f[0]], id: f[1], value: float64(lang.Figure(f[2]))}, Words: f[3]})
	}
	return phrase.NewTable(rows...)
}
