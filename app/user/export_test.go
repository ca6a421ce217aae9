package user

// WaitAfter and MatchingStep are the rules of codes.
var (
	WaitAfter    = waitAfter
	MatchingStep = matchingStep
)

// RespellPHC reads a stored hash and writes it again.
func RespellPHC(s string) (string, error) {
	p, err := parsePHC(s)
	return p.String(), err
}

// Fill takes every place in which a hash is computed; free gives them back.
func (s *Service) Fill() (free func()) {
	for range cap(s.hasher.slots) {
		s.hasher.slots <- struct{}{}
	}
	return func() {
		for range cap(s.hasher.slots) {
			<-s.hasher.slots
		}
	}
}
