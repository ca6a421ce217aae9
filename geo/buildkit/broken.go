package buildkit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Broken is a relation of which some ring could not be built.
type Broken struct {
	Relation int64  `json:"relation"`
	Name     string `json:"name"`
	Problem  string `json:"problem"`       // as package ring names them, or Outside
	Way      int64  `json:"way,omitempty"` // where it is, when one way is to blame
}

// Outside is the problem of a relation of which the extract lacks n members.
func Outside(n int) string { return fmt.Sprintf("%d members outside the extract", n) }

// maxListed is how many broken relations a report lists.
const maxListed = 200

// BrokenList is the part of a report that tells of broken relations.
type BrokenList struct {
	Broken      []Broken `json:"broken"`
	BrokenTotal int      `json:"broken_total"` // the list above stops at 200, those with the smallest ids
}

// AddBroken enters a relation. Its name may share memory with the source.
func (l *BrokenList) AddBroken(b Broken) {
	b.Name = strings.Clone(b.Name)
	at, _ := slices.BinarySearchFunc(l.Broken, b, func(x, y Broken) int { return cmp.Compare(x.Relation, y.Relation) })
	l.BrokenTotal++
	if at >= maxListed {
		return
	}
	l.Broken = slices.Insert(l.Broken, at, b)
	l.Broken = l.Broken[:min(len(l.Broken), maxListed)]
}
