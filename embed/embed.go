// Package embed is what the binary carries besides code. It promises files
// exactly as they stand in the repository, with no generated part, and refuses
// to serve or interpret them: that is the business of package web.
package embed

import _ "embed"

// Page is the map's page, served at "/": one HTML file that needs no other
// file.
//
//go:embed app/index.html
var Page []byte
