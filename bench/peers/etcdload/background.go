package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"sync"
	"time"
)

// attemptPause is between two attempts of a write, as in a probe; each of them has probeTimeout.
const attemptPause = 5 * time.Millisecond

// written is what became of the writes of one line (bench.work.BackgroundWrites).
type written struct {
	Due         []float64  `json:"due"`
	LatenciesMs []*float64 `json:"latencies_ms"`
	FirstError  string     `json:"first_error"`
}

// background writes at a rate for as long as each line on the input says, in seconds.
func background() {
	do := writes()
	lines := bufio.NewScanner(os.Stdin)
	first := 0
	for lines.Scan() {
		seconds, err := strconv.ParseFloat(lines.Text(), 64)
		if err != nil {
			fail(fmt.Errorf("background: a time in seconds is expected, not %q", lines.Text()))
		}
		count := int(math.Ceil(*rate*seconds - 1e-9))
		_ = json.NewEncoder(os.Stdout).Encode(writeSteadily(do, first, count))
		first += count
	}
}

// writeSteadily starts each write when it is due, whatever became of the earlier ones, and waits for all of them.
func writeSteadily(do request, first int, count int) written {
	result := written{Due: make([]float64, count), LatenciesMs: make([]*float64, count)}
	room := make(chan struct{}, *inFlight)
	begin := time.Now()
	var group sync.WaitGroup
	var mutex sync.Mutex
	for number := 0; number < count; number++ {
		due := begin.Add(time.Duration(float64(number) / *rate * float64(time.Second)))
		result.Due[number] = float64(due.UnixNano()) / 1e9
		time.Sleep(time.Until(due))
		room <- struct{}{}
		group.Add(1)
		go func(number int) {
			defer group.Done()
			err := deliver(do, first+number, due.Add(time.Duration(*giveUp*float64(time.Second))))
			latency := float64(time.Since(due).Nanoseconds()) / 1e6
			<-room
			mutex.Lock()
			defer mutex.Unlock()
			if err == nil {
				result.LatenciesMs[number] = &latency
			} else if result.FirstError == "" {
				result.FirstError = err.Error()
			}
		}(number)
	}
	group.Wait()
	return result
}

// deliver repeats a write until it is acknowledged; it returns the last error when there is no more time.
func deliver(do request, serial int, until time.Time) error {
	for {
		attemptEnds := time.Now().Add(probeTimeout)
		if attemptEnds.After(until) {
			attemptEnds = until
		}
		ctx, cancel := context.WithDeadline(context.Background(), attemptEnds)
		err := do(ctx, serial)
		cancel()
		if err == nil || !time.Now().Add(attemptPause).Before(until) {
			return err
		}
		time.Sleep(attemptPause)
	}
}
