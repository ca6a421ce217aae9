// Package assets is what the binary carries for the map besides tiles: fonts,
// sprites, style templates, the outline of the world, and the licences of all
// of them.
//
// It promises the files exactly as `npm run build` in this folder made them
// (dist; the scripts say what each file holds). Without that build it promises
// that the binary compiles and says so. It refuses to read or serve them: that
// is the business of package mapstyle and of the build of tiles.
package assets

import (
	"embed"
	"io/fs"
)

// Command makes the files, for messages to people.
const Command = "make assets"

//go:embed all:dist
var dist embed.FS

// Files are the built files: fonts/…, sprites/…, styles/…, world/…, LICENSES.txt.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name is a constant
	}
	return files
}

// Built reports whether the binary was built with the files. LICENSES.txt is
// the last that the build writes.
func Built() bool { return Licenses() != nil }

// World is the outline of the world: gzip'd JSON, described in
// scripts/world.mjs. It is nil without the files.
func World() []byte { return file("dist/world/world.json.gz") }

// Licenses are the licences of everything here, as plain text. It is nil
// without the files.
func Licenses() []byte { return file("dist/LICENSES.txt") }

func file(name string) []byte {
	data, err := dist.ReadFile(name)
	if err != nil {
		return nil
	}
	return data
}
