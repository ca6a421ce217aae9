package reply

import "strings"

// matches reports whether If-None-Match names tag, or is "*". The comparison is
// weak, as RFC 9110, 13.1.2 wants for it: W/ does not count.
func matches(lines []string, tag string) bool {
	for _, line := range lines {
		for {
			line = strings.TrimLeft(line, " \t,")
			if line == "" {
				break
			}
			if line[0] == '*' {
				return true
			}
			line = strings.TrimPrefix(line, "W/")
			if line == "" || line[0] != '"' {
				break // not a list of tags from here on
			}
			end := strings.IndexByte(line[1:], '"')
			if end < 0 {
				break
			}
			end += 2
			if line[:end] == tag {
				return true
			}
			line = line[end:]
		}
	}
	return false
}
