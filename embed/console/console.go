// Package console is the console that the binary carries for browsers.
//
// It promises the files exactly as `npm run build` in this folder made them
// (dist). Without that build it promises that the binary compiles, with a
// placeholder page that names the command. It refuses to serve or interpret
// them: that is the business of package svc/web/console.
package console

import (
	"embed"
	"io/fs"
)

// Command makes the files, for messages to people.
const Command = "make assets"

//go:embed all:dist
var dist embed.FS

// Files are the built files: index.html and assets/…, most of them as NAME.br
// and NAME.gz only, and placeholder.html, which is always there.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant
	}
	return files
}
