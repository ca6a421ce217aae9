package dataset

import (
	"slices"
	"strings"

	"svc/ai/phrase"
	"svc/app/inbox/conversation"
	"svc/app/seller/memory"
	"svc/store"
)

// nameMark stands in the place of the name of a customer.
const nameMark = "[NAME]"

// leastName is how many letters a word of a name has that is looked for.
const leastName = 3

// nameEndings are what Uzbek and Russian put behind a name, as keys.
var nameEndings = []string{"man", "ga", "ni", "ning", "dan", "da", "mi", "jon", "xon", "hon", "bek", "a", "u", "e", "om", "oy"}

// namesOf are the words of the names of a customer: what they are called in the network, and
// what they said.
func namesOf(tx *store.Tx, org string, k *conversation.Conversation) (out []string, err error) {
	names := []string{k.Person.FirstName, k.Person.LastName}
	known, err := memory.Known(tx, org, k.ID)
	for _, f := range known {
		if f.Key == memory.Name {
			names = append(names, f.Value)
		}
	}
	for _, name := range names {
		for _, w := range phrase.Read(name, nil).Words {
			if len([]rune(w.Key)) >= leastName {
				out = append(out, w.Key)
			}
		}
	}
	return out, err
}

// names are those of the customer of the conversation that an item is made of; none where it is
// made of none, or that is gone.
func (i *Item) names(tx *store.Tx, org string) ([]string, error) {
	if i.Conversation == "" {
		return nil, nil
	}
	k, err := conversation.Get(tx, org, i.Conversation)
	if err != nil {
		return nil, store.IgnoreNotFound(err)
	}
	return namesOf(tx, org, &k)
}

// withoutNames is a text whose words of names are masked, in either script.
func withoutNames(text string, names []string) string {
	var b strings.Builder
	at := 0
	for _, w := range phrase.Read(text, nil).Words {
		if isName(w.Key, names) {
			b.WriteString(text[at:w.Start] + nameMark)
			at = w.End
		}
	}
	return b.String() + text[at:]
}

func isName(key string, names []string) bool {
	for _, name := range names {
		if ending, begins := strings.CutPrefix(key, name); begins && (ending == "" || slices.Contains(nameEndings, ending)) {
			return true
		}
	}
	return false
}
