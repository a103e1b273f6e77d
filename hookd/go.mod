module github.com/changeover/changeover/hookd

go 1.26.7

require github.com/changeover/changeover/domain v0.0.0

require (
	github.com/changeover/changeover/adapters v0.0.0
	github.com/google/wire v0.7.0
	github.com/matryer/is v1.4.1
	golang.org/x/sys v0.50.0
)

require github.com/clipperhouse/uax29/v2 v2.7.0 // indirect

replace github.com/changeover/changeover/domain => ../domain

replace github.com/changeover/changeover/adapters => ../adapters
