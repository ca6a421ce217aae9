package dataset

import (
	"testing"

	"svc/ai/phrase"
)

// TestWithoutNames: a name is masked with what a language puts behind it, and nothing else is.
func TestWithoutNames(t *testing.T) {
	var names []string
	for _, w := range phrase.Read("Aziz Karimova", nil).Words {
		names = append(names, w.Key)
	}
	for text, want := range map[string]string{
		"Mening ismim Aziz, 101 ta atirgul": "Mening ismim [NAME], 101 ta atirgul",
		"Исмим Азиз":                        "Исмим [NAME]",
		"Azizman, Karimovaga yozing":        "[NAME], [NAME] yozing",
		"Azizim, buket kerak":               "Azizim, buket kerak",
		"Salom! Narxi qancha?":              "Salom! Narxi qancha?",
		"Меня зовут Каримова Азиз, жду ответа": "Меня зовут [NAME] [NAME], жду ответа",
	} {
		if got := withoutNames(text, names); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := withoutNames("Aziz", nil); got != "Aziz" {
		t.Errorf("without names: %q", got)
	}
}
