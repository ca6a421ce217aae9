package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"svc/web/apiv1"
	"svc/web/webtest/described"
)

// ofEvery is the description for every server of a test but for those with @faults: it is
// read once.
var ofEvery struct {
	once sync.Once
	described.Description
	err error
}

func (s *Server) describe() (described.Description, error) {
	if s.o.Faults {
		return s.service.describe()
	}
	ofEvery.once.Do(func() { ofEvery.Description, ofEvery.err = s.service.describe() })
	return ofEvery.Description, ofEvery.err
}

func (h *service) describe() (described.Description, error) {
	data, err := h.api.Description(false)
	if err != nil {
		return described.Description{}, err
	}
	return described.Parse(data)
}

// undeclared says what of an answer of the messaging service is not in its description,
// "" for nothing and for other answers.
func (r *runner) undeclared(req *http.Request, resp *http.Response, body []byte) string {
	if r.server.service == nil || !strings.HasPrefix(req.URL.Path, apiv1.Prefix+"/") {
		return ""
	}
	d, err := r.server.describe()
	if err != nil {
		return fmt.Sprintf("the description: %v", err)
	}
	return d.Undeclared(req, resp, body)
}
