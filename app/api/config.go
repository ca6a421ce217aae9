package api

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"svc/app/api/schema"
)

// DocumentVersion is the version of the description (contract 48).
const DocumentVersion = "0.1.0"

// Config is how huma reads and describes our operations: fields are optional
// unless they say so, unknown ones are allowed (they are named in a header
// instead), names are not escaped for HTML, and huma serves no pages of its own.
func Config() huma.Config { return config(true) }

// StrictConfig is Config for a document in which every field that an answer always
// has is required; it is for clients that are made from it, and checks nothing.
func StrictConfig() huma.Config { return config(false) }

func config(optional bool) huma.Config {
	c := huma.DefaultConfig("svc messaging", DocumentVersion)
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil // no $schema field in bodies
	c.AllowAdditionalPropertiesByDefault = true
	c.FieldsOptionalByDefault = optional
	format := huma.Format{
		Marshal:   encode,
		Unmarshal: unmarshal,
	}
	c.Formats = map[string]huma.Format{"application/json": format, "json": format}
	c.DefaultFormat = "application/json"
	c.Components.Schemas = schema.NewRegistry()
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"bearer":  {Type: "http", Scheme: "bearer", Description: "An API key (svck_...) or an access token (svcat_...)."},
		"session": {Type: "apiKey", In: "cookie", Name: "svc_session", Description: "A console session; over https the name of the cookie begins with __Host-."},
	}
	c.Security = []map[string][]string{{"bearer": {}}, {"session": {}}}
	return c
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	err := encode(&b, v)
	return b.Bytes(), err
}

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }
