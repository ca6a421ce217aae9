package texts

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"svc/app/api"
)

// OneLine is a text without spaces at its ends and with one between words.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Trimmed is an optional text without spaces at its ends; an empty one is none.
func Trimmed(s *string) *string {
	if s == nil {
		return nil
	}
	return api.Optional(strings.TrimSpace(*s))
}

// Unique is a list without repetitions, never nil.
func Unique[T comparable](list []T) []T {
	out := make([]T, 0, len(list))
	for _, v := range list {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// Short is a list without empty texts, never nil; an error names a text of more characters than
// there may be.
func Short(list []string, most int) ([]string, error) {
	out := make([]string, 0, len(list))
	for i, text := range list {
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		if utf8.RuneCountInString(text) > most {
			return nil, fmt.Errorf("number %d is longer than %d characters", i+1, most)
		}
		out = append(out, text)
	}
	return out, nil
}

// Joined are words with a comma between.
func Joined[T ~string](list []T) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = string(v)
	}
	return strings.Join(out, ", ")
}
