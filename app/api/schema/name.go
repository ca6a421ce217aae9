// Package schema writes the description of the bodies of the API: what their schemas are called,
// which of their fields may be null, and an example of each.
package schema

import (
	"path"
	"reflect"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
)

// names gives the schemas of the document their names. Slices use the same short names for
// their types, so a name begins with the package: audit.Resource is AuditResource,
// recipient.Recipient is Recipient. Parts of a slice may begin with the slice
// (partsOfSlices). A body without a type of its own is named after
// the operation that is being registered.
type names struct{ operation string }

// NewRegistry is an empty set of schemas.
func NewRegistry() huma.Registry {
	return huma.NewMapRegistry("#/components/schemas/", (&names{}).name)
}

// marker is a type that only says, as its hint, which operation comes next: huma
// gives the one who names schemas nothing else to know it by.
type marker int

// NowRegistering tells whoever names the schemas of a document which operation is
// being registered.
func NowRegistering(a huma.API, operation string) {
	a.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[marker](), false, operation)
}

func (n *names) name(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[marker]():
		n.operation = hint
		return hint
	case t.Name() == "":
		return pascal(n.operation) + pascal(hint)
	}
	return typeName(t.PkgPath() + "." + t.Name())
}

// typeName is the name of a type written with the paths of its packages, as in
// "svc/app/api.Page[svc/app/audit.Entry]", which becomes AuditEntryPage.
func typeName(full string) string {
	outer, inner, generic := strings.Cut(full, "[")
	dot := strings.LastIndex(outer, ".")
	pkg, name := owner(outer[:max(dot, 0)]), pascal(outer[dot+1:])
	if !generic {
		if p := pascal(pkg); p != "." && p != "Api" && !strings.HasPrefix(name, p) {
			name = p + name
		}
		return name
	}
	return typeName(strings.TrimLeft(strings.TrimSuffix(inner, "]"), "[]*")) + name
}

// partsOfSlices are packages whose types are named after the slice that they are a part of,
// and the slice. The names in the document stay when a slice is divided.
var partsOfSlices = map[string]string{
	"svc/app/account/login": "account", "svc/app/account/proxy": "account", "svc/app/admin/disk": "admin", "svc/app/campaign/check": "campaign",
	"svc/app/engine/budget": "engine", "svc/app/engine/chain": "engine", "svc/app/engine/compose": "engine", "svc/app/engine/execution": "engine",
	"svc/app/engine/model": "engine", "svc/app/engine/prompt": "engine", "svc/app/engine/provider": "engine", "svc/app/engine/agent": "engine",
	"svc/app/recipient/audience": "recipient", "svc/app/recipient/imports": "recipient", "svc/app/recipient/optout": "recipient",
	"svc/app/session/apikey": "session", "svc/app/session/passkey": "session", "svc/app/session/support": "session",
}

// owner is what the names of a package's types begin with.
func owner(pkg string) string {
	if slice, ok := partsOfSlices[pkg]; ok {
		return slice
	}
	return path.Base(pkg)
}

// pascal writes a name as types are named: recipients.opt_out is RecipientsOptOut.
func pascal(s string) string {
	var b strings.Builder
	up := true
	for _, c := range s {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			up = true
		case up:
			b.WriteRune(unicode.ToUpper(c))
			up = false
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
