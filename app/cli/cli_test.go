package cli

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"svc/app/cli/terminal"
)

// TestEveryCommandHelps: a sentence and an example for every command, and flags
// that are explained.
func TestEveryCommandHelps(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Name() == "help" {
			return
		}
		if c.Short == "" || c.Example == "" {
			t.Errorf("%s: short %q, example %q", c.CommandPath(), c.Short, c.Example)
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(New(Parts{}))
}

func TestUnknownCommands(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"sevre"}, `unknown command "sevre"; did you mean "serve"?`},
		{[]string{"map", "biuld"}, `unknown command "biuld"; did you mean "build"?`},
		{[]string{"config", "chekc"}, `did you mean "check"?`},
		{[]string{"xyzzy"}, `unknown command "xyzzy"`},
		{[]string{"help", "mpa"}, `unknown command "mpa"; did you mean "map"?`},
		{[]string{"help", "map", "biuld"}, `did you mean "build"?`},
	}
	for _, tt := range tests {
		_, _, _, err := call(t, nil, tt.args...)
		var usage *UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v", tt.args, err)
		}
	}
}

func TestReport(t *testing.T) {
	tests := []struct {
		err  error
		code int
		want string
	}{
		{nil, 0, ""},
		{errors.New("no disk"), 1, "svc: no disk\n"},
		{&UsageError{"svc map", errors.New("what?")}, 2, "svc: what?\nRun 'svc map --help' for what it takes.\n"},
	}
	for _, tt := range tests {
		var b bytes.Buffer
		if code := Report(&b, tt.err); code != tt.code || b.String() != tt.want {
			t.Errorf("%v: %d %q", tt.err, code, b.String())
		}
	}
}

func TestVersion(t *testing.T) {
	for _, ask := range []string{"version", "--version"} {
		if out, _, _, err := call(t, nil, ask); err != nil || !strings.HasPrefix(out, "svc 1.2.3 (go") {
			t.Errorf("%s: %q, %v", ask, out, err)
		}
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out, _, _, err := call(t, nil, "completion", shell); err != nil || len(out) < 100 {
			t.Errorf("%s: %d bytes, %v", shell, len(out), err)
		}
	}
}

func TestMapBuildArguments(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"nothing", nil, "name at least one .osm.pbf file"},
		{"no output", []string{"a.pbf"}, "--out FILE.svcmap"},
		{"output is a folder", []string{"a.pbf", "--out", "."}, "is a folder"},
		{"output is the input", []string{"map_test.input", "--out", "./map_test.input"}, "is one of the inputs"},
		{"three numbers", []string{"a.pbf", "--out", "b", "--bounds", "1,2,3"}, "not four numbers"},
		{"words", []string{"a.pbf", "--out", "b", "--bounds", "a,2,3,4"}, "not a number of degrees"},
		{"NaN", []string{"a.pbf", "--out", "b", "--bounds", "NaN,2,3,4"}, "not a number of degrees"},
		{"wrong order", []string{"a.pbf", "--out", "b", "--bounds", "3,4,1,2"}, "is empty"},
		{"latitude first", []string{"a.pbf", "--out", "b", "--bounds", "41,99,42,100"}, "leaves the earth"},
		{"language", []string{"a.pbf", "--out", "b", "--langs", "uz,рус"}, "not a language code"},
		{"missing file", []string{"no-such.osm.pbf", "--out", "b.svcmap"}, "there is no file no-such.osm.pbf"},
		{"missing folder", []string{"map_test.input", "--out", "none/b.svcmap"}, "there is no folder none"},
	}
	t.Chdir(t.TempDir())
	writeTo(t, "map_test.input", "x")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, _, _, err := call(t, nil, append([]string{"map", "build"}, tt.args...)...)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

// TestMistakesOfFlagsAreUsageErrors: a value that a check refuses is as much a
// mistake in the call as one of the wrong type; one in the environment is not.
func TestMistakesOfFlagsAreUsageErrors(t *testing.T) {
	for _, command := range [][]string{{"serve"}, {"config", "check"}} {
		for _, tt := range []struct {
			env, flags []string
			usage      bool
		}{
			{flags: []string{"--key-rate", "0"}, usage: true},
			{flags: []string{"--key-rate", "x"}, usage: true},
			{env: []string{"SVC_KEY_RATE=0"}},
			{env: []string{"SVC_KEY_RATE=0"}, flags: []string{"--listen", "x"}},
		} {
			_, _, _, err := call(t, tt.env, slices.Concat(command, tt.flags)...)
			var usage *UsageError
			if err == nil || errors.As(err, &usage) != tt.usage {
				t.Errorf("%v %v: %v", tt.env, tt.flags, err)
			}
		}
	}
}

func TestMapInspectArguments(t *testing.T) {
	t.Chdir(t.TempDir())
	writeTo(t, "foreign", "this is not a map")
	for _, args := range [][]string{{}, {"a", "b"}, {"none.svcmap"}, {"foreign"}, {"."}} {
		if _, _, _, err := call(t, nil, append([]string{"map", "inspect"}, args...)...); err == nil {
			t.Errorf("%v passed", args)
		}
	}
}

func TestBytesText(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1500: "1.5 kB", 2_500_000: "2.5 MB", 3_000_000_000: "3.0 GB"} {
		if got := terminal.Bytes(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func writeTo(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}
