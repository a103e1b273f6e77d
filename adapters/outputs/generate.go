package outputs

//go:generate go run github.com/changeover/changeover/adapters/outputs/write ../../docs/schemas
