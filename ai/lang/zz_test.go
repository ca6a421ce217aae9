package lang

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

func TestZ(t *testing.T) {
	for _, p := range []string{"../signals/testdata/own.jsonl", "/tmp/lang/dev.jsonl", os.Getenv("HELD")} {
		f, err := os.Open(p)
		if err != nil {
			continue
		}
		sc := bufio.NewScanner(f)
		n, ok, n3, ok3 := 0, 0, 0, 0
		for sc.Scan() {
			var c struct{ Text, Lang string }
			json.Unmarshal(sc.Bytes(), &c)
			g := Identify(c.Text)
			n++
			if g.Words >= 3 {
				n3++
			}
			if g.Label() == c.Lang {
				ok++
				if g.Words >= 3 {
					ok3++
				}
			} else if p != os.Getenv("HELD") || os.Getenv("SHOW") != "" {
				fmt.Printf("%s want %s | %s | %.2f\n", g.Label(), c.Lang, c.Text, g.Scores)
			} else {
				fmt.Printf("held: %s want %s words %d scores %.2f\n", g.Label(), c.Lang, g.Words, g.Scores)
			}
		}
		fmt.Printf("== %s %d/%d %.3f three words %d/%d %.3f\n", p, ok, n, float64(ok)/float64(n), ok3, n3, float64(ok3)/float64(n3))
	}
}

func BenchmarkIdentify(b *testing.B) {
	for b.Loop() {
		Identify("Ассалому алайкум, бу куртканинг нархи қанча туради, yetkazib berish bormi? Samarqandga jo'natasizlarmi")
	}
}
