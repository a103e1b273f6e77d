module github.com/changeover/changeover/exchange-cli

go 1.26.0

require github.com/changeover/changeover/domain v0.0.0

require (
	github.com/changeover/changeover/adapters v0.0.0
	github.com/google/wire v0.7.0
	github.com/matryer/is v1.4.1
	github.com/rs/zerolog v1.35.1
	github.com/spf13/cobra v1.10.2
	github.com/spf13/pflag v1.0.9
)

require (
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/tailscale/hujson v0.0.0-20260727124030-b80ff77dac4f // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/text v0.41.0 // indirect
)

replace github.com/changeover/changeover/domain => ../domain

replace github.com/changeover/changeover/adapters => ../adapters
