package check

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// answers are replies of two dozen shops, written before they were measured, a part of them after
// the rules were mended: each names the shop whose offers and knowledge it may speak of.
func answers(t testing.TB) (list []Case) {
	t.Helper()
	data, err := os.ReadFile("testdata/shops.json")
	if err != nil {
		t.Fatal(err)
	}
	var shops map[string]map[string]json.RawMessage
	if err := json.Unmarshal(data, &shops); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/answers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for scan := bufio.NewScanner(f); scan.Scan(); {
		var line map[string]json.RawMessage
		if err := json.Unmarshal(scan.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		var shop string
		if err := json.Unmarshal(line["shop"], &shop); err != nil {
			t.Fatal(err)
		}
		line["offers"], line["knowledge"] = shops[shop]["offers"], shops[shop]["knowledge"]
		whole, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ReadCase(whole)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	return list
}

// TestAnswers holds the validators beside the answers of the shops.
func TestAnswers(t *testing.T) {
	f := measure(t, answers(t), true)
	if exact, recall, precision := f.rate(); f.all < 600 || exact < 0.95 || recall < 0.97 || precision < 0.93 {
		t.Errorf("%d answers: exact %.3f, ungrounded recall %.3f, precision %.3f", f.all, exact, recall, precision)
	}
}
