module github.com/changeover/changeover/domain

go 1.26


