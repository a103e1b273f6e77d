package fsstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/changeover/changeover/domain/exchange"
)

// Claims implements exchange.ClaimReader.
func (s *Store) Claims() exchange.Claims {
	var claims exchange.Claims
	entries, err := s.files(s.sessions)
	if err != nil {
		claims.Problems = append(claims.Problems, err.Error())
	}
	for _, e := range entries {
		stem, ok := strings.CutSuffix(e.Name, extension)
		if !ok {
			continue
		}
		claim, err := read(s, path.Join(s.sessions, e.Name), exchange.ParseClaim)
		if errors.Is(err, fs.ErrNotExist) {
			continue // its session ended meanwhile
		}
		if err != nil {
			claims.Problems = append(claims.Problems, err.Error())
			continue
		}
		claims.Items = append(claims.Items, exchange.StoredClaim{File: e.Name, Claim: claim})
		if err := checkName(e.Name, stem, claim); err != nil {
			claims.Problems = append(claims.Problems, err.Error())
		}
	}
	if err := s.replaced(s.sessions); err != nil {
		return exchange.Claims{Problems: []string{err.Error()}}
	}
	return claims
}

// checkName refuses a claim that lies under another session's id.
func checkName(file, id string, c exchange.Claim) error {
	if c.SessionID == id {
		return nil
	}
	return &exchange.FileError{Name: file, Holds: c.SessionID}
}

// Claim implements exchange.ClaimReader.
func (s *Store) Claim(id string) (exchange.Claim, error) { return s.claim(s.sessions, id) }

// EndedClaim implements exchange.EndedClaims.
func (s *Store) EndedClaim(id string) (exchange.Claim, error) { return s.claim(s.ended, id) }

func (s *Store) claim(dir, id string) (exchange.Claim, error) {
	if err := exchange.CheckID(id); err != nil {
		return exchange.Claim{}, err
	}
	claim, err := read(s, path.Join(dir, id+extension), exchange.ParseClaim)
	if errors.Is(err, fs.ErrNotExist) {
		return exchange.Claim{}, exchange.ErrNoClaim
	}
	if err == nil {
		err = checkName(id+extension, id, claim)
	}
	if err == nil {
		err = s.replaced(dir)
	}
	if err != nil {
		return exchange.Claim{}, err
	}
	return claim, nil
}

// PutClaim implements exchange.ClaimWriter.
func (s *Store) PutClaim(c exchange.Claim) error {
	name := path.Join(s.sessions, c.SessionID+extension)
	if err := exchange.CheckID(c.SessionID); err != nil {
		return refused(s.sessions, err)
	}
	data, err := c.Encode(path.Base(name))
	if err != nil {
		return refused(name, err)
	}
	return s.replace(name, data)
}

// DropClaim implements exchange.ClaimWriter.
func (s *Store) DropClaim(id string) error { return s.drop(s.sessions, id) }

// DropEnded implements exchange.EndedClaims.
func (s *Store) DropEnded(id string) error { return s.drop(s.ended, id) }

func (s *Store) drop(dir, id string) error {
	if err := exchange.CheckID(id); err != nil {
		return err
	}
	return s.remove(path.Join(dir, id+extension), exchange.ErrNoClaim)
}

// EndClaim implements exchange.EndedClaims.
func (s *Store) EndClaim(id string) error {
	if err := exchange.CheckID(id); err != nil {
		return err
	}
	if err := s.replaced(s.sessions); err != nil {
		return err
	}
	from, to := path.Join(s.sessions, id+extension), path.Join(s.ended, id+extension)
	if _, err := s.fs.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return exchange.ErrNoClaim
	}
	if err := s.makeDirs(s.ended); err != nil {
		return writeError(to, err)
	}
	err := s.fs.Rename(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return exchange.ErrNoClaim
	}
	if err != nil {
		return fmt.Errorf("could not put %s aside: %w", from, cause(err))
	}
	return nil
}
