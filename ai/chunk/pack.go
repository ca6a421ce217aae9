package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pack makes chunks of the lines below one heading: paragraphs while they fit, a paragraph
// that is too long by sentences, with the last sentence of a chunk again at the front of
// the next.
func pack(lines []string) []string {
	var out []string
	var now strings.Builder
	size := 0
	flush := func() {
		if size > 0 {
			out = append(out, now.String())
			now.Reset()
			size = 0
		}
	}
	put := func(text, between string, n int) {
		if size > 0 {
			now.WriteString(between)
			size += len(between)
		}
		now.WriteString(text)
		size += n
	}
	for _, p := range paragraphs(lines) {
		n := utf8.RuneCountInString(p)
		if size+n+2 <= MaxSize && (size < MinSize || n < MaxSize-MinSize) {
			put(p, "\n\n", n)
			continue
		}
		if size >= MinSize || n <= MaxSize {
			flush()
		}
		if size+n+2 <= MaxSize {
			put(p, "\n\n", n)
			continue
		}
		between, last, lastSize := "\n\n", "", 0
		for _, s := range sentences(p) {
			n := utf8.RuneCountInString(s)
			if size > 0 && size+n+2 > MaxSize {
				flush()
				if last != "" && lastSize+n+1 <= MaxSize && lastSize <= MaxSize/4 {
					put(last, "", lastSize)
				}
				between = " "
			}
			put(s, between, n)
			between, last, lastSize = " ", s, n
		}
	}
	flush()
	return out
}

// paragraphs are the texts between empty lines.
func paragraphs(lines []string) (out []string) {
	var now []string
	for _, l := range append(lines, "") {
		switch {
		case l != "":
			now = append(now, l)
		case len(now) > 0:
			out = append(out, strings.Join(now, "\n"))
			now = now[:0]
		}
	}
	return out
}

// sentences are the sentences of a paragraph, the longest cut to pieces of MaxSize.
func sentences(p string) (out []string) {
	start := 0
	for i, r := range p {
		if i < start || !strings.ContainsRune(".!?…\n", r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		next, _ := utf8.DecodeRuneInString(p[end:])
		if r != '\n' && end < len(p) && !unicode.IsSpace(next) {
			continue // 12.5, shop.example, ?!
		}
		if s := strings.TrimSpace(p[start:end]); s != "" {
			out = append(out, pieces(s, MaxSize)...)
		}
		start = end
	}
	if s := strings.TrimSpace(p[start:]); s != "" {
		out = append(out, pieces(s, MaxSize)...)
	}
	return out
}

// pieces cuts a text that is longer than most characters, at a space when there is one in
// the last fifth.
func pieces(s string, most int) (out []string) {
	for utf8.RuneCountInString(cutBytes(s, most*utf8.UTFMax+utf8.UTFMax)) > most {
		end, n, space := 0, 0, 0
		for i, r := range s {
			if n == most {
				end = i
				break
			}
			if unicode.IsSpace(r) && n > most*4/5 {
				space = i
			}
			n++
		}
		if space > 0 {
			end = space
		}
		if p := strings.TrimSpace(s[:end]); p != "" {
			out = append(out, p)
		}
		s = strings.TrimSpace(s[end:])
	}
	if s != "" {
		out = append(out, s)
	}
	return out
}

// cutBytes is at most n bytes of s, for counting a bounded part.
func cutBytes(s string, n int) string { return s[:min(len(s), n)] }
