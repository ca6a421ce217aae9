// Package signals finds by rules what a message asks for beside its subject: that
// nobody writes any more, that a person answers, whether a machine writes, that
// something was bad; and what it is about.
//
// It promises the same answer for the same text in any script, with any apostrophe,
// in bounded time (MaxText), and places in bytes of the text that was given.
//
// It refuses to act: what a signal leads to is decided where it is read.
package signals
