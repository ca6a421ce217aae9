package seller

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/spf13/cobra"

	"svc/ai"
	"svc/ai/providers"
	"svc/ai/simulator"
	"svc/app/cli/usage"
)

// item is a message that is labelled for signals.
func item(text string, stop, human bool) string {
	return fmt.Sprintf(`{"text":%q,"stop":%t,"human":%t,"complaint":false,"asks_ai":false,"intent":"OTHER"}`+"\n", text, stop, human)
}

// decision is what the simulated model says of a message.
func decision(stop string, sure float64, intent string) string {
	return fmt.Sprintf(`{"intent":{"value":%q,"confidence":0.9},"stop":{"value":%q,"confidence":%v},"disclose_ai":{"value":"no","confidence":0.9},"scenario":{"value":"OTHER","confidence":0.9}}`, intent, stop, sure)
}

type outcome struct {
	out, notes string
	err        error
	log        []simulator.Request
}

// run calls svc seller with arguments, over a simulator that plays the scenes.
func run(ctx context.Context, t *testing.T, corpus string, scenes []string, args ...string) (o outcome) {
	t.Helper()
	sim := simulator.New()
	for _, line := range scenes {
		if err := sim.Play(line); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(t.TempDir(), "messages.jsonl")
	if err := os.WriteFile(file, []byte(corpus), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, notes bytes.Buffer
	rules := usage.Rules{Usage: func(_ *cobra.Command, format string, args ...any) error { return fmt.Errorf(format, args...) }}
	cmd := measureCommand(rules, func(c ai.Config) ai.Provider { return providers.Over(sim).Open(c) })
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetOut(&out)
	cmd.SetErr(&notes)
	cmd.SetArgs(append([]string{file}, args...))
	o.err = cmd.ExecuteContext(ctx)
	o.out, o.notes, o.log = out.String(), notes.String(), sim.Log()
	return o
}

// corpus has one message for each way in which a decision is made.
var corpus = item("stop", true, false) + // certain by its words: no call
	item("What do roses cost? My card is 4111 1111 1111 1111", false, false) +
	item("alpha is what I think of these letters", true, false) +
	item("beta is what I think of these letters", true, false) +
	item("gamma is what I think of these letters", false, true)

var scenes = []string{
	"say " + decision("no", 0.95, "OTHER"),
	"text=alpha say " + decision("yes", 0.98, "STOP"),
	"text=beta say " + decision("yes", 0.9, "STOP"),
	"text=gamma say " + decision("no", 0.95, "HUMAN_REQUEST"),
}

func key(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(file, []byte("sk-test-0123456789\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestMeasureWithModel: every kind of provider gives the same tables, by the thresholds of the
// contract, and reads no personal data.
func TestMeasureWithModel(t *testing.T) {
	for _, more := range [][]string{
		{"--provider", "openai"}, {"--provider", "anthropic"}, {"--provider", "google"},
		{"--provider", "compatible", "--base-url", "https://models.example.com/v1", "--model", "qwen4:8b"},
	} {
		o := run(t.Context(), t, corpus, scenes, append(more, "--key-file", key(t))...)
		if o.err != nil {
			t.Errorf("%v: %v", more, o.err)
			continue
		}
		for _, want := range [][]string{
			{"stop, opted out", "3", "2", "0", "1", "1.000", "0.667"},
			{"stop, opted out or shown to a person", "3", "3", "0", "0", "1.000", "1.000"},
			{"person", "1", "1", "0", "0", "1.000", "1.000"},
			{"decided by the rules alone", "1"},
			{"usable", "4"},
		} {
			if !hasRow(o.out, want) {
				t.Errorf("%v: no row %v in\n%s", more, want, o.out)
			}
		}
		if !strings.Contains(o.notes, "4 calls of ") || len(o.log) != 4 {
			t.Errorf("%v: %d requests; %s", more, len(o.log), o.notes)
		}
		if strings.Contains(o.out+o.notes, "sk-test") {
			t.Errorf("%v: the key is printed", more)
		}
	}
}

// hasRow says whether the last line that begins with the first cell has the others.
func hasRow(out string, cells []string) bool {
	found := false
	for line := range strings.Lines(out) {
		if rest, ok := strings.CutPrefix(line, cells[0]+"  "); ok {
			found = strings.HasPrefix(strings.Join(strings.Fields(rest), " "), strings.Join(cells[1:], " "))
		}
	}
	return found
}

// TestModelReadsNoPersonalData: what a card looks like reaches no provider.
func TestModelReadsNoPersonalData(t *testing.T) {
	o := run(t.Context(), t, corpus, append(scenes, "text=4111 400"), "--provider", "openai", "--key-file", key(t))
	if o.err != nil {
		t.Error(o.err)
	}
}

// TestFailuresOfTheModel: what passes is tried again, what would fail every call ends the
// measurement with what to do, and an answer that cannot be used is counted.
func TestFailuresOfTheModel(t *testing.T) {
	for _, c := range []struct{ scene, want, out string }{
		{"429 times=2", "", "usable"},
		{"401", "does not accept the key", ""},
		{"quota", "has no credit left", ""},
		{"404 code=model_not_found", "no such model", ""},
		{"503", "after 0 of 4 calls", ""},
		{"text=beta refuse", "", "refused"},
	} {
		synctest.Test(t, func(t *testing.T) {
			o := run(t.Context(), t, corpus, append(scenes[:len(scenes):len(scenes)], c.scene), "--provider", "openai", "--key-file", key(t))
			switch {
			case c.want == "" && (o.err != nil || !strings.Contains(o.out, c.out)):
				t.Errorf("%s: %v\n%s", c.scene, o.err, o.out)
			case c.want != "" && (o.err == nil || !strings.Contains(o.err.Error(), c.want)):
				t.Errorf("%s: %v, want %q", c.scene, o.err, c.want)
			}
		})
	}
}

// TestInterrupted: the end of the context ends the calls, and says how far they were.
func TestInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			synctest.Wait()
			cancel()
		}()
		o := run(ctx, t, corpus, append(scenes[:len(scenes):len(scenes)], "hang 1h"), "--provider", "openai", "--key-file", key(t), "--timeout", "10m")
		if o.err == nil || !strings.Contains(o.err.Error(), "interrupted after 0 of 4 calls") {
			t.Error(o.err)
		}
	})
}

// TestRefusals: a wrong flag is named with what to write, before anything is asked.
func TestRefusals(t *testing.T) {
	file := key(t)
	for _, c := range []struct{ args, want string }{
		{"--model x", "--provider"},
		{"--provider other", "write openai, anthropic, google or compatible"},
		{"--provider openai", "--key-file"},
		{"--provider compatible --model x", "--base-url"},
		{"--provider compatible --base-url http://localhost:1/v1", "--model"},
		{"--provider compatible --model x --base-url localhost", "begins with https://"},
		{"--provider openai --confidence 2", "0 to 1"},
		{"--provider openai --parallel 0", "1 to 32"},
		{"--provider openai --timeout 0s", "1s to 10m"},
		{"--provider openai --max-calls 0", "--max-calls is 0"},
		{"--provider openai --key-file " + file + " --max-calls 3", "needs 4 calls of "},
	} {
		o := run(t.Context(), t, corpus, scenes, strings.Fields(c.args)...)
		if o.err == nil || !strings.Contains(o.err.Error(), c.want) || len(o.log) > 0 {
			t.Errorf("%s: %v, want %q", c.args, o.err, c.want)
		}
	}
	if o := run(t.Context(), t, `{"text":"a","lang":"en"}`, nil, "--provider", "openai", "--key-file", file); o.err == nil || !strings.Contains(o.err.Error(), "labelled for signals") {
		t.Error(o.err)
	}
}
