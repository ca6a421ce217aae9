// Package catalog knows models that people use: what they can do, what they cost and from
// when on, with the date and the source of each price.
//
// It promises that costs are counted in whole nano-dollars, so that sums are exact, and
// that the worst case of a call is never less than what it costs (contract 12.3, 12.8). It
// refuses to know what an organization pays: package app/engine lays other prices over
// these.
package catalog

import (
	"crypto/sha256"
	"encoding/base32"
	"time"

	"svc/ai"
)

// AsOf is the day on which the prices were read, and the service says it beside them.
const AsOf = "2026-10-31"

// Nano is an amount in nano-dollars: 10^9 are one US dollar.
type Nano int64

// Dollar is one US dollar.
const Dollar Nano = 1_000_000_000

// USD is the amount in dollars, for people.
func (n Nano) USD() float64 { return float64(n) / float64(Dollar) }

// FromUSD is the amount of dollars, rounded to the nearest.
func FromUSD(usd float64) Nano {
	if usd < 0 {
		return -FromUSD(-usd)
	}
	return Nano(usd*float64(Dollar) + 0.5)
}

// Rates are dollars for a million tokens. A rate that is nil is that of input.
type Rates struct {
	Input       float64  `json:"input_per_million_usd" required:"true" minimum:"0" maximum:"10000" doc:"0 means that it costs nothing."`
	Output      float64  `json:"output_per_million_usd" required:"true" minimum:"0" maximum:"10000"`
	CachedInput *float64 `json:"cached_input_per_million_usd" minimum:"0" maximum:"10000" doc:"null: that of input."`
	CacheWrite  *float64 `json:"cache_write_per_million_usd" minimum:"0" maximum:"10000" doc:"null: that of input."`
}

// Tier are other rates for prompts of more than so many tokens.
type Tier struct {
	Above int64 `json:"above_input_tokens" minimum:"1"`
	Rates
}

// Price is what a model costs: the rates, and those of longer prompts, by rising Above.
type Price struct {
	Rates
	Tiers []Tier
}

// perToken is a rate in nano-dollars for a million tokens, so that products are whole.
func perMillion(usd float64) int64 { return int64(usd*float64(Dollar) + 0.5) }

func or(rate *float64, other float64) float64 {
	if rate == nil {
		return other
	}
	return *rate
}

// at are the rates of a prompt of so many tokens.
func (p Price) at(prompt int64) Rates {
	r := p.Rates
	for _, t := range p.Tiers {
		if prompt > t.Above {
			r = t.Rates
		}
	}
	return r
}

// Cost is what a usage costs, rounded up to the nano-dollar.
func (p Price) Cost(u ai.Usage) Nano {
	r := p.at(u.Prompt())
	sum := part(u.Input, r.Input) + part(u.CachedInput, or(r.CachedInput, r.Input)) +
		part(u.CacheWrite, or(r.CacheWrite, r.Input)) + part(u.Output, r.Output)
	return Nano(sum)
}

// part is tokens by a rate, in nano-dollars rounded up.
func part(tokens int64, usd float64) int64 {
	const million = 1_000_000
	whole, rest := tokens/million, tokens%million
	rate := perMillion(usd)
	return whole*rate + (rest*rate+million-1)/million
}

// WorstInput is how far a real prompt may be above its estimate.
const WorstInput = 1.5

// Worst is the most that a call can cost whose prompt is estimated at so many tokens and
// whose output is bounded.
func (p Price) Worst(estimated int64, maxTokens int) Nano {
	input := int64(float64(estimated)*WorstInput) + 1
	r := p.at(input)
	dearest := max(r.Input, or(r.CachedInput, r.Input), or(r.CacheWrite, r.Input))
	return Nano(part(input, dearest) + part(int64(maxTokens), r.Output))
}

// Supports says what a model can do.
type Supports struct {
	Tools     bool `json:"tools"`
	JSON      bool `json:"json"`
	Vision    bool `json:"vision"`
	Embedding bool `json:"embedding"`
}

// Size is how dear a model is for its provider, for the default chains.
type Size uint8

// The sizes. Other models are never chosen by themselves.
const (
	Other Size = iota
	Small
	Medium
)

// Model is one model of a kind of provider.
type Model struct {
	Kind                           ai.Kind
	Name, Label                    string
	ContextTokens, MaxOutputTokens int64
	Price                          Price
	// From and Until bound when the price holds; zero: open.
	From, Until time.Time
	Supports    Supports
	Size        Size
	// FixedSampling: it takes no temperature. Thinks: its output needs room to think.
	FixedSampling, Thinks bool
	// Source is where the price was read.
	Source string
}

// ThinkingRoom is the least output of a model that always thinks, in tokens.
const ThinkingRoom = 2048

// Holds says whether the price holds at a time.
func (m *Model) Holds(at time.Time) bool {
	return !at.Before(m.From) && (m.Until.IsZero() || at.Before(m.Until))
}

// ID is how the API names a model of the catalogue: derived from its kind and name.
func ID(kind ai.Kind, name string) string {
	sum := sha256.Sum256([]byte(string(kind) + "\n" + name))
	encoded := base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding).EncodeToString(sum[:17])
	return "mdl_0" + encoded[:25]
}

// Find is the model of a kind with a name, at a price that holds at a time.
func Find(kind ai.Kind, name string, at time.Time) (Model, bool) {
	var last Model
	found := false
	for _, m := range models {
		if m.Kind != kind || m.Name != name {
			continue
		}
		if m.Holds(at) {
			return m, true
		}
		last, found = m, true // a price that ended is better than none
	}
	return last, found
}

// All are the models with the price that holds at a time, in the order of the table.
func All(at time.Time) (out []Model) {
	for i, m := range models {
		if i > 0 && models[i-1].Kind == m.Kind && models[i-1].Name == m.Name {
			continue
		}
		if now, ok := Find(m.Kind, m.Name, at); ok {
			out = append(out, now)
		}
	}
	return out
}

// Default is the model of a kind and size that is chosen when nobody chose.
func Default(kind ai.Kind, size Size, at time.Time) (Model, bool) {
	for _, m := range All(at) {
		if m.Kind == kind && m.Size == size {
			return m, true
		}
	}
	return Model{}, false
}
