package exchange_test

import (
	"strings"
	"testing"

	"github.com/matryer/is"
	"pgregory.net/rapid"

	"github.com/changeover/changeover/domain/exchange"
)

func TestCheckID(t *testing.T) {
	tests := []struct {
		id string
		ok bool
	}{
		{"20260301T101500Z-0a1b2c", true},
		{"a", true},
		{"A-Z.a_z-0.9", true},
		{"with.json", true},
		{".hidden", true},
		{"tmp-1", true},
		{".tmp", true},
		{"", false},
		{"a b", false},
		{"a/b", false},
		{"a\n", false},
		{"\na", false},
		{"a\x00", false},
		{"ä", false},
		{"ａ", false},
		{"a\xff", false},
		{"a+b", false},
		{"../a", false},
		{".tmp-", false},
		{".tmp-4242-x", false},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			is := is.New(t)
			is.Equal(exchange.CheckID(tt.id) == nil, tt.ok)
		})
	}
}

func TestCheckID_EscapesWhatItRefuses(t *testing.T) {
	is := is.New(t)
	err := exchange.CheckID("a\x1b[2K\n")
	is.True(strings.Contains(err.Error(), `"a\x1b[2K\n"`))
}

func TestCheckID_IsAboutEveryByte(t *testing.T) {
	const permitted = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune(permitted+" /\n")))).Draw(t, "id")
		want := id != "" && strings.Trim(id, permitted) == "" && !strings.HasPrefix(id, ".tmp-")
		if got := exchange.CheckID(id) == nil; got != want {
			t.Fatalf("%q: %v", id, got)
		}
	})
}

func TestIsTemporary(t *testing.T) {
	is := is.New(t)
	is.True(exchange.IsTemporary(".tmp-4242-x.json"))
	is.True(!exchange.IsTemporary(".tmp"))
	is.True(!exchange.IsTemporary("x.tmp-1"))
}

func TestMoveFile_PadsToFourDigits(t *testing.T) {
	is := is.New(t)
	is.Equal(exchange.MoveFile(0, "0a1b2c"), "0000-0a1b2c.json")
	is.Equal(exchange.MoveFile(42, "0a1b2c"), "0042-0a1b2c.json")
	is.Equal(exchange.MoveFile(12345, "0a1b2c"), "12345-0a1b2c.json")
}
