package telegram

import (
	"context"
	"errors"

	"github.com/gotd/td/tg"
)

var errChannels = errors.New("channels are not followed")

// private is the part of the platform that the manager may ask: differences without
// channels, each of which would make it ask for more.
//
// What a difference holds is handed over here, and the manager only moves its place. By
// itself it holds back what comes with new messages, reads and edits and deletions, as if
// those messages were still missing, and forgets it when it moves its place.
type private struct {
	*tg.Client
	updates *updateStream
}

// UpdatesGetDifference asks for what was missed.
func (p private) UpdatesGetDifference(ctx context.Context, r *tg.UpdatesGetDifferenceRequest) (tg.UpdatesDifferenceClass, error) {
	diff, err := p.Client.UpdatesGetDifference(ctx, r)
	if err != nil {
		return nil, err
	}
	switch d := diff.(type) {
	case *tg.UpdatesDifference:
		err = p.updates.take(ctx, missed(d.NewMessages, d.OtherUpdates, d.Users))
		d.NewMessages, d.OtherUpdates, d.Chats = nil, nil, nil
	case *tg.UpdatesDifferenceSlice:
		err = p.updates.take(ctx, missed(d.NewMessages, d.OtherUpdates, d.Users))
		d.NewMessages, d.OtherUpdates, d.Chats = nil, nil, nil
	case *tg.UpdatesDifferenceTooLong:
		// Before the manager moves on: a crash in between must not forget it.
		p.updates.cursor.TooLong()
	}
	return diff, err
}

// missed are the updates of a difference in the order in which they make sense: a message
// before what was done to it.
func missed(messages []tg.MessageClass, others []tg.UpdateClass, users []tg.UserClass) *tg.Updates {
	all := make([]tg.UpdateClass, 0, len(messages)+len(others))
	for _, m := range messages {
		all = append(all, &tg.UpdateNewMessage{Message: m})
	}
	return &tg.Updates{Updates: append(all, others...), Users: users}
}

// UpdatesGetChannelDifference is never needed.
func (private) UpdatesGetChannelDifference(context.Context, *tg.UpdatesGetChannelDifferenceRequest) (tg.UpdatesChannelDifferenceClass, error) {
	return nil, errChannels
}
