package world

import (
	"strings"
	"testing"
)

// Every mistake in a script is named with its line.
func TestScriptErrors(t *testing.T) {
	for line, want := range map[string]string{
		"hello":                             `not with "hello"`,
		"phone":                             "the number is missing",
		"phone 12":                          `"12" is not in international form`,
		"phone +998901000001 color red":     `"color" is nothing that is said about a number`,
		"phone +998901000001 code-life x":   `a time is written like 200ms or 3s, not "x"`,
		"phone +998901000001 id 0":          "an id is a whole number",
		"person":                            "the person is missing",
		"person vali":                       "named as @username or by id",
		"person @vali flies":                `"flies" is nothing that is said about a person`,
		"person @vali says":                 "what is said is missing",
		`person @vali says "x`:              "no second one",
		"person @vali reassigned":           "the word to is missing",
		"person @vali contact-of +99890111": "nobody here",
		"people u":                          "the range is missing",
		"people u 5..1 id 3":                "a range is written like",
		"people u 1..5":                     "the first id is missing",
		"at x sends drop":                   "the count is a whole number above 0",
		"at 3 drop":                         "what is counted is missing",
		"at 3 sends":                        "what is done is missing",
		"at 3 sends of me drop":             "not in international form",
		"at 3 sends explode":                `"explode" is nothing that can be done`,
		"at 3 sends flood":                  "the seconds of the flood is missing",
		"at 3 sends flood 3 for 2":          "the word sends is missing",
		"every 3 sends drop now":            `"now" is not understood here`,
		"now +998901000001 drop":            "at, after or every",
		"now +998901999999 flood 3":         "nobody here",
		"now @vali says x":                  "the word to is missing",
		"now @vali says x to +998901000001": `"@vali" is nobody here`,

		"now +998901000001 sends":                          "what is sent is missing",
		"now +998901000001 sends money to 5":               `"money" is nothing that is sent`,
		"now +998901000001 sends photo of 0":               "the size in bytes is a whole number",
		"now +998901000001 sends photo of 1073741824 to 5": "files of at most",
		"now +998901000001 sends photo":                    "the word to is missing",
		"now +998901000001 sends album 11 to 5":            "2 to 10 pictures",
		"now +998901000001 sends place x":                  "the latitude is a number of degrees",
		"now +998901000001 sends contact +99890111":        "the name of the contact is missing",
		"now 5 edits x":                                    "the word at is missing",
		"now 5 deletes at +998901000001":                   "nobody here",
		"now 5 reacts":                                     "the new text, or the emoji is missing",
		"person @vali sends money":                         `"money" is no file`,
		"person @vali reacts":                              "the emoji is missing",
		"at 1 wishes fail X":                               "what is counted is missing",
		"life of +998901000001":                            "the word from is missing",
		"life of +998901000001 from u 1..5 in fr every 1s": "the languages are uz, ru and en",
		"life of +998901000001 from u 1..5":                "the word every is missing",
		"life of +998901000001 from u 1..5 every 1ns":      "at least 1ms",
	} {
		w := open(t, Options{})
		ok(t, w.Script("phone +998901000001"))
		err := w.Script("# a comment\n\n" + line)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "line 3 of the script: ") {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// A script that is run again after a restart leaves the same world.
func TestScriptTwice(t *testing.T) {
	const script = `
phone +998901000001 code 5 password "two words" hint "a # b" name "Ali Valiyev" username ali premium # his
person @vali id 500 name Vali says "men" after 2s reads after 3s
person 501 username other contact-of +998901000001`
	w := open(t, Options{})
	ok(t, w.Script(script))
	once := strings.Join(shape(w), "\n")
	ok(t, w.Script(script))
	if twice := strings.Join(shape(w), "\n"); twice != once {
		t.Errorf("once\n%s\ntwice\n%s", once, twice)
	}
	p := w.phones["+998901000001"]
	if p.Password != "two words" || p.Hint != "a # b" || p.Person.Last != "Valiyev" {
		t.Errorf("%+v", p)
	}
	if v := w.person(500); len(v.Does) != 2 || v.Does[0].Say != "men" {
		t.Errorf("%+v", v)
	}
}

// FuzzScript: no script ends the process.
func FuzzScript(f *testing.F) {
	f.Add("phone +998901000001 code 5\nnow +998901000001 flood 3 premium for 2 sends")
	f.Add("person @vali says \"a\\\"b\" after 1h\nperson @vali reassigned to 7\npeople u 1..3 id 9\nevery 3 sends delay 1s")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := Open(Options{})
		ok(t, err)
		_ = w.Script(text)
		shape(w)
	})
}
