package provider

import (
	"svc/ai"
	"svc/app/api"
	"svc/store"
)

// FailingProvider is one whose key is rejected.
type FailingProvider struct {
	ID           string     `json:"id"`
	Name         string     `json:"name"`
	Kind         ai.Kind    `json:"kind" enum:"OPENAI,ANTHROPIC,GOOGLE,OPENAI_COMPATIBLE"`
	Organization *api.Named `json:"organization"`
	LastError    *string    `json:"last_error"`
}

// mostFailing bounds the failing providers that are shown.
const mostFailing = 100

// FailingOf are the failing providers of all organizations.
func FailingOf(tx *store.Tx) ([]FailingProvider, error) {
	list, _, err := failingAcross.Walk(tx, store.Range{Limit: mostFailing})
	out := []FailingProvider{}
	for i := range list {
		p := &list[i].Record
		out = append(out, FailingProvider{p.ID, p.Name, p.Kind, api.Ref(store.Platform, list[i].Org), api.Optional(p.LastFault.Sentence())})
	}
	return out, err
}
