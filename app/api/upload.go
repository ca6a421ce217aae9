package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/api/unknown"
)

// FormIn is the input of an operation that takes a multipart form, which it reads
// itself: F is a struct with a field for each of the form, and one of the type *File
// for its file, if it has one. Embed it, or use it as it is; MaxBody bounds it.
type FormIn[F any] struct {
	ContentType string `header:"Content-Type" hidden:"true"`
	body        []byte
}

// Resolve takes the body of the request as it is: the router would copy it.
func (in *FormIn[F]) Resolve(ctx huma.Context) []error {
	if in.body != nil {
		return nil
	}
	var err error
	if in.body, err = bodyOf(ctx); err != nil {
		return []error{&sendable{From(err)}}
	}
	return nil
}

// FormOrJSONIn is the input of an operation that takes the same in a form, F, and in
// JSON, J.
type FormOrJSONIn[F, J any] struct{ FormIn[F] }

// File is an uploaded file.
type File struct {
	Name    string // as the client calls it: never part of a path
	Content []byte
}

// ErrNoFile refuses a form without its file.
var ErrNoFile = ErrInvalidUpload.WithMessage("The upload has no file; send multipart/form-data with the field file.")

// Schema describes the content.
func (File) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "binary"}
}

const (
	formType  = "multipart/form-data"
	plainJSON = "application/json"
	anyType   = "*/*"

	// fileField is the name of the field with the file, in every form.
	fileField = "file"
)

// takes is an input that says itself which bodies it takes, and reads them itself.
type takes interface {
	bodies(huma.Registry) map[string]*huma.MediaType
}

func (FormIn[F]) bodies(r huma.Registry) map[string]*huma.MediaType {
	return map[string]*huma.MediaType{formType: {Schema: r.Schema(typeOf[F](), true, "Form")}}
}

func (FormOrJSONIn[F, J]) bodies(r huma.Registry) map[string]*huma.MediaType {
	out := FormIn[F]{}.bodies(r)
	out[plainJSON] = &huma.MediaType{Schema: r.Schema(typeOf[J](), true, "Body")}
	return out
}

// Bounds of a form.
const (
	maxFormParts = 50
	maxFormField = 64 << 10
)

// ReadForm reads a multipart/form-data body. A field that is sent empty says nothing;
// of one that is sent again the last counts, unless it is a list. A truth may be true,
// 1 or on, a map is written in JSON. Fields that F does not have are named in a header.
// The error is invalid_upload, or validation_failed for a field of another type.
func (in FormIn[F]) ReadForm(c *Call) (out F, err error) {
	sent, err := in.parts()
	if err != nil {
		return out, err
	}
	known := jsonFields(typeOf[F]())
	values := map[string]json.RawMessage{}
	var strange []string
	for name, texts := range sent.fields {
		t, ok := known[name]
		if !ok {
			strange = append(strange, unknown.Printable(name))
			continue
		}
		value, err := formValue(t, name, texts)
		if err != nil {
			return out, err
		}
		if value != nil {
			values[name] = value
		}
	}
	c.nameIgnored(c, strange)
	data, err := marshal(values)
	if err != nil {
		return out, err
	}
	if err := decode(data, &out); err != nil {
		return out, err
	}
	setFile(reflect.ValueOf(&out).Elem(), sent.file)
	return out, nil
}

// setFile hands the file to the field that is there for it.
func setFile(form reflect.Value, file *File) {
	for i := range form.NumField() {
		if f := form.Field(i); f.Type() == typeOf[*File]() {
			f.Set(reflect.ValueOf(file))
		}
	}
}

// formValue is the JSON of what a form says of a field with that type, nil for
// nothing.
func formValue(t reflect.Type, name string, texts []string) (json.RawMessage, error) {
	last := texts[len(texts)-1]
	switch {
	case t.Kind() == reflect.Slice && len(texts) > 1:
		return marshal(texts)
	case last == "":
		return nil, nil
	case t.Kind() == reflect.Bool:
		switch last {
		case "true", "1", "on":
			return json.RawMessage("true"), nil
		case "false", "0":
			return json.RawMessage("false"), nil
		}
		return nil, Wrong(name, "must be true or false")
	case t.Kind() == reflect.Map:
		if !json.Valid([]byte(last)) {
			return nil, Wrong(name, "must be a JSON object of names and texts, as in {\"Phone\": \"text\"}")
		}
		return json.RawMessage(last), nil
	}
	return marshal(last)
}

// ReadJSON reads a JSON body. Fields that J does not have are named in a header. The
// error is invalid_json, or validation_failed for a field of another type.
func (in FormOrJSONIn[F, J]) ReadJSON(c *Call) (out J, err error) {
	if err := decode(in.body, &out); err != nil {
		return out, err
	}
	var sent map[string]passed
	if err := decode(in.body, &sent); err != nil {
		return out, err
	}
	known := jsonFields(typeOf[J]())
	var strange []string
	for name := range sent {
		if _, ok := known[name]; !ok {
			strange = append(strange, unknown.Printable(name))
		}
	}
	c.nameIgnored(c, strange)
	return out, nil
}

// passed is a value that nobody looks at.
type passed struct{}

// UnmarshalJSON passes over the value.
func (*passed) UnmarshalJSON([]byte) error { return nil }

// jsonFields are the fields of a record by the name that JSON has for them.
func jsonFields(t reflect.Type) map[string]reflect.Type {
	out := map[string]reflect.Type{}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && name != "-" {
			out[name] = f.Type
		}
	}
	return out
}

// parts is what a form holds: its fields as texts, and its one file.
type parts struct {
	fields map[string][]string
	file   *File
}

func (in FormIn[F]) parts() (out parts, err error) {
	out.fields = map[string][]string{}
	kind, params, err := mime.ParseMediaType(in.ContentType)
	if err != nil || kind != formType || params["boundary"] == "" {
		return out, ErrInvalidUpload
	}
	r := multipart.NewReader(bytes.NewReader(in.body), params["boundary"])
	for range maxFormParts {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, ErrInvalidUpload.WithCause(err)
		}
		if err := out.read(part, in.body, params["boundary"]); err != nil {
			return out, err
		}
	}
	return out, ErrInvalidUpload.WithMessage("The form has more than %d parts.", maxFormParts)
}

// contentOf is the content of a part: where it stands in the body, because a copy of each
// upload would double what uploads take. It is valid as long as the body: while the
// operation runs. A short one is copied, and one of a body without CRLF.
func contentOf(part *multipart.Part, body []byte, boundary string) ([]byte, error) {
	const short = 4 << 10
	headerEnd, partEnd := []byte("\r\n\r\n"), []byte("\r\n--"+boundary)
	var begin bytes.Buffer
	n, err := io.CopyN(&begin, part, short)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if n < short || !bytes.Contains(body, headerEnd) {
		_, err := begin.ReadFrom(part)
		return begin.Bytes(), err
	}
	rest, err := io.Copy(io.Discard, part)
	if err != nil {
		return nil, err
	}
	for at := 0; ; {
		headers := bytes.Index(body[at:], headerEnd)
		if headers < 0 {
			return nil, errors.New("a part is not in its body as it is")
		}
		at += headers + len(headerEnd)
		size := bytes.Index(body[at:], partEnd)
		if int64(size) == n+rest && bytes.HasPrefix(body[at:], begin.Bytes()) {
			return body[at : at+size : at+size], nil
		}
	}
}

func (p *parts) read(part *multipart.Part, body []byte, boundary string) error {
	name := part.FormName()
	if name == fileField {
		if p.file != nil {
			return ErrInvalidUpload.WithMessage("Send one file at a time, in the field file.")
		}
		content, err := contentOf(part, body, boundary)
		if err != nil {
			return ErrInvalidUpload.WithCause(err)
		}
		p.file = &File{Name: part.FileName(), Content: content}
		return nil
	}
	value, err := io.ReadAll(io.LimitReader(part, maxFormField+1))
	if err != nil {
		return ErrInvalidUpload.WithCause(err)
	}
	if len(value) > maxFormField {
		return ErrInvalidUpload.WithMessage("The field %s is too long.", name)
	}
	p.fields[name] = append(p.fields[name], string(value))
	return nil
}

// MediaType is the type of the body without its parameters, "" when it cannot be
// read.
func (in FormIn[F]) MediaType() string {
	kind, _, err := mime.ParseMediaType(in.ContentType)
	if err != nil {
		return ""
	}
	return kind
}
