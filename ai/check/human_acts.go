package check

import (
	"slices"
	"strings"

	"svc/ai/phrase"
)

// deskActs are beginnings of verbs for what a program does as well: it checks, writes, counts
// and passes on.
var deskActs = []string{
	"tekshir", "sora", "ayt", "yoz", "yubor", "jonat", "javob", "yordam", "hisobla", "top", "tanla", "tushuntir", "korib", "bil", "boglan",
	"prover", "utochn", "uzna", "posmotr", "pereda", "napis", "zapis", "otprav", "prisla", "otveti", "poscita", "podobra", "nash", "pomog", "skaza", "sprosi", "oformi",
	"check", "help", "look", "find", "found", "answer", "vrite", "vrote", "send", "sent", "ask", "count", "introduce", "describe", "handle", "call", "explain", "repeat", "correct",
}

func deskAct(t *phrase.Text, from, to int) bool {
	for _, w := range t.Words[from:to] {
		if slices.ContainsFunc(deskActs, func(stem string) bool { return strings.HasPrefix(w.Key, stem) }) {
			return true
		}
	}
	return false
}

// ownAct: an act of one's own that no program does, said with "self": я сама ставила, o'zim shu
// yerda shug'ullanaman, I work out here myself.
func ownAct(t *phrase.Text, i int) (int, bool) {
	if !is(t, i, hSelf) || strings.HasPrefix(t.Words[i].Key, "ozimiz") {
		return 0, false
	}
	from, to := t.Clause(i)
	if t.Any(from, to, hNot|hNotMe) || machineNear(t, i) || deskAct(t, from, to) {
		return 0, false
	}
	switch k := t.Words[i].Key; k {
	case "ozim":
		for j := i + 1; j < min(to, i+6); j++ {
			if verb := t.Words[j].Key; len(verb) > 4 && (strings.HasSuffix(verb, "aman") || strings.HasSuffix(verb, "yman") || strings.HasSuffix(verb, "dim") || strings.HasSuffix(verb, "ganman") || strings.HasSuffix(verb, "kanman")) {
				return j, true
			}
		}
	case "sam", "sama":
		if !is(t, i-1, hI) && !is(t, i+1, hI) && i != from {
			return 0, false
		}
		for j := i + 1; j < min(to, i+5); j++ {
			if i == from && !is(t, i+1, hI) && len(t.Words[j].Key) > 4 && !strings.HasSuffix(t.Words[j].Key, "l") && !strings.HasSuffix(t.Words[j].Key, "la") && !adverbs[t.Words[j].Key] {
				return 0, false // сама клиника открылась
			}
			if verb := t.Words[j].Key; len(verb) > 4 && (strings.HasSuffix(verb, "la") && k == "sama" || strings.HasSuffix(verb, "l") && k == "sam") {
				return j, true
			}
		}
	case "miself":
		j := t.Find(from, i, hI)
		return j, j >= 0 && i-j > 2 && !modal[t.Words[j+1].Key]
	}
	return 0, false
}

// modal are the English verbs behind which an act is only offered.
var modal = map[string]bool{"can": true, "kan": true, "vil": true, "could": true, "vould": true, "ll": true, "am": true, "may": true, "might": true}

// adverbs may stand between "self" and its verb without a subject.
var adverbs = map[string]bool{"vchera": true, "nedavno": true, "toje": true, "segodnya": true, "chasto": true, "vsegda": true, "takoy": true, "takuyu": true, "davno": true}

// goodsToo tells the names of machines that are goods as well, where nothing says that the writer
// is one: какая модель, kompyuter 5 mln.
func goodsToo(t *phrase.Text, i int) bool {
	k := t.Words[i].Key
	from, to := t.Clause(i)
	if !slices.ContainsFunc([]string{"model", "mashin", "machin", "komp", "comput", "program", "dastur", "digital", "rakamli", "sifrov", "avtomat"}, func(stem string) bool { return strings.HasPrefix(k, stem) }) {
		return false
	}
	return !t.Any(from, to, hI|hAm) && !strings.HasSuffix(k, "man")
}

// nothingElse: a clause that is nothing but a person, behind a yes or called real: ha, odam;
// yes, a real human.
func nothingElse(t *phrase.Text, i int) (int, bool) {
	from, to := t.Clause(i)
	if i != from || t.Asks[t.Words[i].Sentence] || !t.Any(from, to, hPerson) {
		return 0, false
	}
	for j := from; j < to; j++ {
		if !is(t, j, hArticle|hReal|hLiving|hFiller|hPerson) {
			return 0, false
		}
	}
	return to - 1, from == 0 && to == 1 || t.Any(from, to, hReal|hLiving) || from > 0 && yes[t.Words[from-1].Key] && t.Words[from-1].Sentence == t.Words[from].Sentence
}

var yes = map[string]bool{"ha": true, "albata": true, "da": true, "konechno": true, "yes": true, "sure": true}
