// Package codex has Codex ask a model server on the loopback interface.
package codex

import (
	"fmt"
	"time"
)

// Config is a config.toml by which Codex asks the server at url, with the key in the
// variable MOCK_KEY, and gives up a stream that stands still for so long. Its sandbox
// leaves /tmp alone: it would put an empty .git there, and leave it when it is killed.
func Config(url string, idle time.Duration) string {
	return fmt.Sprintf(`model = "gpt-5.5"
model_provider = "mock"
[model_providers.mock]
name = "mock"
base_url = "%s/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 1
stream_max_retries = 1
stream_idle_timeout_ms = %d
[sandbox_workspace_write]
exclude_slash_tmp = true
`, url, idle.Milliseconds())
}
