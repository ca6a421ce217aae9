package ai

import (
	"errors"
	"math"
	"unicode/utf8"
)

// maxDims bounds the length of a vector.
const maxDims = 8192

// Finish makes every vector of length 1 and refuses what is none: one for each text, all
// of one length. Usage that the provider did not tell is estimated.
func (v *Vectors) Finish(texts []string) error {
	if len(v.Values) != len(texts) {
		return errors.New("not one vector a text")
	}
	for _, x := range v.Values {
		if len(x) == 0 || len(x) > maxDims || len(x) != len(v.Values[0]) || !Normalise(x) {
			return errors.New("a vector that is none")
		}
	}
	if v.Usage.IsZero() {
		v.Usage.Estimated = true
		for _, t := range texts {
			v.Usage.Input += EstimateText(t)
		}
	}
	return nil
}

// Normalise makes a vector of length 1, in place; false when it has none.
func Normalise(x []float32) bool {
	var sum float64
	for _, f := range x {
		sum += float64(f) * float64(f)
	}
	if !(sum > 0) || math.IsInf(sum, 0) {
		return false
	}
	length := math.Sqrt(sum)
	for i := range x {
		x[i] = float32(float64(x[i]) / length)
	}
	return true
}

// maxName bounds the name of a model, in bytes.
const maxName = 200

// AppendListed adds a model of a provider's list, unless it has no usable name or the list
// is full. Labels are cut.
func AppendListed(list []Listed, m Listed) []Listed {
	if len(list) >= MaxModels || m.ID == "" || len(m.ID) > maxName || !utf8.ValidString(m.ID) {
		return list
	}
	if len(m.Label) > maxName || !utf8.ValidString(m.Label) {
		m.Label = ""
	}
	m.ContextTokens = max(m.ContextTokens, 0)
	return append(list, m)
}
