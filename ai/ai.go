// Package ai is access to language models: one interface over every provider, with what
// is asked (Request), what comes back (Response), what it used (Usage) and why it failed
// (Error).
//
// It promises that a call is exactly one request on the wire, that it ends with its
// context, that what it reads is bounded, and that no error holds a key, an address or a
// text of a conversation (contract 12.4). It refuses to know prices, budgets,
// organizations and which provider is tried first: packages catalog and router of this
// room, and package app/engine, do.
package ai

import (
	"context"
	"encoding/json"
	"time"
)

// Kind says which interface a provider speaks.
type Kind string

// The kinds of provider (contract 12). Demo is the model without a network: it is for
// demonstrations and never created by people.
const (
	OpenAI     Kind = "OPENAI"
	Anthropic  Kind = "ANTHROPIC"
	Google     Kind = "GOOGLE"
	Compatible Kind = "OPENAI_COMPATIBLE"
	Demo       Kind = "DEMO"
)

// Model generates text. Safe for concurrent use.
type Model interface {
	// Generate makes one call. Its error is an *Error, unless the context was cancelled by
	// the caller.
	Generate(ctx context.Context, r Request) (Response, error)
}

// Embedder turns texts into vectors of length 1.
type Embedder interface {
	// Embed makes one call for at most MaxTexts texts. dims is the wanted length of the
	// vectors, 0 for what the model has. query: the texts are questions, not documents.
	Embed(ctx context.Context, model string, dims int, texts []string, query bool) (Vectors, error)
}

// MaxTexts is how many texts one call of Embed takes.
const MaxTexts = 256

// Lister names the models that a key may use.
type Lister interface {
	// Models answers at most MaxModels.
	Models(ctx context.Context) ([]Listed, error)
}

// MaxModels bounds the list of a provider.
const MaxModels = 1000

// Provider is what one key at one provider can be asked. A provider without embeddings
// answers a call of Embed with the fault BadRequest.
type Provider interface {
	Model
	Embedder
	Lister
}

// Config is what a provider is opened with.
type Config struct {
	Kind Kind
	// BaseURL is as the vendors' own libraries take it: up to /v1 for OpenAI and
	// OpenAI-compatible servers, the host alone for Anthropic and Google; "" is the vendor's.
	BaseURL string
	Key     string
	// Organization is sent as OpenAI-Organization; "" for none.
	Organization string
}

// Request is one call of Generate.
type Request struct {
	Model string
	// System is stable for a prompt version, so that providers can cache it.
	System string
	// Messages alternate; neighbours of one role are sent as one.
	Messages []Message
	// Schema is what the answer must fit; nil: free text. Format says how it is asked for.
	Schema *Schema
	Format Format
	Tools  []Tool
	// MaxTokens bounds everything that is billed as output, reasoning included.
	MaxTokens int
	Effort    Effort
	// Temperature is left out where it is nil.
	Temperature *float64
	Stop        []string
	// CacheKey groups calls with the same beginning, for providers that route by it. It
	// must tell nothing of people: a keyed hash.
	CacheKey string
}

// Role says who speaks.
type Role string

// The roles of a message.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	// ToolResult answers a call of the message before.
	ToolResult Role = "tool"
)

// Message is one turn of a conversation.
type Message struct {
	Role Role
	Text string
	// Calls are what an assistant asked of tools.
	Calls []Call
	// CallID and Name say which call a ToolResult answers.
	CallID, Name string
}

// Tool is something that a model may ask for.
type Tool struct {
	Name, Description string
	Parameters        *Node // an object
}

// Call is one use of a tool that a model asks for.
type Call struct {
	ID, Name  string
	Arguments json.RawMessage
}

// Format is how an answer that must fit a schema is asked for: the rungs of a ladder, the
// best first (contract 12.6).
type Format uint8

// The rungs. A server that does not know a rung is asked on the next one.
const (
	// FormatSchema lets the server enforce the schema.
	FormatSchema Format = iota
	// FormatSchemaAndPrompt also says it in the prompt, for servers that take a schema
	// and do not enforce it.
	FormatSchemaAndPrompt
	// FormatObject lets the server enforce JSON; the schema stands in the prompt.
	FormatObject
	// FormatText only says it in the prompt.
	FormatText
)

// Below is the next rung; ok is false at the last one.
func (f Format) Below() (next Format, ok bool) { return f + 1, f < FormatText }

// Effort is how much a model may think before it answers; "" is the model's default.
type Effort string

// The efforts.
const (
	Minimal Effort = "minimal"
	Low     Effort = "low"
	Medium  Effort = "medium"
	High    Effort = "high"
)

// Stop says why an answer ended.
type Stop string

// The reasons of an end.
const (
	StopEnd    Stop = "END"
	StopLength Stop = "LENGTH"
	StopTools  Stop = "TOOLS"
)

// Response is the answer of one call.
type Response struct {
	Text string
	// JSON is the answer that fits the schema of the request; nil without one.
	JSON  json.RawMessage
	Calls []Call
	Stop  Stop
	Usage Usage
	// Model is what the provider says that it used.
	Model     string
	RequestID string
}

// Usage counts tokens. Input is without CachedInput and CacheWrite; Output includes
// Reasoning.
type Usage struct {
	Input       int64 `json:"input,omitempty"`
	CachedInput int64 `json:"cached_input,omitempty"`
	CacheWrite  int64 `json:"cache_write,omitempty"`
	Output      int64 `json:"output,omitempty"`
	Reasoning   int64 `json:"reasoning,omitempty"`
	// Estimated: the provider did not say, so it was counted from the bytes.
	Estimated bool `json:"estimated,omitempty"`
}

// MostTokens is more than any call uses. What a provider says beyond it is not believed, so that
// no cost overflows.
const MostTokens = 100_000_000

// TokenCount is a number of tokens as a provider says it, within what a call can use.
func TokenCount(tokens int64) int64 { return min(max(tokens, 0), MostTokens) }

// Prompt is everything that was read, cached or not: prices have tiers by it.
func (u Usage) Prompt() int64 { return u.Input + u.CachedInput + u.CacheWrite }

// Add sums up.
func (u Usage) Add(o Usage) Usage {
	return Usage{
		Input: u.Input + o.Input, CachedInput: u.CachedInput + o.CachedInput, CacheWrite: u.CacheWrite + o.CacheWrite,
		Output: u.Output + o.Output, Reasoning: u.Reasoning + o.Reasoning, Estimated: u.Estimated || o.Estimated,
	}
}

// IsZero says whether nothing was used, or nothing is known.
func (u Usage) IsZero() bool { return u == Usage{} }

// Vectors is the answer of Embed, in the order of the texts.
type Vectors struct {
	Values    [][]float32
	Usage     Usage
	RequestID string
}

// Listed is a model as its provider lists it. ContextTokens is 0 where it does not say.
type Listed struct {
	ID, Label     string
	ContextTokens int64
}

// DefaultTimeout is how long one call may take when nothing else is said (contract 12).
const DefaultTimeout = 30 * time.Second
