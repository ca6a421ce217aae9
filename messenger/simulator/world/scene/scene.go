// Package scene is the language in which the simulator is told what happens (Run), and what it
// says: rules that wait for their moment, effects, the fate of an answer.
//
// It promises that each mistake is named with its line, and keeps nothing: a Platform does
// what the lines say.
package scene

import "svc/messenger/simulator/world/record"

// Platform is what scenes act on: what its methods promise stands with package world. A person is
// @username or an id, an account its number.
type Platform interface {
	ChangePhone(number string, change func(*record.Phone) error) error
	ChangePerson(name string, change func(p *record.Person, known bool) error) (id int64, err error)
	AddPeople(r record.Range)
	AddContact(number, person string) error
	Reassign(username string, to int64) error

	AddRule(r Rule)
	Impose(number string, e Effect) error
	Lift(number string) error
	Kick(number string) error
	Lose(number string, n int) error
	ExpireFiles() error
	Live(l Life)

	SendContent(from, number string, c record.Content) ([]*record.Message, error)
	TypeContent(number, to string, c record.Content) ([]*record.Message, error)
	Newest(number, person string, out bool) (id int, err error)
	Edit(number string, id int, text string) error
	Unsend(number string, ids ...int) error
	React(number string, id int, person, emoji string) error
	Read(number, person string, upTo int) error
	ReadOwn(number, person string, upTo int) error
}
