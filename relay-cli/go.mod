module github.com/changeover/changeover/relay-cli

go 1.26

require github.com/changeover/changeover/domain v0.0.0
require github.com/changeover/changeover/adapters v0.0.0

replace github.com/changeover/changeover/domain => ../domain
replace github.com/changeover/changeover/adapters => ../adapters
