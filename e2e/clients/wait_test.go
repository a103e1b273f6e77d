//go:build clients

package clients_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/changeover/changeover/e2e/modelserver"
)

// comes waits until cond holds, and says whether it came to within that time.
func comes(within time.Duration, cond func() bool) bool {
	deadline := time.NewTimer(within)
	defer deadline.Stop()
	ticker := time.NewTicker(poll)
	defer ticker.Stop()
	for !cond() {
		select {
		case <-ticker.C:
		case <-deadline.C:
			return false
		}
	}
	return true
}

// waitFor waits until cond holds, and shows what there is to see where it does not.
func waitFor(t *testing.T, what string, cond func() bool, show func() string) {
	t.Helper()
	if !comes(patience, cond) {
		t.Fatalf("%s did not come:\n%s", what, show())
	}
}

// waitRequest returns the first request that cond accepts.
func waitRequest(t *testing.T, server *modelserver.Server, what string, cond func(modelserver.Request) bool, show func() string) modelserver.Request {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	r, err := server.Wait(ctx, cond)
	if err != nil {
		t.Fatalf("%s did not reach the model: %v\n%s", what, err, show())
	}
	return r
}

// lastHolds accepts the turn whose new text holds text.
func lastHolds(text string) func(modelserver.Request) bool {
	return func(r modelserver.Request) bool { return strings.Contains(r.LastText(), text) }
}
