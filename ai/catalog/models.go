package catalog

import (
	"time"

	"svc/ai"
)

// usd are rates for input, output and cached input.
func usd(input, output, cached float64) Price {
	return Price{Rates: Rates{Input: input, Output: output, CachedInput: &cached}}
}

// plain are rates without one for cached input.
func plain(input, output float64) Price { return Price{Rates: Rates{Input: input, Output: output}} }

// written adds the rate of writing to the cache.
func (p Price) written(rate float64) Price {
	p.CacheWrite = &rate
	return p
}

// above adds the rates of longer prompts.
func (p Price) above(tokens int64, longer Price) Price {
	p.Tiers = append(p.Tiers, Tier{tokens, longer.Rates})
	return p
}

var (
	reads   = Supports{Tools: true, JSON: true, Vision: true}
	vectors = Supports{Embedding: true}
	newYear = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
)

// Where prices were read.
const (
	fromAnthropic = "platform.claude.com, October 2026"
	fromTrackers  = "release notes as two price trackers had them, September 2026"
	fromReseller  = "the list of a reseller, October 2026"
	fromGoogle    = "ai.google.dev as two mirrors had it, October 2026"
	fromMemory    = "not looked up; check it at the vendor"
)

// models is the table (contract 12.8). Rows of one model stand together, by the time from
// which their price holds.
var models = []Model{
	{
		Kind: ai.Anthropic, Name: "claude-haiku-5-5", Label: "Claude Haiku 5.5", ContextTokens: 1_000_000, MaxOutputTokens: 128_000,
		Price:    usd(0.10, 0.50, 0.01).written(0.125).above(100_000, usd(0.50, 2.50, 0.05).written(0.625)),
		Supports: reads, Size: Small, Source: fromAnthropic,
	},
	{
		Kind: ai.Anthropic, Name: "claude-sonnet-5-5", Label: "Claude Sonnet 5.5", ContextTokens: 1_000_000, MaxOutputTokens: 128_000,
		Price: usd(2, 10, 0.10).written(2.5), Supports: reads, Size: Medium, Source: fromAnthropic,
	},
	{
		Kind: ai.Anthropic, Name: "claude-opus-5-5", Label: "Claude Opus 5.5", ContextTokens: 1_000_000, MaxOutputTokens: 128_000,
		Price: usd(4, 20, 0.20).written(5), Supports: reads, Thinks: true, FixedSampling: true, Source: fromAnthropic,
	},
	{
		Kind: ai.Anthropic, Name: "claude-fable-5-1", Label: "Claude Fable 5.1", ContextTokens: 1_000_000, MaxOutputTokens: 128_000,
		Price: usd(10, 50, 0.25).written(12.5), Supports: reads, Thinks: true, FixedSampling: true, Source: fromAnthropic,
	},
	{
		Kind: ai.Anthropic, Name: "claude-haiku-4-5", Label: "Claude Haiku 4.5", ContextTokens: 200_000, MaxOutputTokens: 64_000,
		Price: usd(1, 5, 0.10).written(1.25), Supports: reads, Source: fromAnthropic,
	},
	{
		Kind: ai.OpenAI, Name: "gpt-6-luna", Label: "GPT-6 Luna", ContextTokens: 400_000, MaxOutputTokens: 128_000,
		Price: usd(0.10, 0.50, 0.01), Supports: reads, Size: Small, FixedSampling: true, Source: fromTrackers,
	},
	{
		Kind: ai.OpenAI, Name: "gpt-6-sol", Label: "GPT-6 Sol", ContextTokens: 1_000_000, MaxOutputTokens: 128_000,
		Price: usd(2, 10, 0.20), Supports: reads, Size: Medium, FixedSampling: true, Source: fromTrackers,
	},
	{
		Kind: ai.OpenAI, Name: "gpt-6-astra", Label: "GPT-6 Astra", ContextTokens: 1_000_000, MaxOutputTokens: 128_000,
		Price: usd(10, 50, 1).above(272_000, usd(20, 75, 2)), Supports: reads, FixedSampling: true, Source: fromTrackers,
	},
	{
		Kind: ai.OpenAI, Name: "gpt-6.1-terra", Label: "GPT-6.1 Terra", ContextTokens: 400_000, MaxOutputTokens: 128_000,
		Price: plain(1, 5), Supports: reads, FixedSampling: true, Source: fromReseller,
	},
	{
		Kind: ai.OpenAI, Name: "gpt-5.4-mini", Label: "GPT-5.4 mini", ContextTokens: 400_000, MaxOutputTokens: 128_000,
		Price: usd(0.75, 4.50, 0.075), Supports: reads, FixedSampling: true, Source: fromReseller,
	},
	{
		Kind: ai.OpenAI, Name: "text-embedding-3-small", Label: "Text embedding 3 small", ContextTokens: 8_191,
		Price: plain(0.02, 0), Supports: vectors, Source: fromMemory,
	},
	{
		Kind: ai.OpenAI, Name: "text-embedding-3-large", Label: "Text embedding 3 large", ContextTokens: 8_191,
		Price: plain(0.13, 0), Supports: vectors, Source: fromMemory,
	},
	{
		Kind: ai.Google, Name: "gemini-3.8-flash", Label: "Gemini 3.8 Flash", ContextTokens: 1_048_576, MaxOutputTokens: 65_536,
		Price: usd(0.75, 3.75, 0.075), Until: newYear, Supports: reads, Size: Medium, Source: fromGoogle,
	},
	{
		Kind: ai.Google, Name: "gemini-3.8-flash", Label: "Gemini 3.8 Flash", ContextTokens: 1_048_576, MaxOutputTokens: 65_536,
		Price: usd(1.50, 7.50, 0.15), From: newYear, Supports: reads, Size: Medium, Source: fromGoogle,
	},
	{
		Kind: ai.Google, Name: "gemini-3.1-flash-lite", Label: "Gemini 3.1 Flash Lite", ContextTokens: 1_048_576, MaxOutputTokens: 65_536,
		Price: plain(0.25, 1.50), Supports: reads, Size: Small, Source: fromReseller,
	},
	{
		Kind: ai.Google, Name: "gemini-embedding-001", Label: "Gemini embedding 001", ContextTokens: 2_048,
		Price: plain(0.15, 0), Supports: vectors, Source: fromMemory,
	},
	{
		Kind: ai.Demo, Name: "demo", Label: "Demo model (no language model)", ContextTokens: 32_000, MaxOutputTokens: 4_000,
		Price: plain(0, 0), Supports: Supports{Tools: true, JSON: true, Embedding: true}, Size: Small, Source: "it costs nothing",
	},
}
