package media

import (
	"bytes"
	"slices"
	"strings"
)

// programs are the first bytes of what a computer runs.
var programs = []string{
	"MZ", "\x7fELF", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\xca\xfe\xba\xbf",
	"dex\n", "\x00asm", "!<arch>\n", "\xed\xab\xee\xdb", "MSCF", "xar!", "L\x00\x00\x00\x01\x14\x02\x00", "ITSF", "hsqs", "\x1bLua", "BC\xc0\xde",
}

// scripts are the beginnings of texts that a program runs, in lower case.
var scripts = []string{
	"#!", "<?php", "<script", "<!doctype html", "<html", "<head", "<body", "<iframe", "<svg", "@echo off", "<job", "<hta:", "<%", "windows registry editor", "regedit4",
	"[internetshortcut]",
}

// endings are those of names that devices run, whatever the file holds.
var endings = strings.Fields(`exe com scr pif cpl dll sys drv ocx msi msp mst msix appx cab bat cmd ps1 psm1 psd1 vb vbs vbe js jse mjs cjs
	ws wsf wsh wsc sct hta reg lnk url scf inf gadget application jar class war apk aab xapk ipa app dmg pkg deb rpm run elf so dylib
	sh bash zsh csh ksh fish command py pyc pyw pyz rb pl pm php php3 php4 php5 phtml phar asp aspx jsp cgi lua tcl awk applescript scpt
	html htm xhtml xht mht mhtml shtml svg svgz chm hlp xll xlam docm dotm xlsm xltm xlsb pptm potm ppam ppsm sldm iso img vhd vhdx wasm
	desktop service appimage snap flatpak workflow terminal diagcab settingcontent-ms library-ms search-ms`)

func runsByName(name string) bool { return slices.Contains(endings, extension(name)) }

func isProgram(content []byte) bool {
	for _, p := range programs {
		if strings.HasPrefix(head(content, len(p)), p) {
			return true
		}
	}
	return isScript(content)
}

func head(content []byte, n int) string { return string(content[:min(n, len(content))]) }

// isScript looks at the beginning of a text, behind what browsers pass over:
// byte-order marks, blanks, comments, declarations.
func isScript(content []byte) bool {
	if bytes.HasPrefix(content, []byte("#!AMR")) {
		return false // a sound
	}
	const enough = 4096
	s := asText(content[:min(enough, len(content))])
	for {
		s = strings.TrimLeft(s, " \t\r\n\f\v\x00\ufeff")
		rest, is := afterDeclaration(s)
		if !is {
			break
		}
		s = rest
	}
	s = strings.ToLower(head([]byte(s), 64))
	return slices.ContainsFunc(scripts, func(begin string) bool { return strings.HasPrefix(s, begin) })
}

// afterDeclaration passes one comment or XML declaration.
func afterDeclaration(s string) (string, bool) {
	for _, d := range []struct{ begin, end string }{{"<!--", "-->"}, {"<?xml", "?>"}, {"<!DOCTYPE svg", ">"}} {
		if strings.HasPrefix(s, d.begin) {
			_, rest, ok := strings.Cut(s[len(d.begin):], d.end)
			return rest, ok
		}
	}
	return s, false
}

// asText reads UTF-16 with a byte-order mark as what it says in ASCII, so that a
// script cannot hide in it.
func asText(b []byte) string {
	if !bytes.HasPrefix(b, []byte("\xff\xfe")) && !bytes.HasPrefix(b, []byte("\xfe\xff")) {
		return string(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")))
	}
	return string(bytes.ReplaceAll(b[2:], []byte{0}, nil))
}
