package geotest

import (
	"fmt"
	"os"
	"regexp"
	"strings"

	"svc/geo/index"
	"svc/geo/result"
	"svc/geo/search"
)

// Answers is how many answers of a question are looked at, and QuestionLang the language
// in which they are asked for.
const (
	Answers      = 5
	QuestionLang = "uz"
)

// Question is one line of geo/testdata/questions*.tsv: what somebody asks of a real extract.
type Question struct {
	Extract string         // the extract without .osm.pbf
	Class   string         // the kind of the question, by which results are summed
	Text    string         // what is asked
	Right   *regexp.Regexp // matches Describe of each right answer
}

// ReadQuestions reads files of questions. A line has four fields between tabs, in the order
// of Question; lines that begin with # are comments. An error names the file and the line.
func ReadQuestions(files ...string) (out []Question, err error) {
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			if strings.HasPrefix(line, "#") {
				continue
			}
			f := strings.Split(line, "\t")
			if len(f) != 4 {
				return nil, fmt.Errorf("line %d of %s has %d fields, not four", i+1, file, len(f))
			}
			right, err := regexp.Compile(f[3])
			if err != nil {
				return nil, fmt.Errorf("line %d of %s: %w", i+1, file, err)
			}
			out = append(out, Question{Extract: f[0], Class: f[1], Text: f[2], Right: right})
		}
	}
	return out, nil
}

// Ask gives the place of the first right answer, -1 for none, and the answers as they are
// compared.
func (q *Question) Ask(e *search.Engine) (at int, answers []string) {
	at = -1
	for i, r := range e.Search(search.Query{Text: q.Text, Lang: QuestionLang, Limit: Answers}).Results {
		line := Describe(e.Index(), &r)
		answers = append(answers, line)
		if at < 0 && q.Right.MatchString(line) {
			at = i
		}
	}
	return at, answers
}

// Describe writes an answer in the form that patterns of questions match.
func Describe(x *index.Index, r *result.Result) string {
	return fmt.Sprintf("%s %s \"%s\" [%s] {%s} %s %s @%.4f,%.4f", r.Category, r.Kind, r.Name, r.Label, r.Address.Postcode, r.Reason, x.Rows[r.ID].Source, r.Lat, r.Lon)
}

// Tally counts how many questions were answered right.
type Tally struct{ Asked, First, Five int }

// Note counts a question whose first right answer stands at at, -1 for none.
func (c *Tally) Note(at int) {
	c.Asked++
	if at == 0 {
		c.First++
	}
	if at >= 0 && at < Answers {
		c.Five++
	}
}

// Share is the part that n is of what was asked.
func (c *Tally) Share(n int) float64 { return float64(n) / float64(max(c.Asked, 1)) }

func (c *Tally) String() string {
	return fmt.Sprintf("%4d asked, right first %5.1f %%, in five %5.1f %%", c.Asked, 100*c.Share(c.First), 100*c.Share(c.Five))
}
