package judge

// The bounds of trust (contract 13.32).
const (
	// LeastPeople is how many verdicts of people a judge is compared with before its agreement
	// is said.
	LeastPeople = 50
	// LeastKappa is the agreement below which a judge is not reliable.
	LeastKappa = 0.4
)

// Kappa is how far two who judged the same things agree beyond chance (Cohen): 1 always, 0 as
// by chance, below 0 less. ok is false for too few, and when both said the same of everything,
// where chance explains all.
func Kappa(judge, people []bool) (kappa float64, ok bool) {
	n := len(judge)
	if n < LeastPeople || n != len(people) {
		return 0, false
	}
	same, yesJudge, yesPeople := 0, 0, 0
	for i := range judge {
		if judge[i] == people[i] {
			same++
		}
		if judge[i] {
			yesJudge++
		}
		if people[i] {
			yesPeople++
		}
	}
	share := func(k int) float64 { return float64(k) / float64(n) }
	chance := share(yesJudge)*share(yesPeople) + share(n-yesJudge)*share(n-yesPeople)
	if chance == 1 {
		return 0, false
	}
	return (share(same) - chance) / (1 - chance), true
}
