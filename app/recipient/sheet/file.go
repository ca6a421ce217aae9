package sheet

import "bytes"

// File is an upload that can be read: a workbook, or a text in UTF-8.
type File struct {
	Encoding Encoding // "" for a workbook
	text     []byte
	book     *workbook
}

var zipMark = []byte("PK\x03\x04")

// Open tells what an upload is, by its bytes and never by its name. The error is
// ErrNotText for what is neither a text nor a workbook.
func Open(content []byte) (f File, err error) {
	if bytes.HasPrefix(content, zipMark) {
		f.book, err = openWorkbook(content)
		return f, err
	}
	f.text, f.Encoding, err = Decode(content)
	return f, err
}

// IsJSON says whether the file is JSON; otherwise it is a table.
func (f File) IsJSON() bool { return f.book == nil && IsJSON(f.text) }

// Read reads its rows; where is the field of the request that refusals name.
func (f File) Read(o Options, where string) (s *Sheet, err error) {
	switch {
	case f.book != nil:
		return f.book.read(o, where)
	case f.IsJSON():
		s, err = ReadJSONFile(f.text, o, where)
	default:
		s, err = ReadCSV(f.text, o, where)
	}
	if err == nil {
		s.Encoding = f.Encoding
	}
	return s, err
}

// Rows calls a function for every row of a table, the one that names the columns first. The
// cells are good until it returns; name is that of the sheet of a workbook. It is for tables
// of other things than people; a text of JSON is a table of one column.
func (f File) Rows(sheet, where string, take func(cells []string, number int) error) (name string, err error) {
	if f.book != nil {
		return f.book.eachRow(sheet, where, take)
	}
	return "", eachLine(f.text, where, take)
}
