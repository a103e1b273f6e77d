package relay

import (
	"strings"
	"unicode"
)

// disguises are what reads as one of the letters that the words of a header have:
// letters of other scripts, letters with marks on them, small and raised ones, and
// signs that look alike.
func disguises(letter rune) string {
	switch letter {
	case 'r':
		return "®ŕŗřȑȓɼɽɾʀʳгᴦᴿᵣṙṛṝṟℛℜℝⲅꭇꭈꮢ"
	case 'e':
		return "èéêëēĕėęěǝȅȇȩɘəɛεеѐёєҽҿӗᴇᴱᵉḕḗḙḛḝẹẻẽếềểễệₑ€℮ℯℰⅇ∊⋿ⲉꬲ"
	case 'l':
		return "1I|ıĺļľǀɭʟˡιіӏןاᴸḷḹḻḽₗℒℓⅼ∣│❘ⵏ"
	case 'a':
		return "ªàáâãäåāăąǎǟǡǻȁȃȧɐɑάαаӑӓᴀᴬᵃḁạảấầẩẫậắằẳẵặₐ∀ⲁꭤ"
	case 'y':
		return "ýÿŷƴȳʏʸγύуүӯӱӳᶌẏẙỳỵỷỹỿꭚ"
	case 'o':
		return "0ºòóôõöøōŏőơǒǫǭȍȏȫȭȯȱοσоөօ߀०௦ంഠ๐໐ᴏᴼᵒṍṏṑṓọỏốồổỗộớờởỡợₒℴ○●◯ⲟ〇"
	case 'u':
		return "ùúûüũūŭůűųưǔǖǘǚǜȕȗʋυϋύцսᴜᵁᵘᵤṳṵṷṹṻụủứừửữựꞟꭎꭒ"
	case 'n':
		return "ñńņňǹɴήηпղոռᴺṅṇṉṋⁿₙℕ∩"
	case 'd':
		return "ďđɗԁժᴅᴰᵈḋḍḏḑḓⅅⅆⅾ∂ꓒ"
	case 'v':
		return "νѵѷטᴠᵛᵥṽṿⅴ∨⋁ⱽ"
	}
	return ""
}

// alphabets are the blocks that hold the alphabet once more, in order: where each
// begins and how many letters it has. The first one is the capitals and small
// letters of mathematics, many times over.
var alphabets = []struct{ first, letters rune }{
	{0x1d400, 13 * 52}, {0x24b6, 52}, {0x249c, 26}, {0x1f110, 26}, {0x1f130, 26}, {0x1f150, 26}, {0x1f170, 26}, {0x1f1e6, 26},
}

// isDisguised reports a character that reads as a letter and is another one.
func isDisguised(r, letter rune) bool {
	for _, a := range alphabets {
		if r >= a.first && r < a.first+a.letters {
			return 'a'+(r-a.first)%26 == letter
		}
	}
	return strings.ContainsRune(disguises(letter), r) || strings.ContainsRune(disguises(letter), unicode.ToLower(r))
}

// entities are how HTML and Markdown spell an opening bracket.
var entities = []string{"&#91;", "&#x5b;", "&lbrack;", "&lsqb;"}

// entity returns the length of an opening bracket that a text begins with in such
// a spelling, 0 where it does not.
func entity(text string) int {
	for _, e := range entities {
		if len(text) >= len(e) && strings.EqualFold(text[:len(e)], e) {
			return len(e)
		}
	}
	return 0
}

// lowQuotes are opening punctuation to Unicode and no brackets.
const lowQuotes = "‚„⹂"

// isOpening reports a bracket like the one of a header: a parenthesis or a brace is
// none.
func isOpening(r rune) bool {
	folded := fold(r)
	return folded == '[' ||
		unicode.Is(unicode.Ps, r) && folded != '(' && folded != '{' && !strings.ContainsRune(lowQuotes, r)
}
