package media

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// archive reads ZIP and what is made of it: office documents, books, and programs,
// which are refused.
func archive(content []byte) (Info, bool, error) {
	if !bytes.HasPrefix(content, []byte("PK\x03\x04")) && !bytes.HasPrefix(content, []byte("PK\x05\x06")) {
		return Info{}, false, nil
	}
	info := Info{Kind: Document, Type: "application/zip"}
	if t := declared(content); t != "" {
		info.Type = t
	}
	err := eachName(content, func(name string) error {
		lower := strings.ToLower(name)
		for part, t := range officeParts {
			if strings.HasPrefix(lower, part) {
				info.Type = t
			}
		}
		switch {
		case lower == "meta-inf/manifest.mf", lower == "classes.dex", lower == "androidmanifest.xml", lower == "appxmanifest.xml",
			strings.HasPrefix(lower, "payload/") && strings.Contains(lower, ".app/"):
			return refusedProgram
		case strings.HasSuffix(lower, "vbaproject.bin"), strings.HasPrefix(lower, "basic/script"):
			return refusedMacros
		}
		return nil
	})
	return info, true, err
}

var officeParts = map[string]string{
	"word/": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
	"xl/":   "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
	"ppt/":  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}

// declared is the type that books and open documents write into their first entry.
func declared(content []byte) string {
	const header = 30
	if len(content) < header {
		return ""
	}
	name, extra := int(binary.LittleEndian.Uint16(content[26:])), int(binary.LittleEndian.Uint16(content[28:]))
	size := int64(binary.LittleEndian.Uint32(content[18:]))
	from := int64(header + name + extra)
	if from > int64(len(content)) || string(content[header:header+name]) != "mimetype" || size > 100 || from+size > int64(len(content)) {
		return ""
	}
	t := string(content[from : from+size])
	if t != "application/epub+zip" && !strings.HasPrefix(t, "application/vnd.oasis.opendocument.") || strings.ContainsAny(t, " \r\n;,\"") {
		return ""
	}
	return t
}

// eachName visits the names in the directory of a ZIP, without keeping them. It
// looks for entries wherever they stand, so that no archive hides one by lying
// about where its directory is.
func eachName(content []byte, visit func(string) error) error {
	for _, s := range []struct {
		mark         string
		nameAt, head int
	}{{"PK\x01\x02", 28, 46}, {"PK\x03\x04", 26, 30}} {
		rest := content
		for {
			i := bytes.Index(rest, []byte(s.mark))
			if i < 0 {
				break
			}
			rest = rest[i:]
			if len(rest) < s.head {
				break
			}
			n := int(binary.LittleEndian.Uint16(rest[s.nameAt:]))
			if err := visit(string(rest[s.head:min(len(rest), s.head+min(n, 256))])); err != nil {
				return err
			}
			rest = rest[s.head:]
		}
	}
	return nil
}

// compound reads the old office documents.
func compound(content []byte) (Info, bool, error) {
	if !bytes.HasPrefix(content, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) {
		return Info{}, false, nil
	}
	info := Info{Kind: Document, Type: "application/x-ole-storage"}
	const installer = "\x84\x10\x0c\x00\x00\x00\x00\x00\xc0\x00\x00\x00\x00\x00\x00\x46"
	if bytes.Contains(content, []byte(installer)) {
		return info, true, refusedProgram
	}
	if bytes.Contains(content, wide("_VBA_PROJECT")) {
		return info, true, refusedMacros
	}
	for _, d := range []struct{ stream, media string }{
		{"WordDocument", "application/msword"}, {"Workbook", "application/vnd.ms-excel"}, {"PowerPoint Document", "application/vnd.ms-powerpoint"},
	} {
		if bytes.Contains(content, wide(d.stream)) {
			info.Type = d.media
			break
		}
	}
	return info, true, nil
}

// wide is a name as the directory of a compound file has it.
func wide(s string) []byte {
	out := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		out = append(out, s[i], 0)
	}
	return out
}
