package main

// retireHooks takes the hooks of earlier scripts out of the settings under the
// root, and puts the scripts aside.
func (s *shared) retireHooks(apply, asJSON bool) error {
	r, err := s.Retirer.Retire(s.cwd(), apply)
	if err != nil {
		return s.cannotRead(err, asJSON)
	}
	return s.read(r, r.Faulty(), asJSON)
}
