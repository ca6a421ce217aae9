// Command svc is a map service and a messaging service in one file.
package main

import (
	"os"

	"svc/web/wiring"
)

// version is set by the release build (-ldflags "-X main.version=1.4.0").
var version = ""

func main() { os.Exit(wiring.Main(version)) }
