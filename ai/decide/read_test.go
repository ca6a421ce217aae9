package decide

import (
	"testing"

	"svc/ai"
)

// FuzzRead: whatever a model answers to a decision, what passes its form can be read, and merging
// it decides nothing outside of a field's choice.
func FuzzRead(f *testing.F) {
	stages := []string{"NEW", "OFFER_PRESENTED"}
	for _, answer := range []string{
		`{"intent":{"value":"PRICE","confidence":0.9},"sales_stage":{"value":"NEW","confidence":1},"stop":{"value":"no","confidence":0.99}}`,
		`{"intent":{"value":"PRICE","confidence":-5},"sales_stage":{"value":"NEW","confidence":1e308},"stop":{"value":"yes","confidence":2}}`,
		`{"intent":{"value":"WEATHER","confidence":1}}`, `{}`, `[]`, `null`, `{"stop":null}`,
	} {
		f.Add([]byte(answer))
	}
	form := Schema([]Field{Intent, Stage, Stop}, stages, "")
	f.Fuzz(func(t *testing.T, answer []byte) {
		r := ai.Response{Text: string(answer)}
		if r.Finish(&ai.Request{Schema: form}) == nil {
			answer = r.JSON
		}
		got, err := Read(answer)
		if err != nil {
			return
		}
		for field, v := range Decision(nil).Merge(FromModel, got, Thresholds{Default: 0.5}, stages) {
			ok := false
			for _, c := range Choice(field, stages) {
				ok = ok || c == v.Value
			}
			if !ok || !(v.Confidence >= 0 && v.Confidence <= 1) || v.Trusted != (v.Confidence >= 0.5) {
				t.Errorf("%s: %+v", field, v)
			}
		}
	})
}
