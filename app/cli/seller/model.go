package seller

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"svc/ai"
	"svc/ai/catalog"
	"svc/ai/measure"
	"svc/ai/providers"
	"svc/app/cli/usage"
	"svc/app/engine/agent"
	"svc/app/engine/prompt"
)

// KeyVariable is the variable of the environment that holds the key of the provider when no
// file does.
const KeyVariable = "SVC_AI_KEY"

// kinds are the providers by their names on the command line.
var kinds = map[string]ai.Kind{"openai": ai.OpenAI, "anthropic": ai.Anthropic, "google": ai.Google, "compatible": ai.Compatible}

// modelOptions are the flags that name a model and bound what is asked of it.
type modelOptions struct {
	provider, model, baseURL, keyFile string
	confidence                        float64
	timeout                           time.Duration
	parallel, maxCalls                int
	open                              func(ai.Config) ai.Provider
}

// openProvider reaches servers of this machine too: who calls the command may anyway.
func openProvider(c ai.Config) ai.Provider { return providers.New(true).Open(c) }

func (o *modelOptions) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.provider, "provider", "", "measure the messages with a model as well: openai, anthropic, google or compatible")
	f.StringVar(&o.model, "model", "", "name of the model; empty: the small one of the provider")
	f.StringVar(&o.baseURL, "base-url", "", "address of the provider; needed for compatible, for example http://127.0.0.1:11434/v1")
	f.StringVar(&o.keyFile, "key-file", "", "file with the key of the provider; empty: the variable "+KeyVariable)
	f.Float64Var(&o.confidence, "confidence", 0.6, "from where on an answer of the model counts, 0 to 1")
	f.DurationVar(&o.timeout, "timeout", ai.DefaultTimeout, "longest time of one call, 1s to 10m")
	f.IntVar(&o.parallel, "parallel", 4, "calls at once, 1 to 32")
	f.IntVar(&o.maxCalls, "max-calls", 500, "refuse a file that needs more calls, 1 to 1000000")
}

// check refuses flags that do not fit together.
func (o *modelOptions) check(cmd *cobra.Command, rules usage.Rules) error {
	if o.provider == "" {
		for _, name := range []string{"model", "base-url", "key-file", "confidence", "timeout", "parallel", "max-calls"} {
			if cmd.Flags().Changed(name) {
				return rules.Usage(cmd, "--%s is about a model; name its provider with --provider", name)
			}
		}
		return nil
	}
	kind, ok := kinds[o.provider]
	switch {
	case !ok:
		return rules.Usage(cmd, "--provider is %q; write openai, anthropic, google or compatible", o.provider)
	case kind == ai.Compatible && o.baseURL == "":
		return rules.Usage(cmd, "--provider compatible needs the address of its server in --base-url")
	case kind == ai.Compatible && o.model == "":
		return rules.Usage(cmd, "--provider compatible needs the name of a model in --model")
	case o.baseURL != "" && !strings.HasPrefix(o.baseURL, "https://") && !strings.HasPrefix(o.baseURL, "http://"):
		return rules.Usage(cmd, "--base-url is %q; it begins with https:// or http://", o.baseURL)
	case !(o.confidence >= 0 && o.confidence <= 1):
		return rules.Usage(cmd, "--confidence is %v; write a number from 0 to 1", o.confidence)
	case o.timeout < time.Second || o.timeout > 10*time.Minute:
		return rules.Usage(cmd, "--timeout is %s; write 1s to 10m", o.timeout)
	case o.parallel < 1 || o.parallel > 32:
		return rules.Usage(cmd, "--parallel is %d; write 1 to 32", o.parallel)
	case o.maxCalls < 1 || o.maxCalls > 1_000_000:
		return rules.Usage(cmd, "--max-calls is %d; write 1 to 1000000", o.maxCalls)
	}
	return nil
}

// maxKey bounds the file of a key, in bytes.
const maxKey = 16 << 10

// key is the key of the provider; a compatible server may need none.
func (o *modelOptions) key() (string, error) {
	key := os.Getenv(KeyVariable)
	if o.keyFile != "" {
		f, err := os.Open(o.keyFile)
		if err != nil {
			return "", fmt.Errorf("--key-file: %w", err)
		}
		defer func() { _ = f.Close() }()
		b, err := io.ReadAll(io.LimitReader(f, maxKey+1))
		if err != nil {
			return "", fmt.Errorf("--key-file: %w", err)
		}
		if len(b) > maxKey {
			return "", fmt.Errorf("--key-file: %s is longer than a key; write the key alone into it", o.keyFile)
		}
		key = string(b)
	}
	key = strings.TrimSpace(key)
	switch {
	case strings.ContainsAny(key, " \t\r\n"):
		return "", errors.New("the key of the provider has spaces or lines; write the key alone")
	case key == "" && kinds[o.provider] != ai.Compatible:
		return "", fmt.Errorf("there is no key: name a file with --key-file, or set %s", KeyVariable)
	}
	return key, nil
}

// progressEvery is after how many calls a line says how far it is.
const progressEvery = 50

// run measures a file with the model.
func (o *modelOptions) run(ctx context.Context, in io.Reader, out io.Writer) (*measure.Report, error) {
	kind, name := kinds[o.provider], o.model
	if name == "" {
		listed, ok := catalog.Default(kind, catalog.Small, time.Now())
		if !ok {
			return nil, fmt.Errorf("there is no usual model of %s: name one with --model", o.provider)
		}
		name = listed.Name
	}
	key, err := o.key()
	if err != nil {
		return nil, err
	}
	asked, done := 0, 0
	m := &measure.Model{
		Handle: o.open(ai.Config{Kind: kind, BaseURL: o.baseURL, Key: key}), Kind: kind, Name: name,
		Instructions: func(language string) string { return prompt.Defaults(agent.Decision)[language] },
		Confidence:   o.confidence, Timeout: o.timeout, Parallel: o.parallel,
		Before: func(c measure.Cost) error {
			asked = c.Calls
			return o.announce(out, name, c)
		},
		Progress: func(n, all int) {
			if done = n; n%progressEvery == 0 && n < all {
				_, _ = fmt.Fprintf(out, "%d of %s\n", n, usage.Count(all, "call"))
			}
		},
	}
	r, err := measure.RunWith(ctx, in, m)
	var failed *ai.Error
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, fmt.Errorf("interrupted after %d of %s; nothing is measured", done, usage.Count(asked, "call"))
	case errors.As(err, &failed):
		return nil, fmt.Errorf("after %d of %s: %s (%w)", done, usage.Count(asked, "call"), failed.Fault.Sentence(), err)
	}
	return r, err
}

// announce says what the measurement asks before it begins, and refuses too much.
func (o *modelOptions) announce(out io.Writer, name string, c measure.Cost) error {
	price := "its price is not known here"
	if c.Priced {
		price = fmt.Sprintf("at most about $%.2f", c.USD)
	}
	if c.Calls > o.maxCalls {
		return fmt.Errorf("the file needs %s of %s (%s), more than --max-calls %d; pass --max-calls %d, or measure a part of it",
			usage.Count(c.Calls, "call"), name, price, o.maxCalls, c.Calls)
	}
	_, err := fmt.Fprintf(out, "%s of %s, %s, %d at once; Ctrl-C stops.\n", usage.Count(c.Calls, "call"), name, price, o.parallel)
	return err
}
