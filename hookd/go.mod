module github.com/changeover/changeover/hookd

go 1.26.0

require github.com/changeover/changeover/domain v0.0.0

require (
	github.com/changeover/changeover/adapters v0.0.0
	github.com/google/wire v0.7.0
	golang.org/x/sys v0.50.0
)

require (
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // indirect
)

replace github.com/changeover/changeover/domain => ../domain

replace github.com/changeover/changeover/adapters => ../adapters
