package api

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
)

// RawIn is the input of an operation that reads its body itself: a file, or one
// of several forms. Embed it; MaxBody bounds it.
type RawIn struct {
	ContentType string `header:"Content-Type"`
	RawBody     []byte
}

// File is an uploaded file.
type File struct {
	Name    string // as the client calls it: never part of a path
	Content []byte
}

// Form is a multipart body: its fields, of which the last of a name counts, and
// its one file.
type Form struct {
	Fields map[string]string
	File   *File
}

// Bounds of a form.
const (
	maxFormParts = 50
	maxFormField = 64 << 10
)

// ReadForm reads a multipart/form-data body with the file in the field "file".
// The error is invalid_upload.
func (in RawIn) ReadForm() (Form, error) {
	form := Form{Fields: map[string]string{}}
	kind, params, err := mime.ParseMediaType(in.ContentType)
	if err != nil || kind != "multipart/form-data" || params["boundary"] == "" {
		return form, ErrInvalidUpload
	}
	r := multipart.NewReader(bytes.NewReader(in.RawBody), params["boundary"])
	for range maxFormParts {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return form, nil
		}
		if err != nil {
			return form, ErrInvalidUpload.Because(err)
		}
		if err := form.read(part); err != nil {
			return form, err
		}
	}
	return form, ErrInvalidUpload.Saying("The form has more than %d parts.", maxFormParts)
}

func (f *Form) read(part *multipart.Part) error {
	if part.FormName() == "file" {
		if f.File != nil {
			return ErrInvalidUpload.Saying("Send one file at a time, in the field file.")
		}
		content, err := io.ReadAll(part)
		if err != nil {
			return ErrInvalidUpload.Because(err)
		}
		f.File = &File{Name: part.FileName(), Content: content}
		return nil
	}
	value, err := io.ReadAll(io.LimitReader(part, maxFormField+1))
	if err != nil {
		return ErrInvalidUpload.Because(err)
	}
	if len(value) > maxFormField {
		return ErrInvalidUpload.Saying("The field %s is too long.", part.FormName())
	}
	f.Fields[part.FormName()] = string(value)
	return nil
}

// MediaType is the type of the body without its parameters, "" when it cannot be
// read.
func (in RawIn) MediaType() string {
	kind, _, err := mime.ParseMediaType(in.ContentType)
	if err != nil {
		return ""
	}
	return kind
}
