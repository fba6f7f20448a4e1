// etcdload makes the benchmark's writes on etcd. It speaks to the harness by lines:
// "measuring" when the warm-up is over, then one JSON object (see bench/peers/loadtool.py);
// as a prober it answers every line on its input with the time of the next success;
// as a background writer it writes for as many seconds as a line says, and answers with one JSON object.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
)

var (
	endpoints   = flag.String("endpoints", "", "host:port,...")
	mode        = flag.String("mode", "load", "load, read, call, watch, follow, probe or background")
	inFlight    = flag.Int("in-flight", 1, "unanswered requests")
	batch       = flag.Int("batch", 1, "records per request")
	valueBytes  = flag.Int("value-bytes", 256, "length of a value")
	seconds     = flag.Float64("seconds", 3, "measured time")
	warmup      = flag.Float64("warmup", 1, "time before")
	rate        = flag.Float64("rate", 0, "open loop: requests per second")
	total       = flag.Int("total", 0, "write so many distinct records instead")
	names       = flag.Int("names", 4096, "distinct keys otherwise")
	connections = flag.Int("connections", 1, "connections")
	stamped     = flag.Bool("stamped", false, "values begin with the time of the write")
	giveUp      = flag.Float64("give-up", 10, "background: seconds after which a write that was due has failed")
	writesFile  = flag.String("writes", "", "write these instead: lines of a key and its values, with tabs between")
)

const (
	requestTimeout = 30 * time.Second
	probeTimeout   = 200 * time.Millisecond
	outstandingMax = 4096
)

type outcome struct {
	Requests    int       `json:"requests"`
	Records     int       `json:"records"`
	ElapsedS    float64   `json:"elapsed_s"`
	Errors      int64     `json:"errors"`
	FirstError  string    `json:"first_error"`
	ClientCPUS  float64   `json:"client_cpu_s"`
	LatenciesUs []float64 `json:"latencies_us"`
}

func cpu() float64 {
	var usage syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	seconds := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return seconds(usage.Utime) + seconds(usage.Stime)
}

func connect(to string) *clientv3.Client {
	client, err := clientv3.New(clientv3.Config{
		Endpoints:   strings.Split(to, ","),
		DialTimeout: 5 * time.Second,
		Logger:      zap.NewNop(),
	})
	if err != nil {
		fail(err)
	}
	return client
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func value(serial int) string {
	text := fmt.Sprintf("%010d", serial)
	if *stamped {
		text = fmt.Sprintf("%s%0*d", *mark, timeDigits, time.Now().UnixMicro())
	}
	if len(text) < *valueBytes {
		text += strings.Repeat("x", *valueBytes-len(text))
	}
	return text
}

// given are the writes of the file: for each index a key and its values.
var given []givenWrite

type givenWrite struct {
	key    string
	values []string
}

func readWrites(file string) []givenWrite {
	if *total > 0 {
		fail(fmt.Errorf("--total has names of its own, --writes %s has others", file))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		fail(err)
	}
	var found []givenWrite
	for number, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		texts := strings.Split(line, "\t")
		if len(texts) < 3 {
			fail(fmt.Errorf("%s, line %d: not a key and at least two values", file, number+1))
		}
		found = append(found, givenWrite{texts[0], texts[1:]})
	}
	return found
}

// record returns the key and the value of the number-th write: text, or with a file the key's values in turn.
func record(number int, text string) (string, string) {
	if len(given) > 0 {
		one := given[number%len(given)]
		return one.key, one.values[number/len(given)%len(one.values)]
	}
	distinct := *names
	if *total > 0 {
		distinct = *total
	}
	return fmt.Sprintf("bench-%07d", number%distinct), text
}

func write(ctx context.Context, client *clientv3.Client, serial int) error {
	text := ""
	if len(given) == 0 {
		text = value(serial)
	}
	if *batch == 1 {
		key, text := record(serial, text)
		_, err := client.Put(ctx, key, text)
		return err
	}
	rows := *batch
	if *total > 0 && (serial+1)**batch > *total {
		rows = *total - serial**batch
	}
	operations := make([]clientv3.Op, rows)
	for place := range operations {
		key, text := record(serial**batch+place, text)
		operations[place] = clientv3.OpPut(key, text)
	}
	_, err := client.Txn(ctx).Then(operations...).Commit()
	return err
}

// request makes the request of a serial number.
type request func(ctx context.Context, serial int) error

func writes() request {
	clients := make([]*clientv3.Client, *connections)
	for i := range clients {
		clients[i] = connect(*endpoints)
	}
	return func(ctx context.Context, serial int) error {
		return write(ctx, clients[serial%len(clients)], serial)
	}
}

func load(do request) {
	begin := time.Now()
	begins := begin.Add(time.Duration(*warmup * float64(time.Second)))
	ends := begins.Add(time.Duration(*seconds * float64(time.Second)))
	requests := (*total + *batch - 1) / *batch
	if *total > 0 {
		begins, ends = begin, begin.Add(24*time.Hour)
	}
	result := outcome{}
	cpuBefore := 0.0
	measured := make(chan struct{})
	go func() {
		time.Sleep(time.Until(begins))
		cpuBefore = cpu()
		fmt.Println("measuring")
		close(measured)
	}()
	var serials, failures int64
	var mutex sync.Mutex
	last := begin
	attempt := func(serial int, started time.Time, samples *[]float64) {
		ctx, cancel := context.WithTimeout(context.Background(), requestTimeout)
		defer cancel()
		err := do(ctx, serial)
		now := time.Now()
		if err != nil {
			atomic.AddInt64(&failures, 1)
			mutex.Lock()
			result.FirstError = err.Error()
			mutex.Unlock()
			return
		}
		if now.After(begins) && (*rate > 0 || now.Before(ends)) {
			*samples = append(*samples, float64(now.Sub(started).Nanoseconds())/1e3)
		}
	}
	var group sync.WaitGroup
	collect := func(samples []float64) {
		mutex.Lock()
		result.LatenciesUs = append(result.LatenciesUs, samples...)
		last = time.Now()
		mutex.Unlock()
	}
	if *rate > 0 {
		room := make(chan struct{}, outstandingMax)
		interval := time.Duration(float64(time.Second) / *rate)
		for due := begin; due.Before(ends); due = due.Add(interval) {
			time.Sleep(time.Until(due))
			room <- struct{}{}
			group.Add(1)
			go func(started time.Time) {
				defer group.Done()
				var samples []float64
				attempt(int(atomic.AddInt64(&serials, 1)-1), started, &samples)
				collect(samples)
				<-room
			}(due)
		}
	} else {
		for i := 0; i < *inFlight; i++ {
			group.Add(1)
			go func() {
				defer group.Done()
				var samples []float64
				for time.Now().Before(ends) {
					serial := int(atomic.AddInt64(&serials, 1) - 1)
					if *total > 0 && serial >= requests {
						break
					}
					attempt(serial, time.Now(), &samples)
				}
				collect(samples)
			}()
		}
	}
	group.Wait()
	<-measured
	end := ends
	if *total > 0 || *rate > 0 {
		end = last
	}
	result.Requests = len(result.LatenciesUs)
	result.Records = result.Requests * *batch
	if *total > 0 && result.Records > *total {
		result.Records = *total
	}
	result.ElapsedS = end.Sub(begins).Seconds()
	result.Errors = failures
	result.ClientCPUS = cpu() - cpuBefore
	_ = json.NewEncoder(os.Stdout).Encode(result)
}

func probe() {
	client := connect(*endpoints)
	lines := bufio.NewScanner(os.Stdin)
	serial := 0
	for lines.Scan() {
		for {
			serial++
			ctx, cancel := context.WithTimeout(context.Background(), probeTimeout)
			err := write(ctx, client, serial)
			cancel()
			if err == nil {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		fmt.Printf("%.6f\n", float64(time.Now().UnixNano())/1e9)
	}
}

func main() {
	flag.Parse()
	switch *mode {
	case "probe":
		probe()
	case "background":
		background()
	case "load":
		if *writesFile != "" {
			given = readWrites(*writesFile)
		}
		load(writes())
	case "read":
		load(reads())
	case "call":
		load(calls())
	case "watch", "follow":
		watch()
	default:
		fail(fmt.Errorf("no mode %q", *mode))
	}
}
