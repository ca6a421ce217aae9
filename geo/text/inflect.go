package text

import "strings"

// endings are the case endings of Uzbek and Russian words, as Tokens writes them,
// each with what stands in their place in a name. The longer ones come first.
var endings = []struct {
	end  string
	base []string
}{
	{"larida", []string{"lari", ""}}, {"sidagi", []string{"si", ""}}, {"dagi", []string{""}}, {"sida", []string{"si", ""}},
	{"ning", []string{""}}, {"dan", []string{""}}, {"da", []string{""}}, {"ga", []string{""}}, {"ka", []string{""}}, {"qa", []string{""}},
	{"yami", []string{"i", "ya", ""}}, {"ami", []string{"i", "a", ""}}, {"yax", []string{"i", "ya", ""}}, {"ax", []string{"i", "a", ""}},
	{"skom", []string{"sk", "skiy", "skoye"}}, {"skoy", []string{"skaya", "sk"}},
	{"oy", []string{"aya", "a", ""}}, {"ey", []string{"aya", "ya", "a", ""}}, {"om", []string{"", "o", "iy", "oye"}}, {"em", []string{"", "e", "iy"}},
	{"oye", []string{"oye"}}, {"uyu", []string{"aya"}}, {"yu", []string{"", "ya"}}, {"ii", []string{"iya"}},
	{"ogo", []string{"iy", "oye"}}, {"omu", []string{"iy", "oye"}},
	{"i", []string{"", "a", "ya"}}, {"e", []string{"", "a", "o", "ya"}}, {"u", []string{"", "a", "o"}}, {"a", []string{"", "o"}}, {"y", []string{""}},
	{"ies", []string{"y"}}, {"es", []string{""}}, {"s", []string{""}}, {"lari", []string{""}}, {"lar", []string{""}},
}

// minStem is the shortest beginning that is left when an ending goes, in bytes.
const minStem = 3

// BaseForms are the forms in which a declined word may stand in a name: for
// ryazani ryazan, for moskve moskva, for chilonzorda chilonzor, for аптеки аптека.
// They are guesses; the caller keeps those that are words.
func BaseForms(token string) []string {
	var out []string
	for _, e := range endings {
		stem, ok := strings.CutSuffix(token, e.end)
		if !ok || len(stem) < minStem {
			continue
		}
		for _, b := range e.base {
			out = append(out, stem+b)
		}
	}
	return out
}
