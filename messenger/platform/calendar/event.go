package calendar

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"svc/messenger/platform"
)

// Event is an event of a calendar.
type Event struct {
	ID   string
	ETag string // of the version that was read
	// Cancelled: it was deleted. Its id stays taken.
	Cancelled bool
	// Free: it takes no time.
	Free        bool
	Title, Note string
	Start, End  time.Time
	Zone        string // IANA, in which people see it
	// Action is what of ours wrote it last, "" for an event that is not ours.
	Action  string
	URL     string
	Created time.Time
}

// actionKey is the private property of an event that says what of ours wrote it last.
const actionKey = "svc_action"

type wireTime struct {
	At   time.Time `json:"dateTime,omitzero"`
	Date string    `json:"date,omitempty"`
	Zone string    `json:"timeZone,omitempty"`
}

// when is the time; a whole day begins at midnight of its zone.
func (t wireTime) when() time.Time {
	if t.Date == "" {
		return t.At
	}
	zone, err := time.LoadLocation(t.Zone)
	if err != nil {
		zone = time.UTC
	}
	day, err := time.ParseInLocation(time.DateOnly, t.Date, zone)
	if err != nil {
		return time.Time{}
	}
	return day
}

type wireProperties struct {
	Private map[string]string `json:"private,omitempty"`
}

type wireEvent struct {
	ID           string          `json:"id,omitempty"`
	ETag         string          `json:"etag,omitempty"`
	Status       string          `json:"status,omitempty"`
	Transparency string          `json:"transparency,omitempty"`
	Summary      string          `json:"summary,omitempty"`
	Description  string          `json:"description,omitempty"`
	Start        *wireTime       `json:"start,omitempty"`
	End          *wireTime       `json:"end,omitempty"`
	Properties   *wireProperties `json:"extendedProperties,omitempty"`
	Link         string          `json:"htmlLink,omitempty"`
	Created      *time.Time      `json:"created,omitempty"`
}

func (w *wireEvent) event() (e Event) {
	e = Event{
		ID: w.ID, ETag: w.ETag, Cancelled: w.Status == "cancelled", Free: w.Transparency == "transparent", Title: w.Summary, Note: w.Description, URL: w.Link,
	}
	if w.Start != nil {
		e.Start, e.Zone = w.Start.when().UTC(), w.Start.Zone
	}
	if w.End != nil {
		e.End = w.End.when().UTC()
	}
	if w.Properties != nil {
		e.Action = w.Properties.Private[actionKey]
	}
	if w.Created != nil {
		e.Created = w.Created.UTC()
	}
	return e
}

// written are the fields of an event that are sent; those that are empty stay as they are.
func written(e *Event) wireEvent {
	w := wireEvent{ID: e.ID, Summary: e.Title, Description: e.Note, Properties: &wireProperties{Private: map[string]string{actionKey: e.Action}}}
	if !e.Start.IsZero() {
		w.Start, w.End = timeIn(e.Start, e.Zone), timeIn(e.End, e.Zone)
	}
	return w
}

func timeIn(at time.Time, zone string) *wireTime {
	if place, err := time.LoadLocation(zone); err == nil {
		at = at.In(place)
	}
	return &wireTime{At: at, Zone: zone}
}

func eventsPath(calendar string, event ...string) string {
	path := "/calendar/v3/calendars/" + url.PathEscape(calendar) + "/events"
	for _, e := range event {
		path += "/" + url.PathEscape(e)
	}
	return path
}

// quietly keeps invitations from being sent.
func quietly() url.Values { return url.Values{"sendUpdates": {"none"}} }

// Insert makes an event with an id of ours. The error of an id that is taken is [Taken].
func (c *Client) Insert(ctx context.Context, access, calendar string, e *Event) (Event, error) {
	var out wireEvent
	err := c.call(ctx, access, http.MethodPost, eventsPath(calendar), quietly(), "", written(e), &out)
	return out.event(), err
}

// Get reads an event. One that never was is [platform.Gone].
func (c *Client) Get(ctx context.Context, access, calendar, id string) (Event, error) {
	var out wireEvent
	err := c.call(ctx, access, http.MethodGet, eventsPath(calendar, id), nil, "", nil, &out)
	return out.event(), err
}

// List reads the events that lie within a time, single ones of series, without those that
// were deleted.
func (c *Client) List(ctx context.Context, access, calendar string, from, to time.Time) (list []Event, err error) {
	q := url.Values{
		"timeMin": {from.UTC().Format(time.RFC3339)}, "timeMax": {to.UTC().Format(time.RFC3339)}, "singleEvents": {"true"}, "maxResults": {"250"},
	}
	for range maxPages {
		var w struct {
			Items []wireEvent `json:"items"`
			Next  string      `json:"nextPageToken"`
		}
		if err := c.call(ctx, access, http.MethodGet, eventsPath(calendar), q, "", nil, &w); err != nil {
			return nil, err
		}
		for i := range w.Items {
			if e := w.Items[i].event(); !e.Cancelled {
				list = append(list, e)
			}
		}
		if w.Next == "" || len(list) >= maxPages*maxEvents {
			break
		}
		q.Set("pageToken", w.Next)
	}
	return list, nil
}

// Patch changes an event that is still as its etag says, else the error is [Changed].
func (c *Client) Patch(ctx context.Context, access, calendar, etag string, e *Event) (Event, error) {
	w, out := written(e), wireEvent{}
	w.ID = ""
	err := c.call(ctx, access, http.MethodPatch, eventsPath(calendar, e.ID), quietly(), etag, w, &out)
	return out.event(), err
}

// Delete deletes an event that is still as its etag says, else the error is [Changed].
func (c *Client) Delete(ctx context.Context, access, calendar, etag, id string) error {
	return c.call(ctx, access, http.MethodDelete, eventsPath(calendar, id), quietly(), etag, nil, nil)
}

// Taken says whether an id was refused because an event has or had it, Changed whether somebody
// changed the event meanwhile.
func Taken(err error) bool { return codeOf(err) == http.StatusConflict }

// Changed says whether the event is not the version that was named.
func Changed(err error) bool { return codeOf(err) == http.StatusPreconditionFailed }

func codeOf(err error) int {
	if e := platform.As(err); e != nil {
		return e.Code
	}
	return 0
}
