package notify

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestKindsAreKnown: a kind that some slice sends is in the table. One that is not fails the
// transaction of what it would tell of.
func TestKindsAreKnown(t *testing.T) {
	named := regexp.MustCompile(`(?:notify\.Kind\(|notify\.Notice\{[^}]*?Kind: +)"([A-Z_]+)"`)
	found := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			found++
			if _, ok := kinds[Kind(m[1])]; !ok {
				t.Errorf("%s sends %s, which is not in the table", path, m[1])
			}
		}
		return err
	})
	if err != nil || found < 10 {
		t.Errorf("%d kinds were found: %v", found, err)
	}
}
