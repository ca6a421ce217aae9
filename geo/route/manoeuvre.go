package route

// uzbek is the language whose sentences the server writes itself.
const uzbek = "uz"

// The engine's numbers of manoeuvres that rules speak of.
const (
	engineRoundaboutEnter = 26
	engineRoundaboutExit  = 27
)

// manoeuvre is a row of the table of map contract 38.1.
type manoeuvre struct{ kind, modifier string }

// manoeuvres is indexed by the engine's number (map contract 12). What is
// beyond the table has neither type nor modifier.
var manoeuvres = [...]manoeuvre{
	0:  {"none", ""},
	1:  {"depart", ""},
	2:  {"depart", "right"},
	3:  {"depart", "left"},
	4:  {"arrive", ""},
	5:  {"arrive", "right"},
	6:  {"arrive", "left"},
	7:  {"continue", "straight"},
	8:  {"continue", "straight"},
	9:  {"turn", "slight_right"},
	10: {"turn", "right"},
	11: {"turn", "sharp_right"},
	12: {"uturn", "right"},
	13: {"uturn", "left"},
	14: {"turn", "sharp_left"},
	15: {"turn", "left"},
	16: {"turn", "slight_left"},
	17: {"ramp", "straight"},
	18: {"ramp", "right"},
	19: {"ramp", "left"},
	20: {"exit", "right"},
	21: {"exit", "left"},
	22: {"fork", "straight"},
	23: {"fork", "right"},
	24: {"fork", "left"},
	25: {"merge", ""},
	26: {"roundabout", ""},
	27: {"roundabout_exit", ""},
	28: {"ferry", ""},
	29: {"ferry_exit", ""},
	30: {"transit", ""},
	31: {"transit", ""},
	32: {"transit", ""},
	33: {"transit", ""},
	34: {"transit", ""},
	35: {"transit", ""},
	36: {"transit", ""},
	37: {"merge", "right"},
	38: {"merge", "left"},
	39: {"elevator", ""},
	40: {"steps", ""},
	41: {"escalator", ""},
	42: {"building_enter", ""},
	43: {"building_exit", ""},
}

// manoeuvreOf is the row of the engine's number.
func manoeuvreOf(n int) manoeuvre {
	if n < 0 || n >= len(manoeuvres) {
		return manoeuvre{}
	}
	return manoeuvres[n]
}
