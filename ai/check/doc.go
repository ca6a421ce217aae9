// Package check judges a reply before it is sent: the thirteen validators of the
// seller, and whether a persona claims to be a person.
//
// It promises that the same input gives the same answer, that every validator answers
// whatever the others found, that no detail carries what the customer wrote, and that
// the work is bounded whatever the texts are.
//
// It refuses to write, to ask a model, and to decide what happens with a reply that
// failed: its caller does.
package check
