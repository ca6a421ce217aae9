package signals

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

func TestZ(t *testing.T) {
	org := []string{"stop", "to‘xta", "to‘xtat", "to‘xtating", "bekor qil", "тўхта", "тўхтат", "тўхтатинг", "стоп", "отписаться", "отпишите", "хватит", "unsubscribe", "opt out"}
	for _, p := range []string{"testdata/own.jsonl", "/tmp/lang/dev.jsonl", os.Getenv("HELD")} {
		f, err := os.Open(p)
		if err != nil {
			continue
		}
		sc := bufio.NewScanner(f)
		n := 0
		var tp, fp, fn [8]int
		right := 0
		show := p != os.Getenv("HELD") || os.Getenv("SHOW") != ""
		for sc.Scan() {
			var c struct {
				Text                   string
				Stop, Human, Complaint bool
				AsksAI                 bool `json:"asks_ai"`
				Intent                 string
				PII                    map[string]int
			}
			json.Unmarshal(sc.Bytes(), &c)
			n++
			s := Read(c.Text, org)
			m := Mask(c.Text)
			ok := m.Count(Card) == c.PII["card"] && m.Count(Phone) == c.PII["phone"] && m.Count(Email) == c.PII["email"]
			for i, x := range []struct {
				name      string
				got, want bool
			}{{"certain", s.Stop.Certainty == Certain, c.Stop}, {"likely", s.Stop.Certainty >= Likely, c.Stop}, {"person", s.Person, c.Human}, {"complaint", s.Complaint, c.Complaint}, {"asks", s.AsksAI, c.AsksAI}, {"mask", !ok, false}} {
				switch {
				case x.got && x.want:
					tp[i]++
				case x.got:
					fp[i]++
				case x.want:
					fn[i]++
				}
				if x.got != x.want && show {
					fmt.Println(x.name, x.got, "want", x.want, "|", c.Text, "|", s.Stop.Phrase)
				}
			}
			if string(s.Scenario) == c.Intent {
				right++
			} else if show {
				fmt.Println("scenario", s.Scenario, "want", c.Intent, "|", c.Text)
			}
		}
		for i, name := range []string{"certain", "likely", "person", "complaint", "asks", "mask"} {
			fmt.Printf("== %s %s tp %d fp %d fn %d  P %.3f R %.3f\n", p, name, tp[i], fp[i], fn[i], float64(tp[i])/float64(max(1, tp[i]+fp[i])), float64(tp[i])/float64(max(1, tp[i]+fn[i])))
		}
		fmt.Printf("== %s scenario %d/%d\n", p, right, n)
	}
}

func TestZD(t *testing.T) {
	m := read(os.Getenv("D"))
	for _, w := range m.words {
		fmt.Printf("%s class %b topic %b neg %v imp %v ask %v opens %v\n", w.key, w.class, w.topic, w.neg, w.imp, w.ask, w.opens)
	}
	fmt.Println(m.question)
}
