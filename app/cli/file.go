package cli

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"svc/app/cli/usage"

	"go.yaml.in/yaml/v3"
)

// maxConfigFile bounds a configuration file: the complete example is 4 kB.
const maxConfigFile = 1 << 20

// fileValue is one value of the file and where it stands.
type fileValue struct {
	text string
	line int
}

// mistake is one thing that is wrong with the configuration. Where is
// "FILE:LINE", the name of an environment variable or that of a flag.
type mistake struct {
	where, what string
}

func (m mistake) Error() string { return m.where + ": " + m.what }

// readFile reads the configuration file: one mapping of setting names to plain
// values. It returns every mistake at once, so that a person fixes the file in
// one go. The error is for a file that cannot be read at all.
func readFile(path string) (map[string]fileValue, []mistake, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("configuration file: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfigFile+1))
	if err != nil {
		return nil, nil, fmt.Errorf("configuration file: %w", err)
	}
	if len(data) > maxConfigFile {
		return nil, nil, fmt.Errorf("configuration file %s is larger than %d bytes; is it the right file?", path, maxConfigFile)
	}
	values, mistakes := parseFile(path, data)
	return values, mistakes, nil
}

func parseFile(path string, data []byte) (map[string]fileValue, []mistake) {
	values := map[string]fileValue{}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return values, []mistake{yamlMistake(path, data, err)}
	}
	if len(doc.Content) == 0 {
		return values, nil // an empty file sets nothing
	}
	top := doc.Content[0]
	if top.Kind == yaml.ScalarNode && top.Tag == "!!null" {
		return values, nil
	}
	if top.Kind != yaml.MappingNode {
		return values, []mistake{{at(path, top.Line), "expected lines of the form 'name: value'"}}
	}
	var mistakes []mistake
	for i := 0; i+1 < len(top.Content); i += 2 {
		key, value := top.Content[i], top.Content[i+1]
		if what := readPair(values, key, value); what != "" {
			mistakes = append(mistakes, mistake{at(path, key.Line), what})
		}
	}
	return values, mistakes
}

// readPair adds one line of the file to values, or says what is wrong with it.
func readPair(values map[string]fileValue, key, value *yaml.Node) string {
	name := key.Value
	s := find(name)
	if s == nil {
		return fmt.Sprintf("unknown setting %q%s", name, usage.Suggestion(name, settingNames(), ""))
	}
	if earlier, duplicate := values[name]; duplicate {
		return fmt.Sprintf("%s is set twice, first on line %d", name, earlier.line)
	}
	if value.Kind == yaml.AliasNode || value.Kind != yaml.ScalarNode {
		return fmt.Sprintf("%s takes one plain value, not a list or a group", name)
	}
	if value.Tag == "!!null" {
		return "" // 'name:' with nothing after it leaves the default
	}
	values[name] = fileValue{value.Value, key.Line}
	if err := s.valid(value.Value); err != nil {
		return name + ": " + err.Error()
	}
	return ""
}

var yamlLine = regexp.MustCompile(`^yaml: (?:unmarshal errors:\s*)?line (\d+): (.*)$`)

// yamlMistake takes the line out of the YAML parser's error, so that it reads
// like every other mistake. The parser names no line when it is the first, so
// it is asked once more with a line in front.
func yamlMistake(path string, data []byte, err error) mistake {
	line, what := yamlPlace(err)
	if line == 0 {
		var doc yaml.Node
		if again := yaml.Unmarshal(append([]byte("#\n"), data...), &doc); again != nil {
			line, _ = yamlPlace(again)
			line--
		}
	}
	if line > 0 {
		path = at(path, line)
	}
	return mistake{path, "not readable as YAML: " + what}
}

// yamlPlace splits the parser's error; line 0 is an error without one.
func yamlPlace(err error) (line int, what string) {
	text := err.Error()
	m := yamlLine.FindStringSubmatch(text)
	if m == nil {
		return 0, strings.TrimPrefix(text, "yaml: ")
	}
	line, _ = strconv.Atoi(m[1])
	return line, m[2]
}

func at(path string, line int) string {
	return path + ":" + strconv.Itoa(line)
}
