package decide

// bins is how many equal parts the confidences from 0 to 1 are counted in.
const bins = 10

// EnoughReviews is how many decisions people must have judged before what a model calls its
// confidence is corrected (contract 13.12).
const EnoughReviews = 200

// priorWeight is how many decisions that are as often right as the model says a part begins, so
// that a few reviews say little.
const priorWeight = 2

// Bin counts judged answers of one field whose confidence lies in one part.
type Bin struct {
	N     int `json:"n,omitempty"`
	Right int `json:"right,omitempty"`
}

// Reviews are what people said of a model's decisions.
type Reviews struct {
	Decisions int                 `json:"decisions,omitempty"`
	Fields    map[Field][bins]Bin `json:"fields,omitempty"`
}

// Count adds the answer of a model to one field that a person judged.
func (r *Reviews) Count(f Field, confidence float64, right bool) {
	if r.Fields == nil {
		r.Fields = map[Field][bins]Bin{}
	}
	list := r.Fields[f]
	b := &list[binOf(confidence)]
	b.N++
	if right {
		b.Right++
	}
	r.Fields[f] = list
}

func binOf(confidence float64) int { return min(max(int(confidence*bins), 0), bins-1) }

// Correct gives how often answers of a field with such a confidence were right, 0 to 1. It is
// never lower for a higher confidence. ok is false while too few decisions were judged, for a
// field that nobody judged, and for stop, whose thresholds are of their own.
func (r *Reviews) Correct(f Field, confidence float64) (corrected float64, ok bool) {
	list, judged := r.Fields[f]
	if r.Decisions < EnoughReviews || !judged || f == Stop || confidence != confidence {
		return 0, false
	}
	shares := monotone(list)
	return shares[binOf(confidence)], true
}

// level is a run of parts that have one share.
type level struct {
	sum, weight float64
	parts       int
}

func (l level) share() float64 { return l.sum / l.weight }

// monotone gives the share of right answers of each part: those nearest to what was counted, by
// the sum of their squares, that do not fall (pool adjacent violators).
func monotone(list [bins]Bin) (out [bins]float64) {
	var levels []level
	for i, b := range list {
		middle := (float64(i) + 0.5) / bins
		levels = append(levels, level{float64(b.Right) + priorWeight*middle, float64(b.N) + priorWeight, 1})
		for n := len(levels); n > 1 && levels[n-2].share() > levels[n-1].share(); n = len(levels) {
			a, b := levels[n-2], levels[n-1]
			levels = append(levels[:n-2], level{a.sum + b.sum, a.weight + b.weight, a.parts + b.parts})
		}
	}
	i := 0
	for _, l := range levels {
		for range l.parts {
			out[i] = l.share()
			i++
		}
	}
	return out
}
