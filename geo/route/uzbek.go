package route

// This file holds every Uzbek word that the server says about a way, and
// nothing else. It is for a native speaker to correct: change the text between
// the quotes, run `go test ./geo/route`, and read what the tests say
// (map contract 12). Rules for the texts:
//
//   - a sentence begins with a capital and has no full stop;
//   - the letter after o and g is ʻ (U+02BB), and the tutuq sign ʼ (U+02BC);
//   - {S} is the name of the street, {T} what the sign points to, {N} the number
//     of the exit on the sign, {n} which exit of the roundabout it is;
//   - a name is never declined: the word after it takes the suffix.

// uzbekText is what is said at one kind of manoeuvre. A text that needs
// something that is not known is passed over: of the texts below, the first of
// named, toward and plain whose parts are all there is said.
type uzbekText struct {
	kind, modifier string
	named          string // with {S}: the name of the street ends in one of uzbekStreetWords
	toward         string // with {T}, or with {N}, or with {n}
	plain          string // needs nothing; a street of another name follows it after a dash
}

// uzbekTexts has a row for each type and modifier.
var uzbekTexts = []uzbekText{
	{"depart", "", "{S} boʻylab harakatni boshlang", "", "Harakatni boshlang"},
	{"depart", "right", "Oʻngga burilib, {S} boʻylab yoʻlga chiqing", "", "Oʻngdan yoʻlga chiqing"},
	{"depart", "left", "Chapga burilib, {S} boʻylab yoʻlga chiqing", "", "Chapdan yoʻlga chiqing"},
	{"arrive", "", "", "", "Manzilga yetib keldingiz"},
	{"arrive", "right", "", "", "Manzil oʻng tomonda"},
	{"arrive", "left", "", "", "Manzil chap tomonda"},
	{"continue", "straight", "{S} boʻylab toʻgʻriga davom eting", "", "Toʻgʻriga davom eting"},
	{"turn", "slight_right", "{S} tomon yengil oʻngga buriling", "", "Yengil oʻngga buriling"},
	{"turn", "right", "{S} tomon oʻngga buriling", "", "Oʻngga buriling"},
	{"turn", "sharp_right", "{S} tomon keskin oʻngga buriling", "", "Keskin oʻngga buriling"},
	{"turn", "slight_left", "{S} tomon yengil chapga buriling", "", "Yengil chapga buriling"},
	{"turn", "left", "{S} tomon chapga buriling", "", "Chapga buriling"},
	{"turn", "sharp_left", "{S} tomon keskin chapga buriling", "", "Keskin chapga buriling"},
	{"uturn", "right", "{S} boʻylab orqaga qayting", "", "Orqaga buriling"},
	{"uturn", "left", "{S} boʻylab orqaga qayting", "", "Orqaga buriling"},
	{"ramp", "straight", "", "{T} tomon kirish yoʻliga toʻgʻridan chiqing", "Kirish yoʻliga toʻgʻridan chiqing"},
	{"ramp", "right", "", "{T} tomon kirish yoʻliga oʻngdan chiqing", "Kirish yoʻliga oʻngdan chiqing"},
	{"ramp", "left", "", "{T} tomon kirish yoʻliga chapdan chiqing", "Kirish yoʻliga chapdan chiqing"},
	{"exit", "right", "", "{N}-chiqishdan oʻngga chiqing", "Oʻngdagi chiqishdan chiqing"},
	{"exit", "left", "", "{N}-chiqishdan chapga chiqing", "Chapdagi chiqishdan chiqing"},
	{"fork", "straight", "", "", "Ayrilishda toʻgʻriga yuring"},
	{"fork", "right", "", "", "Ayrilishda oʻngga oling"},
	{"fork", "left", "", "", "Ayrilishda chapga oling"},
	{"merge", "", "{S} oqimiga qoʻshiling", "", "Oqimga qoʻshiling"},
	{"merge", "right", "{S} oqimiga oʻngdan qoʻshiling", "", "Oqimga oʻngdan qoʻshiling"},
	{"merge", "left", "{S} oqimiga chapdan qoʻshiling", "", "Oqimga chapdan qoʻshiling"},
	{"roundabout", "", "", "Aylanma yoʻlga kiring va {n}-chiqishdan chiqing", "Aylanma yoʻlga kiring"},
	{"roundabout_exit", "", "Aylanma yoʻldan {S} tomon chiqing", "", "Aylanma yoʻldan chiqing"},
	{"ferry", "", "", "", "Paromga chiqing"},
	{"ferry_exit", "", "", "", "Paromdan tushing"},
	{"transit", "", "", "", "Jamoat transportidan foydalaning"},
	{"elevator", "", "", "", "Liftdan foydalaning"},
	{"steps", "", "", "", "Zinadan yuring"},
	{"escalator", "", "", "", "Eskalatordan foydalaning"},
	{"building_enter", "", "", "", "Binoga kiring"},
	{"building_exit", "", "", "", "Binodan chiqing"},
	{"none", "", "", "", "Davom eting"},
	{"", "", "", "", "Davom eting"}, // a manoeuvre that the table of map contract 38.1 has not
}

const (
	// uzbekTail follows an exit or a fork whose sign points somewhere, and a
	// roundabout that is left by a known exit into a known street.
	uzbekTail = ", {S} tomon"
	// uzbekDash stands between a sentence and a name that no street word ends.
	uzbekDash = " — "
)

// uzbekStreetWords end the name of a street. Apostrophes of any kind match.
var uzbekStreetWords = []string{
	"koʻchasi", "koʻcha", "shohkoʻchasi", "yoʻli", "yoʻl", "prospekti", "xiyoboni", "maydoni", "bulvari", "shossesi",
	"trakti", "magistrali", "tupigi", "berkkoʻchasi", "oʻtkinchisi", "koʻprigi", "tonneli",
	"кўчаси", "кўча", "шоҳкўчаси", "йўли", "йўл", "проспекти", "хиёбони", "майдони", "бульвари", "шоссеси", "тракти",
}
