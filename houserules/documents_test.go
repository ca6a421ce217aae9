package houserules

import (
	"strings"
	"testing"
)

// TestDocumentRulesCatchWhatTheyForbid: a rule that cannot fail guards nothing.
func TestDocumentRulesCatchWhatTheyForbid(t *testing.T) {
	docs := map[string]string{"a.md": "## 1 One\n### 1.2 Two\n## Map 1. Three\n[x](#12-two) [y](b.md#none) [z](c.md)" + strings.Repeat("\n", maxDocLines), "b.md": "## 1 One"}
	sections, twice := docSections(docs)
	links := docLinks(docs, func(string) bool { return false })
	texts := map[string]string{"a.go": "// as (Contract 1.2 and\n// 3), map contract 1, storage 4; the contract 8"}
	if bad := badCitations(texts, sections); len(bad) != 3 || len(twice) != 1 || len(links) != 2 || len(docLengths(docs)) != 1 {
		t.Errorf("citations %q, headings %q, links %q", bad, twice, links)
	}
}
