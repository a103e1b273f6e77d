package board_test

import (
	"strings"
	"testing"

	"github.com/changeover/changeover/adapters/board/boardtest"
)

func BenchmarkScreen_OfALongText(b *testing.B) {
	h := ships(strings.Repeat(strings.Repeat("word ", 20)+"\n", 20000))
	s := boardtest.Open(b, h, 80, 24, false)
	s.Press("enter")
	for b.Loop() {
		_ = s.Raw()
	}
}
