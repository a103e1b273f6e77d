package plan

// compareSteps pairs the steps of two plans by their keys. Of the pairs, those
// that keep their order stayed where they are, as many of them as possible; the
// others moved.
func compareSteps(older, newer []Step) StepDiff {
	waiting := map[string][]int{} // numbers in the old plan
	for _, s := range older {
		waiting[s.key()] = append(waiting[s.key()], s.N)
	}
	var d StepDiff
	var pairs []StepMove
	kept := map[int]bool{}
	for _, s := range newer {
		numbers := waiting[s.key()]
		if len(numbers) == 0 {
			d.Added = append(d.Added, s.N)
			continue
		}
		waiting[s.key()] = numbers[1:]
		kept[numbers[0]] = true
		pairs = append(pairs, StepMove{From: numbers[0], To: s.N})
	}
	for _, s := range older {
		if !kept[s.N] {
			d.Removed = append(d.Removed, s.N)
		}
	}
	stayed := inOrder(pairs)
	for i, p := range pairs {
		if !stayed[i] {
			d.Moved = append(d.Moved, p)
		}
	}
	return d
}

// inOrder returns the indexes of a longest run of pairs, with gaps, that rises
// in both plans.
func inOrder(pairs []StepMove) map[int]bool {
	var ends []int                      // ends[n] is the least last pair of a run of n+1
	before := make([]int, len(pairs)+1) // the pair before one in its run, -1 for none
	for i, p := range pairs {
		low, high := 0, len(ends)
		for low < high {
			if middle := (low + high) / 2; pairs[ends[middle]].From < p.From {
				low = middle + 1
			} else {
				high = middle
			}
		}
		before[i] = -1
		if low > 0 {
			before[i] = ends[low-1]
		}
		if low == len(ends) {
			ends = append(ends, i)
		} else {
			ends[low] = i
		}
	}
	stayed := map[int]bool{}
	if len(ends) == 0 {
		return stayed
	}
	for i := ends[len(ends)-1]; i >= 0; i = before[i] {
		stayed[i] = true
	}
	return stayed
}
