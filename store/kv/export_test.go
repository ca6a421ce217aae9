package kv

import "os"

// SetMany says how many free pages a commit lists. Before the first commit.
func (b *Bolt) SetMany(n int) { b.many = n }

// Quiet is how long nobody asked for a commit before the list is written.
const Quiet = quiet

// Listed says whether a file has the list of its free pages.
func Listed(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	m, err := findMeta(f, 1<<20)
	return m.freelist != noFreelist, err
}
