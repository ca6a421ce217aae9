// Package providers opens a provider of language models by its kind, so that whoever asks
// needs to know neither HTTP nor the packages of the kinds.
package providers

import (
	"net/http"

	"svc/ai"
	"svc/ai/anthropic"
	"svc/ai/decide"
	"svc/ai/demo"
	"svc/ai/google"
	"svc/ai/openai"
	"svc/ai/wire"
)

// Opener opens providers that share one client. Safe for concurrent use.
type Opener struct {
	http    *http.Client
	private bool
}

// New makes an opener. allowPrivate lets providers be in the service's own network.
func New(allowPrivate bool) *Opener { return &Opener{wire.NewHTTP(allowPrivate), allowPrivate} }

// Over makes an opener over a transport, for tests and simulations: it reaches whatever
// the transport does.
func Over(rt http.RoundTripper) *Opener { return &Opener{wire.Client(rt), true} }

// JEV is an outside decision service; it has the same client as the providers.
func (o *Opener) JEV(base, key string) *decide.JEV {
	return &decide.JEV{HTTP: o.http, BaseURL: base, Key: key}
}

// AllowsPrivate says whether providers may be in the service's own network.
func (o *Opener) AllowsPrivate() bool { return o.private }

// Open makes a provider; nil for a kind that is none.
func (o *Opener) Open(c ai.Config) ai.Provider {
	switch c.Kind {
	case ai.OpenAI, ai.Compatible:
		return openai.New(o.http, c)
	case ai.Anthropic:
		return anthropic.New(o.http, c)
	case ai.Google:
		return google.New(o.http, c)
	case ai.Demo:
		return demo.New()
	}
	return nil
}
