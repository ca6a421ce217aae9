package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"svc/app/cli/terminal"
)

// runKeys calls `svc keys ARGS` and answers what it wrote.
func runKeys(args ...string) (stdout, stderr string, err error) {
	var out, errs bytes.Buffer
	cmd := newKeysCommand(Parts{})
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(args)
	err = cmd.Execute()
	return out.String(), errs.String(), err
}

func mustKeys(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, err := runKeys(args...)
	if err != nil {
		t.Fatalf("keys %v: %v", args, err)
	}
	return stdout, stderr
}

var hexKey = regexp.MustCompile(`^[0-9a-f]{32}\n$`)

func TestKeysAddPrintsOnlyTheKey(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	out, errs := mustKeys(t, "add", "Мой сайт", "--keys", file)
	if !hexKey.MatchString(out) {
		t.Errorf("stdout %q", out)
	}
	if !strings.Contains(errs, "warning: the key has no origins") || !strings.Contains(errs, `added "Мой сайт"`) {
		t.Errorf("stderr %q", errs)
	}
	if strings.Contains(errs, strings.TrimSpace(out)) {
		t.Error("the key stands on stderr too")
	}
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	_, errs = mustKeys(t, "add", "Мой сайт", "--keys", file, "--origins", "https://a.example,acme.example", "--origins", "*")
	if strings.Contains(errs, "no origins") || strings.Count(errs, "never matches") != 1 || !strings.Contains(errs, "1 more with that name") {
		t.Errorf("stderr %q", errs)
	}
}

func TestKeysAddKeepsWhatItWasTold(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	key, _ := mustKeys(t, "add", "site", "--keys", file, "--origins", "https://a.example,https://*.b.example", "--rate", "7", "--quota", "9", "--note", "inv <17>")
	out, _ := mustKeys(t, "list", "--json", "--keys", file)
	var got []map[string]any
	if err := json.Unmarshal([]byte(out), &got); err != nil || len(got) != 1 {
		t.Fatalf("%v in %s", err, out)
	}
	for name, want := range map[string]any{
		"key": strings.TrimSpace(key), "name": "site", "rate_limit": 7.0, "monthly_quota": 9.0, "disabled": false, "note": "inv <17>",
	} {
		if got[0][name] != want {
			t.Errorf("%s = %v, want %v", name, got[0][name], want)
		}
	}
	if !strings.Contains(out, "inv <17>") || len(got[0]["origins"].([]any)) != 2 || got[0]["created_at"] == "" {
		t.Errorf("%s", out)
	}
}

func TestKeysListMasksAndAligns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	text := `[{"key":"0123456789abcdef0123456789abcdef","name":"Toshkent","created_at":"2026-11-21T12:00:00Z","x":1},
		{"key":"fedcba9876543210fedcba9876543210","name":"地図","origins":["a","b","c","d"],"rate_limit":5,"monthly_quota":6,"disabled":true},
		{"key":"cccccccccccccccc","name":"e\u0301\u001b[31m\u202e"},{"name":"no key"}]`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := mustKeys(t, "list", "--keys", file)
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("%s", out)
	}
	if strings.Contains(out, "0123456789abcdef") || !strings.Contains(out, "01234567…") {
		t.Errorf("keys are not masked:\n%s", out)
	}
	if strings.ContainsAny(out, "\x1b\u202e") || !strings.Contains(out, `\u001b[31m\u202e`) {
		t.Errorf("control characters reach the terminal: %q", out)
	}
	at := -1
	for _, line := range lines {
		// The second column begins at the same terminal column everywhere.
		second := regexp.MustCompile(`KEY|01234567…|fedcba98…|cccccccc…`).FindStringIndex(line)
		if second == nil {
			t.Fatalf("no key in %q", line)
		}
		if n := terminal.Columns(line[:second[0]]); at >= 0 && n != at {
			t.Errorf("column %d, want %d:\n%s", n, at, out)
		} else {
			at = n
		}
	}
	for i, want := range map[int]string{
		1: `active   default   unlimited    everywhere`, 2: `revoked  5         6            a, b and 2 more`,
	} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d is %q, want %q in it", i, lines[i], want)
		}
	}
	if !strings.HasSuffix(lines[1], "2026-11-21") {
		t.Errorf("no date in %q", lines[1])
	}
	if out, _ := mustKeys(t, "list", "--keys", file, "--json"); !strings.Contains(out, `"x": 1`) || strings.Contains(out, "no key") {
		t.Errorf("json: %s", out)
	}
}

func TestKeysListOfAnEmptyFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(file, []byte("[]"), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _ := mustKeys(t, "list", "--keys", file, "--json"); out != "[]\n" {
		t.Errorf("%q", out)
	}
	if out, _ := mustKeys(t, "list", "--keys", file); !strings.HasPrefix(out, "NAME") || strings.Count(out, "\n") != 1 {
		t.Errorf("%q", out)
	}
}

func TestKeysRevoke(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	key, _ := mustKeys(t, "add", "site", "--keys", file)
	key = strings.TrimSpace(key)
	out, errs := mustKeys(t, "revoke", "site", "--keys", file)
	if out != "" || !strings.Contains(errs, `revoked "site" (`+key[:8]+`…)`) || strings.Contains(errs, key) {
		t.Errorf("stdout %q, stderr %q", out, errs)
	}
	if _, errs = mustKeys(t, "revoke", key, "--keys", file); !strings.Contains(errs, "already revoked") {
		t.Errorf("stderr %q", errs)
	}
	if out, _ := mustKeys(t, "list", "--keys", file); !strings.Contains(out, "revoked") {
		t.Errorf("%s", out)
	}
}

func TestKeysEdit(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	key, _ := mustKeys(t, "add", "site", "--keys", file, "--origins", "https://a.example", "--rate", "5", "--quota", "9", "--note", "x")
	out, errs := mustKeys(t, "edit", "site", "--keys", file, "--rate", "7")
	if out != "" || !strings.Contains(errs, `changed "site" (`+key[:8]+`…): 7 a minute, 9 a month, from https://a.example`) || strings.Contains(errs, strings.TrimSpace(key)) {
		t.Errorf("stdout %q, stderr %q", out, errs)
	}
	if _, errs = mustKeys(t, "edit", "site", "--keys", file, "--rate", "7"); !strings.Contains(errs, "was like that already") {
		t.Errorf("stderr %q", errs)
	}
	mustKeys(t, "add", "shop", "--keys", file, "--origins", "*")
	_, errs = mustKeys(t, "edit", "site", "--keys", file, "--name", "shop", "--origins", "", "--quota", "0", "--note", "")
	if !strings.Contains(errs, "1 more with that name") || !strings.Contains(errs, "from everywhere") || !strings.Contains(errs, "7 a minute, unlimited a month") {
		t.Errorf("stderr %q", errs)
	}
	list, _ := mustKeys(t, "list", "--json", "--keys", file)
	var got []struct {
		Key, Name, Note string
		Origins         []string
		Rate            int64 `json:"rate_limit"`
	}
	if err := json.Unmarshal([]byte(list), &got); err != nil || len(got) != 2 {
		t.Fatalf("%v in %s", err, list)
	}
	if k := got[0]; k.Key != strings.TrimSpace(key) || k.Name != "shop" || k.Note != "" || len(k.Origins) != 0 || k.Rate != 7 {
		t.Errorf("%+v", k)
	}
	mustKeys(t, "revoke", got[0].Key, "--keys", file)
	if _, errs = mustKeys(t, "edit", got[0].Key, "--keys", file, "--rate", "8"); !strings.Contains(errs, "the key is revoked; it stays refused") {
		t.Errorf("stderr %q", errs)
	}
}

func TestKeysMistakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "keys.json")
	broken := filepath.Join(t.TempDir(), "broken.json")
	if err := os.WriteFile(broken, []byte("[{\n\"key\" 1}]"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args  string
		want  string
		usage bool
	}{
		{"add site", "Give --keys FILE", true},
		{"list", "Give --keys FILE", true},
		{"list --stored --keys " + file, "give one of them", true},
		{"add site --stored --data nowhere", "there is no database in the folder nowhere", false},
		{"list --stored --data nowhere", "there is no database in the folder nowhere", false},
		{"revoke site --stored --data nowhere", "there is no database in the folder nowhere", false},
		{"revoke site", "Give --keys FILE", true},
		{"edit site --rate 5", "Give --keys FILE", true},
		{"edit --rate 5 --keys " + file, "edit takes one KEY-OR-NAME", true},
		{"edit site --keys " + file, "nothing to change: give --name, --origins", true},
		{"edit site --rate 5 --keys " + file, "there is no key file", false},
		{"edit site --rate 5 --keys " + broken, "line 2, column 7", false},
		{"edit site --rate 5 --stored --data nowhere", "there is no database in the folder nowhere", false},
		{"add --keys " + file, "add takes one NAME", true},
		{"add my site --keys " + file, "quotes", true},
		{"revoke --keys " + file, "revoke takes one KEY-OR-NAME", true},
		{"list x --keys " + file, "no argument", true},
		{"lst --keys " + file, "unknown command", true},
		{"add site --rate -1 --keys " + file, "the rate must be 0", false},
		{"add site --quota -1 --keys " + file, "the quota must be 0", false},
		{"list --keys " + file, "there is no key file", false},
		{"revoke site --keys " + file, "there is no key file", false},
		{"list --keys " + broken, "line 2, column 7", false},
		{"add site --keys " + broken, "line 2, column 7", false},
	} {
		_, _, err := runKeys(strings.Split(c.args, " ")...)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.args, err)
		}
		var usage *UsageError
		if errors.As(err, &usage) != c.usage {
			t.Errorf("%s: usage error %v, want %v", c.args, !c.usage, c.usage)
		}
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("a mistake made a file")
	}
}

func TestKeysCommandsHaveExamples(t *testing.T) {
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Example == "" || c.Short == "" {
			t.Errorf("%s has no example or no short text", c.CommandPath())
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(newKeysCommand(Parts{}))
}
