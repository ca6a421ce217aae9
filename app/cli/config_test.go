package cli

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"svc/app/cli/usage"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"svc/app/cli/outside"
)

// call runs a command as main does and returns what it printed. A server that
// would start hands over its configuration instead.
func call(t *testing.T, env []string, args ...string) (stdout, stderr string, c *Config, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	root := New(Parts{
		Version: "1.2.3", Env: env, Stdout: &out, Stderr: &errs,
		Serve: func(_ context.Context, got Config) error {
			c = &got
			return nil
		},
	})
	root.SetArgs(args)
	err = root.ExecuteContext(t.Context())
	return out.String(), errs.String(), c, err
}

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func defaults() Config {
	return Config{
		Listen: "127.0.0.1:8080", Data: "data", MapReload: 5 * time.Second, KeyRate: 600,
		UsageFlush: 30 * time.Second, KeyReload: 5 * time.Second, Photos: true,
		PhotoEntityURL: defaultPhotoEntityURL, PhotoImageURL: defaultPhotoImageURL,
		Outside: outside.Config{
			Simulator: true, GraphVersion: "v25.0", Review: "PENDING", PageURL: "https://www.facebook.com", PageGraphURL: "https://graph.facebook.com",
			PhotoURL: "https://www.instagram.com", PhotoAPIURL: "https://api.instagram.com", PhotoGraphURL: "https://graph.instagram.com",
			GoogleAccountsURL: "https://accounts.google.com", GoogleTokenURL: "https://oauth2.googleapis.com",
			CalendarURL: "https://www.googleapis.com", VideoURL: "https://www.googleapis.com",
		},
		Messaging: true, SessionTTLHours: 336, InboxMaxFileMB: 50, AICalls: 32, MessengerDriver: DriverSimulator, ConnectionsPerAddress: 256,
		Warnings: []string{"map is empty: what needs an index answers 503; make one with 'svc map build' and name it with --map FILE"},
	}
}

func TestServeDefaults(t *testing.T) {
	_, _, got, err := call(t, nil, "serve")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaults(), *got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestNamesOfTheSpecification: three variables work without the prefix (contract 20.14).
func TestNamesOfTheSpecification(t *testing.T) {
	env := []string{"SESSION_TTL_HOURS=5", "SVC_INBOX_MAX_FILE_MB=7", "INBOX_MAX_FILE_MB=6", "ALLOWED_ORIGINS=https://a.uz, http://b.uz:81"}
	_, _, got, err := call(t, env, "serve", "--trusted-proxies", "127.0.0.1,10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	if got.SessionTTLHours != 5 || got.InboxMaxFileMB != 7 || len(got.AllowedOrigins) != 2 || len(got.TrustedProxies) != 2 {
		t.Errorf("%+v", got)
	}
	for flag, value := range map[string]string{"--allowed-origins": "https://a.uz/path", "--trusted-proxies": "10.0.0.0/40", "--session-ttl-hours": "0"} {
		if _, _, _, err := call(t, nil, "serve", flag, value); err == nil {
			t.Errorf("%s %s was taken", flag, value)
		}
	}
}

func TestFlagsWinOverEnvironmentOverFile(t *testing.T) {
	file := write(t, "key-rate: 1\nmap: file.svcmap\nphotos: false\nusage: file.db\nmap-reload: 0\nlisten: '[::1]:1'\n")
	env := []string{"SVC_KEY_RATE=2", "SVC_MAP=env.svcmap", "SVC_REQUIRE_KEY=1", "SVC_CONFIG=" + file, "OTHER=x"}
	_, _, got, err := call(t, env, "serve", "--key-rate", "3", "--usage=flag.db", "--keys", "k.json")
	if err != nil {
		t.Fatal(err)
	}
	want := defaults()
	want.KeyRate, want.Usage, want.Keys = 3, "flag.db", "k.json"   // flags
	want.Map, want.RequireKey = "env.svcmap", true                 // environment
	want.Photos, want.MapReload, want.Listen = false, 0, "[::1]:1" // file
	want.Warnings = nil
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestAFlagSetToItsDefaultStillWins(t *testing.T) {
	_, _, got, err := call(t, []string{"SVC_PHOTOS=false", "SVC_KEY_RATE=7"}, "serve", "--photos", "--key-rate=600")
	if err != nil || !got.Photos || got.KeyRate != 600 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestConfigMistakesAreNamedWithTheirPlace(t *testing.T) {
	tests := []struct {
		name, file string
		env, flags []string
		want       []string // each must be in the error
	}{
		{name: "unknown key", file: "listen: :8080\nmap-relaod: 5s\n", want: []string{"config.yaml:2", `unknown setting "map-relaod"`, `did you mean "map-reload"?`}},
		{name: "underscore for dash", file: "key_rate: 5", want: []string{"config.yaml:1", `did you mean "key-rate"?`}},
		{name: "nothing near", file: "zebra: 5", want: []string{`config.yaml:1: unknown setting "zebra"`}},
		{name: "several at once", file: "photos: maybe\n\nkey-rate: many\nmap-reload: soon\n", want: []string{"config.yaml:1: photos: \"maybe\" is neither true nor false", "config.yaml:3: key-rate: \"many\" is not a whole number", "config.yaml:4: map-reload: \"soon\" is not a duration"}},
		{name: "bare number as duration", file: "usage-flush: 30", want: []string{"config.yaml:1", "not a duration; write for example 5s"}},
		{name: "too short", file: "usage-flush: 1ms", want: []string{"too short"}},
		{name: "negative", file: "map-reload: -5s", want: []string{"too short"}},
		{name: "address without port", file: "listen: localhost", want: []string{"config.yaml:1", "write host:port"}},
		{name: "port out of range", file: "listen: 127.0.0.1:99999", want: []string{"no port from 0 to 65535"}},
		{name: "URL as address", file: "metrics: http://127.0.0.1:9090", want: []string{"config.yaml:1"}},
		{name: "URL without scheme", file: "routing-url: 127.0.0.1:8002", want: []string{"not a web address"}},
		{name: "zero rate", file: "key-rate: 0", want: []string{"not a number above zero"}},
		{name: "empty data", file: `data: ""`, want: []string{"must not be empty"}},
		{name: "list", file: "keys: [a, b]", want: []string{"config.yaml:1: keys takes one plain value"}},
		{name: "group", file: "keys:\n  file: a", want: []string{"keys takes one plain value"}},
		{name: "twice", file: "keys: a\nmap: m\nkeys: b", want: []string{"config.yaml:3: keys is set twice, first on line 1"}},
		{name: "not a mapping", file: "- a\n- b", want: []string{"config.yaml:1: expected lines of the form"}},
		{name: "not YAML", file: "listen: 127.0.0.1:1\n\tmap: x", want: []string{"config.yaml:2", "not readable as YAML"}},
		{name: "not YAML on the first line", file: "map: a: b", want: []string{"config.yaml:1: not readable as YAML"}},
		{name: "a count of several", file: "zebra: 1\nyak: 2", want: []string{"the configuration has 2 mistakes:\n  "}},
		{name: "environment", env: []string{"SVC_KEY_RATE=x"}, want: []string{`SVC_KEY_RATE: "x" is not a whole number`}},
		{name: "flag value", flags: []string{"--listen", "nowhere"}, want: []string{"--listen:", "write host:port"}},
		{name: "flag type", flags: []string{"--map-reload", "5"}, want: []string{`--map-reload: "5" is not a duration`}},
		{name: "unknown flag", flags: []string{"--map-relaod=5s"}, want: []string{`unknown flag --map-relaod; did you mean "--map-reload"?`}},
		{name: "argument", flags: []string{"extra"}, want: []string{`takes no argument, got "extra"`}},
		{name: "all sources together", file: "key-rate: x", env: []string{"SVC_LISTEN=y"}, flags: []string{"--metrics=z"}, want: []string{"config.yaml:1", "SVC_LISTEN", "--metrics"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, command := range [][]string{{"serve"}, {"config", "check"}} {
				args := slices.Concat(command, tt.flags)
				if tt.file != "" {
					args = append(args, "--config", write(t, tt.file))
				}
				stdout, _, c, err := call(t, tt.env, args...)
				if err == nil || c != nil {
					t.Fatalf("%v passed", args)
				}
				for _, want := range tt.want {
					if !strings.Contains(err.Error(), want) {
						t.Errorf("%v: %q does not say %q", command, err, want)
					}
				}
				if stdout != "" {
					t.Errorf("%v printed %q", command, stdout)
				}
			}
		})
	}
}

func TestConfigFileThatIsNotThere(t *testing.T) {
	_, _, _, err := call(t, nil, "serve", "--config", filepath.Join(t.TempDir(), "none.yaml"))
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "configuration file") {
		t.Errorf("got %v", err)
	}
}

func TestEmptyFilesSetNothing(t *testing.T) {
	for _, content := range []string{"", "# only a comment\n", "---\n", "map:\nkeys: ~\n"} {
		_, _, got, err := call(t, nil, "serve", "--config", write(t, content))
		if err != nil {
			t.Errorf("%q: %v", content, err)
			continue
		}
		if diff := cmp.Diff(defaults(), *got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", content, diff)
		}
	}
}

func TestConfigCheckPrintsWhatWouldBeUsed(t *testing.T) {
	file := write(t, "map: a.svcmap\nrouting-url: http://user:secret@127.0.0.1:8002\nmeta-app-secret: hidden-one\ninstagram-app-secret: hidden-two\n")
	stdout, stderr, _, err := call(t, []string{"SVC_KEY_RATE=60", "SVC_LAYOUT_FIX=1", "SVC_KEYZ=x", "SVC_TEST_OSM=/x"},
		"config", "check", "--config", file, "--require-key")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{}
	for _, line := range strings.Split(strings.TrimSpace(stdout), "\n") {
		fields := strings.Fields(line)
		rows[fields[0]] = fields[1:]
	}
	for name, want := range map[string][]string{
		"map":         {"a.svcmap", file + ":1"},
		"key-rate":    {"60", "SVC_KEY_RATE"},
		"layout-fix":  {"true", "SVC_LAYOUT_FIX"},
		"require-key": {"true", "--require-key"},
		"listen":      {"127.0.0.1:8080", "default"},
		"usage-flush": {"30s", "default"},
		"usage":       {"-", "default"},
		"routing-url": {"http://user:xxxxx@127.0.0.1:8002", file + ":2"},
	} {
		if diff := cmp.Diff(want, rows[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if len(rows) != len(settings)+1 {
		t.Errorf("%d rows, want one a setting and a head", len(rows))
	}
	for _, want := range []string{`SVC_KEYZ sets nothing; did you mean "SVC_KEYS"?`, "require-key is on but keys is empty"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("warnings %q do not say %q", stderr, want)
		}
	}
	if strings.Contains(stderr, "SVC_TEST_OSM") || strings.Contains(stdout, ":secret") || strings.Contains(stdout, "hidden-") {
		t.Errorf("said too much: %s %s", stdout, stderr)
	}
}

// TestExampleIsComplete: the example file names every setting, no other, and
// says what the program does anyway.
func TestExampleIsComplete(t *testing.T) {
	const example = "../../config.example.yaml"
	values, mistakes, err := readFile(example)
	if err != nil || len(mistakes) > 0 {
		t.Fatalf("%v %v", err, mistakes)
	}
	for _, name := range settingNames() {
		if _, ok := values[name]; !ok {
			t.Errorf("%s is not in the example", name)
		}
	}
	_, _, got, err := call(t, nil, "serve", "--config", example)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaults(), *got); diff != "" {
		t.Errorf("the example is not the defaults (-want +got):\n%s", diff)
	}
}

// TestReadmeNamesEverySetting keeps the table of the README whole.
func TestReadmeNamesEverySetting(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for i := range settings {
		if s := &settings[i]; !strings.Contains(string(readme), "`--"+s.name+"`") {
			t.Errorf("--%s is not in the README", s.name)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"ўқ", "қў", 1}} {
		if got := usage.Distance(tt.a, tt.b); got != tt.want {
			t.Errorf("usage.Distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func FuzzConfigFile(f *testing.F) {
	for _, s := range []string{"map: a", "a: &x [*x]", "map: 5s\nmap: 6s", "\xff", "? {a: b}\n: c", "listen: !!binary AA=="} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		values, mistakes := parseFile("f", data)
		for name, v := range values {
			s := find(name)
			if s == nil || v.line < 1 {
				t.Fatalf("value %q on line %d", name, v.line)
			}
			if len(mistakes) == 0 && s.valid(v.text) != nil {
				t.Errorf("%s: %q passed", name, v.text)
			}
		}
	})
}
