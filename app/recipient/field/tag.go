package field

import (
	"slices"
	"strings"
	"unicode/utf8"

	"svc/store"
)

// Tags do not tell capitals apart, as names of lists do not. A recipient keeps the
// spelling in which it got a tag first.

// FoldTag is a tag as tags are compared.
func FoldTag(tag string) string {
	for i := range len(tag) {
		if tag[i] >= utf8.RuneSelf {
			return store.Fold(tag)
		}
	}
	return strings.ToLower(tag)
}

// FoldTags is FoldTag of each.
func FoldTags(tags []string) []string {
	if tags == nil {
		return nil
	}
	out := make([]string, len(tags))
	for i, t := range tags {
		out[i] = FoldTag(t)
	}
	return out
}

// HasTag says whether a tag is among others, in any case.
func HasTag(tags []string, tag string) bool {
	folded := FoldTag(tag)
	return slices.ContainsFunc(tags, func(t string) bool { return t == tag || FoldTag(t) == folded })
}

// AddTags is tags with what of more they lack. It never writes into tags.
func AddTags(tags, more []string) []string {
	for _, t := range more {
		if !HasTag(tags, t) {
			tags = append(slices.Clip(tags), t)
		}
	}
	return tags
}

// RemoveTags is tags without those of gone, and how many that took.
func RemoveTags(tags, gone []string) (left []string, removed int) {
	for _, t := range tags {
		if !HasTag(gone, t) {
			left = append(left, t)
		}
	}
	return left, len(tags) - len(left)
}
