module github.com/changeover/changeover/adapters

go 1.26

require github.com/changeover/changeover/domain v0.0.0

replace github.com/changeover/changeover/domain => ../domain
