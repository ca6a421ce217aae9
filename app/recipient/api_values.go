package recipient

import (
	"cmp"
	"slices"
	"strings"

	"svc/app/api"
	"svc/app/recipient/field"
	"svc/store"
)

// maxListed is how many tags or attributes a list of them shows, the most used first.
const maxListed = 1000

// mostUsed are the values of kept counts, the most used first.
func mostUsed(counts map[string]int) []string {
	values := make([]string, 0, len(counts))
	for v := range counts {
		values = append(values, v)
	}
	slices.SortFunc(values, func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	return values[:min(len(values), maxListed)]
}

// TagCount is a tag with how many recipients carry it.
type TagCount struct {
	Tag   string `json:"tag" doc:"As it was written first; capitals do not matter."`
	Count int    `json:"count"`
}

func (s *Service) tags(c *api.Call, tx *store.Tx, _ struct{}) (out api.List[TagCount], err error) {
	counts, err := tagFacet.Counts(tx, c.Org)
	if err != nil {
		return out, err
	}
	list := make([]TagCount, 0, len(counts))
	for _, folded := range mostUsed(counts) {
		first, err := tagFacet.First(tx, c.Org, folded)
		if err != nil {
			return out, err
		}
		spelling := folded
		if i := slices.IndexFunc(first.Tags, func(t string) bool { return field.FoldTag(t) == folded }); i >= 0 {
			spelling = first.Tags[i]
		}
		list = append(list, TagCount{spelling, counts[folded]})
	}
	return api.NewList(list), nil
}

// AttributeCount is an attribute's key with how many recipients have it.
type AttributeCount struct {
	Key    string `json:"key" example:"city"`
	Count  int    `json:"count" doc:"Recipients."`
	Sample any    `json:"sample" doc:"A value that one of them has, a text cut to 100 characters."`
}

// attributes answers from the kept sets of those who have an attribute (contract 21.2).
func (s *Service) attributes(c *api.Call, tx *store.Tx, _ struct{}) (out api.List[AttributeCount], err error) {
	counts, err := attributeFacet.Counts(tx, c.Org)
	if err != nil {
		return out, err
	}
	list := make([]AttributeCount, 0, len(counts))
	for _, key := range mostUsed(counts) {
		first, err := attributeFacet.First(tx, c.Org, key)
		if err != nil {
			return out, err
		}
		list = append(list, AttributeCount{key, counts[key], sampleOf(first.Attributes[key])})
	}
	return api.NewList(list), nil
}

// sampleOf is a value, short enough for a list.
func sampleOf(v any) any {
	const most = 100
	if s, ok := v.(string); ok {
		if r := []rune(s); len(r) > most {
			return string(r[:most]) + "…"
		}
	}
	return v
}
