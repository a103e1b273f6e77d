package main

//go:generate go run github.com/changeover/changeover/adapters/schemagen plugin/schemas
