module github.com/changeover/changeover/e2e

go 1.26.7

require (
	github.com/changeover/changeover/adapters v0.0.0
	github.com/changeover/changeover/domain v0.0.0
	github.com/creack/pty v1.1.24
	github.com/google/go-cmp v0.7.0
	github.com/hinshun/vt10x v0.0.0-20220301184237-5011da428d02
	github.com/matryer/is v1.4.1
	github.com/rogpeppe/go-internal v1.16.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	golang.org/x/text v0.41.0
)

require (
	github.com/clipperhouse/uax29/v2 v2.7.0 // indirect
	github.com/gofrs/flock v0.13.2 // indirect
	github.com/google/wire v0.7.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	golang.org/x/tools v0.48.0 // indirect
)

replace github.com/changeover/changeover/domain => ../domain

replace github.com/changeover/changeover/adapters => ../adapters
