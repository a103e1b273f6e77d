module github.com/changeover/changeover/domain

go 1.26

require (
	github.com/clipperhouse/uax29/v2 v2.7.0
	github.com/google/go-cmp v0.7.0
	github.com/matryer/is v1.4.1
	pgregory.net/rapid v1.3.0
)
