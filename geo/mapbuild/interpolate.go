package mapbuild

import (
	"strconv"
	"strings"

	"svc/geo/category"
	"svc/geo/geom"
	"svc/geo/index"
	"svc/geo/osmtags"
	"svc/geo/text"
)

// maxInterpolated is the most numbers that one way may add.
const maxInterpolated = 1000

var addressCategory, _ = category.Index("address")

// interpolate adds the houses between the numbered nodes of each
// addr:interpolation way (map contract 8.5).
func (b *builder) interpolate() {
	if len(b.lines) == 0 {
		return
	}
	houses := map[int64]int{}
	for i := range b.drafts {
		if d := &b.drafts[i]; !d.gone && d.House != 0 && d.Source.Type() == "n" {
			if _, ok := houses[d.Source.ID()]; !ok {
				houses[d.Source.ID()] = i
			}
		}
	}
	for i := range b.lines {
		b.interpolateWay(&b.lines[i], houses)
	}
}

func (b *builder) interpolateWay(l *interpolation, houses map[int64]int) {
	pts, ids, _ := b.line(l.refs)
	last, left := -1, maxInterpolated
	for i, id := range ids {
		if _, ok := houses[id]; !ok {
			continue
		}
		if last >= 0 {
			from, to := &b.drafts[houses[ids[last]]], &b.drafts[houses[id]]
			left -= b.fillBetween(l, *from, *to, pts[last:i+1], left)
		}
		last = i
	}
}

// fillBetween adds the numbers strictly between two houses, evenly along the
// line, and returns how many there were.
func (b *builder) fillBetween(l *interpolation, from, to draft, line []geom.Point, limit int) int {
	numbers := between(text.HouseNumber(b.m.Strings.String(from.House)), text.HouseNumber(b.m.Strings.String(to.House)), l.step)
	if len(numbers) > limit {
		numbers = numbers[:limit]
	}
	length := geom.Length(line)
	for i, n := range numbers {
		d := draft{Entry: index.Entry{
			Source: index.NewSource('w', l.way), StreetEntry: -1, Category: uint8(addressCategory),
			Point: along(line, length*float64(i+1)/float64(len(numbers)+1)),
			House: b.id(n), Street: l.street, Postcode: from.Postcode, Admin: from.Admin,
			Bits: index.FlagNamed | index.FlagHoused | index.FlagInterpolated,
		}}
		if d.Street == 0 {
			d.Street = from.Street
		}
		d.Tags = b.tag(osmtags.InterpolatedTag, l.step)
		b.drafts = append(b.drafts, d)
	}
	return len(numbers)
}

// tag stores a tag list of one.
func (b *builder) tag(key, value string) index.Pool {
	p := index.Pool{From: uint32(len(b.m.Tags)), Count: 1}
	b.m.Tags = append(b.m.Tags, index.TagRef{Key: b.keys[key], Value: b.id(value)})
	return p
}

// maxCounted is far above any house number and far below where counting overflows.
const maxCounted = 1_000_000_000_000

// between lists the numbers between two house numbers in steps of the kind
// even, odd, all or alphabetic, or of a number; nil when they do not fit.
func between(from, to, kind string) []string {
	if kind == "alphabetic" {
		return betweenLetters(from, to)
	}
	a, errA := strconv.Atoi(from)
	z, errZ := strconv.Atoi(to)
	var step int
	switch kind {
	case "even", "odd":
		step = 2
	case "all":
		step = 1
	default:
		step, _ = strconv.Atoi(kind) // what is no number, or a huge one, is refused below
	}
	if errA != nil || errZ != nil || step <= 0 || max(a, z, step) > maxCounted || min(a, z) < 0 {
		return nil
	}
	if step == 2 && (a%2 != z%2 || kind == "even" && a%2 != 0 || kind == "odd" && a%2 != 1) {
		return nil
	}
	return count(a, z, step, strconv.Itoa)
}

// betweenLetters counts from 12a to 12e; a number without a letter stands before a.
func betweenLetters(from, to string) []string {
	stem := strings.TrimRight(from, "abcdefghijklmnopqrstuvwxyz")
	if stem == "" || stem != strings.TrimRight(to, "abcdefghijklmnopqrstuvwxyz") || len(from) > len(stem)+1 || len(to) > len(stem)+1 {
		return nil
	}
	letter := func(s string) int {
		if len(s) == len(stem) {
			return 'a' - 1
		}
		return int(s[len(stem)])
	}
	return count(letter(from), letter(to), 1, func(c int) string { return stem + string(rune(c)) })
}

// count lists what lies strictly between two numbers, in either direction.
func count(a, z, step int, write func(int) string) []string {
	var out []string
	if a > z {
		step = -step
	}
	for n := a + step; (step > 0 && n < z || step < 0 && n > z) && len(out) < maxInterpolated; n += step {
		out = append(out, write(n))
	}
	return out
}

// along is the point at a distance in metres from the start of a line.
func along(line []geom.Point, metres float64) geom.Point {
	for i := 1; i < len(line); i++ {
		d := geom.Distance(line[i-1], line[i])
		if d > 0 && metres <= d {
			return geom.Between(line[i-1], line[i], metres/d)
		}
		metres -= d
	}
	return line[len(line)-1]
}
