package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"svc/web/e2e/browsertest"
)

// TestTheProductIsAllowed reads the licences of everything that this tree ships.
func TestTheProductIsAllowed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "LICENSES.txt")
	root := filepath.Join("..", "..")
	browsertest.Built(t) // what it reads is there
	browsertest.Console(t)
	if err := run([]string{root, file}, t.Output()); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Go, its standard library go1", "github.com/gotd/td v", "maplibre-gl 6", "react 19", "@expo-google-fonts/noto-sans 0", ": OFL-1.1", "Apache License"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the list does not have %q", want)
		}
	}
}

func TestClassify(t *testing.T) {
	const (
		mit = "Permission is hereby granted, free of charge, to any person\nobtaining a copy of this software, to deal in it without restriction"
		bsd = "Redistribution and use in source and binary forms, with or without modification"
	)
	for _, tt := range []struct {
		text string
		want []string
		bad  bool
	}{
		{mit, []string{"MIT"}, false},
		{bsd + " are permitted", []string{"BSD-2-Clause"}, false},
		{bsd + " ... to endorse or\n// promote products", []string{"BSD-3-Clause"}, false},
		{bsd + " ... all advertising materials", []string{"BSD-4-Clause"}, true},
		{"Apache License\n   Version 2.0, January 2004", []string{"Apache-2.0"}, false},
		{"# Apache License, Version 2.0", []string{"Apache-2.0"}, false},
		{mit + "\n\nApache License\nVersion 2.0", []string{"Apache-2.0", "MIT"}, false},
		{"Mozilla Public License Version 2.0", []string{"MPL-2.0"}, true},
		{mit + "\nMozilla Public License Version 2.0", []string{"MIT", "MPL-2.0"}, true},
		{"GNU AFFERO GENERAL PUBLIC LICENSE\nEveryone is permitted to copy and distribute verbatim copies", []string{"GPL"}, true},
		{"Business Source License 1.1", []string{"BUSL"}, true},
		{"All rights reserved.", nil, true},
		{"", nil, true},
	} {
		got := classify(tt.text)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q is %q, want %q", tt.text, got, tt.want)
		}
		if wrong := refused([]part{{name: "x", version: "1", licences: got}}); (len(wrong) > 0) != tt.bad {
			t.Errorf("%q: refused %q", tt.text, wrong)
		}
	}
}

func TestSections(t *testing.T) {
	rule := strings.Repeat("=", 72)
	parts := sections("What is in it.\n\n" +
		rule + "\nLabels: Noto Sans\n@expo/noto 0.4.2\n" + rule + "\n\nSIL OPEN FONT LICENSE Version 1.1\n\n" +
		rule + "\nchoice 2.0.0: (GPL-3.0 OR MIT)\n" + rule + "\n\nCopyright Z. Licensed under (GPL-3.0 OR MIT); the package carries no licence file.\n\n" +
		rule + "\nstrange 1.0.0: GPL-3.0\n" + rule + "\n\nCopyright Z. Licensed under GPL-3.0; the package carries no licence file.\n")
	if len(parts) != 3 || parts[0].name != "@expo/noto" || parts[0].version != "0.4.2" || parts[1].name != "choice" {
		t.Fatalf("%+v", parts)
	}
	if wrong := refused(parts); len(wrong) != 1 || wrong[0] != "strange 1.0.0: GPL-3.0" {
		t.Errorf("refused: %q", wrong)
	}
}

func TestNothingIsWrittenWithoutTheText(t *testing.T) {
	if _, err := texts(t.TempDir()); err == nil {
		t.Error("a module without a licence file passes")
	}
}
