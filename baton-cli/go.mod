module github.com/changeover/changeover/baton-cli

go 1.26.0

require (
	github.com/aymanbagabas/go-udiff v0.4.1
	github.com/changeover/changeover/adapters v0.0.0
	github.com/changeover/changeover/domain v0.0.0
	github.com/google/go-cmp v0.7.0
	github.com/google/wire v0.7.0
	github.com/matryer/is v1.4.1
	github.com/rs/zerolog v1.35.1
	github.com/spf13/cobra v1.10.2
	golang.org/x/term v0.48.0
)

require (
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/gofrs/flock v0.13.2 // indirect
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	github.com/spf13/pflag v1.0.9 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace github.com/changeover/changeover/domain => ../domain

replace github.com/changeover/changeover/adapters => ../adapters
