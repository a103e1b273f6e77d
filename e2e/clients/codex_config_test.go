//go:build clients

package clients_test

import (
	"time"

	"github.com/changeover/changeover/e2e/clients/codex"
)

// codexConfig has Codex ask a model server of ours.
func codexConfig(url string, idle time.Duration) string { return codex.Config(url, idle) }
