package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"
)

// No container engine runs where the tests do: these hold Containerfile and
// deploy/compose.yaml against the program and against each other.

// stage is what lies between two FROM lines.
type stage struct {
	name, from string
	lines      [][2]string // instruction, the rest of its line
}

// all gives what follows an instruction, in order.
func (s stage) all(instruction string) (out []string) {
	for _, l := range s.lines {
		if l[0] == instruction {
			out = append(out, l[1])
		}
	}
	return out
}

// one gives what follows an instruction that stands there once.
func (s stage) one(t *testing.T, instruction string) string {
	t.Helper()
	found := s.all(instruction)
	if len(found) != 1 {
		t.Fatalf("stage %s has %d lines %s, want one", s.name, len(found), instruction)
	}
	return found[0]
}

var fromLine = regexp.MustCompile(`^(\S+) AS (\S+)$`)

func stagesOf(t *testing.T) (out []stage) {
	t.Helper()
	for line := range strings.Lines(read(t, "Containerfile")) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		instruction, rest, _ := strings.Cut(line, " ")
		if instruction == "FROM" {
			m := fromLine.FindStringSubmatch(rest)
			if m == nil {
				t.Fatalf("the stage %q has no name", line)
			}
			out = append(out, stage{name: m[2], from: m[1]})
			continue
		}
		if len(out) == 0 || strings.HasSuffix(line, "\\") {
			t.Fatalf("%q: before the first stage, or over several lines, which this test does not read", line)
		}
		last := &out[len(out)-1]
		last.lines = append(last.lines, [2]string{instruction, rest})
	}
	return out
}

// read gives a file of the module.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func find1(t *testing.T, text, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no %s in %q", pattern, text)
	}
	return m[1]
}

func TestContainerStages(t *testing.T) {
	stages := stagesOf(t)
	known := map[string]int{}
	for i, s := range stages {
		if _, twice := known[s.name]; twice {
			t.Errorf("two stages are called %s", s.name)
		}
		known[s.name] = i
		for _, c := range s.all("COPY") {
			var from string
			var files []string
			for word := range strings.FieldsSeq(c) {
				if image, ok := strings.CutPrefix(word, "--from="); ok {
					from = image
				} else if !strings.HasPrefix(word, "--") {
					files = append(files, word)
				}
			}
			before, ours := known[from]
			if from != "" && !strings.Contains(from, "/") && (!ours || before >= i) {
				t.Errorf("COPY %s: no stage before it is called %s", c, from)
			}
			for _, f := range files[:len(files)-1] {
				if _, err := os.Stat(filepath.Join("..", "..", f)); from == "" && !strings.HasPrefix(f, "$") && err != nil {
					t.Errorf("COPY %s: %v", c, err)
				}
			}
		}
	}
	// The last stage is what is built when none is named. Both kinds stand on the base.
	if last := stages[len(stages)-1]; last.name != "svc" || last.from != "base" || last.one(t, "COPY") != "--from=build /src/bin/svc /svc" {
		t.Errorf("the last stage is %+v", last)
	}
	if at, ok := known["released"]; !ok || stages[at].from != "base" || !strings.HasSuffix(stages[at].one(t, "COPY"), " /svc") {
		t.Error("no stage takes the file of a release")
	}
	if base := stages[known["base"]]; base.from != "scratch" {
		t.Errorf("the image holds more than the program: it stands on %s", base.from)
	}
	// What it is built with is what the sources ask for.
	if got, want := find1(t, stages[known["ground"]].from, `golang:(\d+\.\d+)`), find1(t, read(t, "go.mod"), `(?m)^go (\d+\.\d+)`); got != want {
		t.Errorf("built with Go %s, go.mod asks for %s", got, want)
	}
	build := stages[known["build"]]
	node := find1(t, strings.Join(build.all("COPY"), "\n"), `/node:(\d+)-`)
	for _, project := range []string{"assets", "sdk", "console"} {
		var p struct{ Engines struct{ Node string } }
		if err := json.Unmarshal([]byte(read(t, "embed/"+project+"/package.json")), &p); err != nil {
			t.Fatal(err)
		}
		if want := find1(t, p.Engines.Node, `^>=(\d+)`); node != want {
			t.Errorf("built with Node %s, embed/%s asks for %s", node, project, p.Engines.Node)
		}
	}
	if !slices.Contains(build.all("RUN"), "make build VERSION=$VERSION") {
		t.Errorf("the program is not built by make build: %q", build.all("RUN"))
	}
}

// argv reads the JSON form of a command, which needs no shell: the image has none.
func argv(t *testing.T, text string) (words []string) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &words); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return words
}

// takes holds that the program has this command.
func takes(t *testing.T, args ...string) *cobra.Command {
	t.Helper()
	cmd, rest, err := New(Parts{}).Find(args)
	if err == nil {
		err = cmd.ParseFlags(rest)
	}
	if err != nil || !cmd.HasParent() {
		t.Fatalf("svc %s: %v", strings.Join(args, " "), err)
	}
	return cmd
}

// settingsOf holds that every variable is a setting, and its value one that it takes.
func settingsOf(t *testing.T, env map[string]string) {
	t.Helper()
	for name, value := range env {
		i := slices.IndexFunc(settings, func(s setting) bool { return s.env() == name })
		if i < 0 {
			t.Errorf("%s is no setting", name)
		} else if err := settings[i].valid(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// image is what the stage base says of the container.
func image(t *testing.T) (base stage, env map[string]string, port string) {
	t.Helper()
	stages := stagesOf(t)
	base = stages[slices.IndexFunc(stages, func(s stage) bool { return s.name == "base" })]
	env = map[string]string{}
	for _, e := range base.all("ENV") {
		name, value, _ := strings.Cut(e, "=")
		env[name] = value
	}
	return base, env, base.one(t, "EXPOSE")
}

func TestContainerRunsTheProgram(t *testing.T) {
	base, env, port := image(t)
	settingsOf(t, env)
	if env["SVC_LISTEN"] != "0.0.0.0:"+port {
		t.Errorf("it listens on %s and offers the port %s", env["SVC_LISTEN"], port)
	}
	if env["SVC_DATA"] != base.one(t, "VOLUME") {
		t.Errorf("its data are in %s, the volume is %s", env["SVC_DATA"], base.one(t, "VOLUME"))
	}
	user, _, _ := strings.Cut(base.one(t, "USER"), ":")
	if n, err := strconv.Atoi(user); err != nil || n == 0 {
		t.Errorf("it runs as %q: want a number that is not root's, for hosts that insist on it", user)
	}
	if !slices.ContainsFunc(base.all("COPY"), func(c string) bool {
		return strings.Contains(c, "--chown="+base.one(t, "USER")+" /data "+env["SVC_DATA"])
	}) {
		t.Error("the user may not write into the volume")
	}
	program := argv(t, base.one(t, "ENTRYPOINT"))
	if !slices.Equal(program, []string{"/svc"}) {
		t.Errorf("the program is %q", program)
	}
	takes(t, argv(t, base.one(t, "CMD"))...)
	_, health, found := strings.Cut(base.one(t, "HEALTHCHECK"), " CMD ")
	if words := argv(t, health); !found || words[0] != program[0] || takes(t, words[1:]...).Name() != "health" {
		t.Errorf("the health check is %q", health)
	}
}

func TestComposeRunsTheImage(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			Build struct {
				Context, Dockerfile, Target string
			}
			Ports, Volumes []string
			Command        []string
			Environment    map[string]string
			ReadOnly       bool `yaml:"read_only"`
		}
		Volumes map[string]any
	}
	if err := yaml.Unmarshal([]byte(read(t, "deploy/compose.yaml")), &compose); err != nil {
		t.Fatal(err)
	}
	svc, ok := compose.Services["svc"]
	if !ok || len(compose.Services) != 1 {
		t.Fatalf("the services are %v, want svc", slices.Collect(maps.Keys(compose.Services)))
	}
	if _, err := os.Stat(filepath.Join("..", "..", "deploy", svc.Build.Context, svc.Build.Dockerfile)); err != nil {
		t.Error(err)
	}
	if !slices.ContainsFunc(stagesOf(t), func(s stage) bool { return s.name == svc.Build.Target }) {
		t.Errorf("the Containerfile has no stage %s", svc.Build.Target)
	}
	base, env, port := image(t)
	if len(svc.Ports) != 1 || !strings.HasPrefix(svc.Ports[0], "127.0.0.1:") || !strings.HasSuffix(svc.Ports[0], ":"+port) {
		t.Errorf("the ports are %q; the image offers %s, and without https only this machine may come", svc.Ports, port)
	}
	settingsOf(t, svc.Environment)
	maps.Copy(env, svc.Environment)
	if env["SVC_LISTEN"] != "0.0.0.0:"+port {
		t.Errorf("it listens on %s", env["SVC_LISTEN"])
	}
	name, path, _ := strings.Cut(svc.Volumes[0], ":")
	if _, declared := compose.Volumes[name]; !declared || path != base.one(t, "VOLUME") {
		t.Errorf("the volume is %q", svc.Volumes[0])
	}
	if !svc.ReadOnly {
		t.Error("the image may be written to")
	}
	if len(svc.Command) > 0 {
		takes(t, svc.Command...)
	}
}
