package measure

import (
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"testing"
)

var update = flag.Bool("update", false, "write the figures that the console shows again")

// shownFile has the figures of the detection beside the settings of the seller in the console.
const shownFile = "../../embed/console/src/business/detection.json"

// detection is how well one thing is found in the words of customers.
type detection struct {
	Signal    string  `json:"signal"`
	Messages  int     `json:"messages"` // that are labelled with it
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

// TestShownFigures: what the console shows of the detection is what the rules measure to on the
// development corpus, so that nobody is shown a figure that `svc seller measure` does not repeat.
func TestShownFigures(t *testing.T) {
	r := measured(t, "testdata/seller.jsonl")
	var list []detection
	for _, row := range r.Tables[0].Rows[1:] {
		d := detection{Signal: map[string]string{
			"stop, certain": "stop", "stop, certain or likely": "stop_likely", "person": "person", "complaint": "complaint", "asks AI": "asks_ai",
		}[row[0]]}
		var err error
		if d.Messages, err = strconv.Atoi(row[1]); err == nil {
			if d.Precision, err = strconv.ParseFloat(row[5], 64); err == nil {
				d.Recall, err = strconv.ParseFloat(row[6], 64)
			}
		}
		if err != nil || d.Signal == "" {
			t.Fatalf("%q: %v", row, err)
		}
		list = append(list, d)
	}
	want, err := json.MarshalIndent(map[string]any{"messages": r.Items, "signals": list}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(shownFile, want, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(shownFile); err != nil || string(got) != string(want) {
		t.Errorf("%s has other figures (%v); read them, then run with -update:\n%s", shownFile, err, want)
	}
}
