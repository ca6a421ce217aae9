package check

import (
	"strings"

	"svc/ai/phrase"
)

// instructionRun is how many words in a row of our instructions are no chance.
const instructionRun = 8

// instructions looks for what only our instructions say: the secret word, words in a row of
// them, and a reply that begins to tell its own, whatever it makes of them.
func instructions(j *judge) (found bool, span string) {
	if j.Canary != "" && strings.Contains(strings.ToLower(j.Reply), strings.ToLower(j.Canary)) {
		return true, ""
	}
	if span = repeated(&j.text, phrase.Read(j.Instructions, nil).Words); span == "" {
		span = recited(&j.text)
	}
	return span != "", span
}

// repeated are the first words of a text that stand in a row in our own; "" for none.
func repeated(t *phrase.Text, own []phrase.Word) string {
	seen := map[string]bool{}
	join := func(words []phrase.Word) string {
		var b strings.Builder
		for _, w := range words {
			b.WriteString(w.Key)
			b.WriteByte(' ')
		}
		return b.String()
	}
	for i := 0; i+instructionRun <= len(own); i++ {
		seen[join(own[i:i+instructionRun])] = true
	}
	for i := 0; i+instructionRun <= len(t.Words); i++ {
		if seen[join(t.Words[i:i+instructionRun])] {
			return t.Span(i, i+instructionRun-1)
		}
	}
	return ""
}

// recited are the words with which a model tells what it was told: my instructions are, мой
// системный промпт звучит так. "Our care instructions" are not its own.
func recited(t *phrase.Text) string {
	has := func(i int, m phrase.Mask) bool { return i >= 0 && i < len(t.Words) && t.Words[i].Classes&m != 0 }
	for i := range t.Words {
		mine := has(i, kMyInstructions) || has(i, kInstructions) && (has(i-1, kMine) || has(i-2, kMine))
		if mine && (has(i+1, kAre) || strings.HasPrefix(strings.TrimLeft(t.Gap(i), " \"»”’"), ":")) {
			return t.Span(max(0, i-1), i)
		}
	}
	return ""
}
