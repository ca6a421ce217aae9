// Package acceptance tests the whole program as its owner runs it: its commands as scripts
// (testdata/script), the server under load, killed, stopped, behind a proxy, attacked by a
// stranger, backed up and restored. It holds nothing but tests.
package acceptance
