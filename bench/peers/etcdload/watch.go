package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
)

var (
	watchers = flag.Int("watchers", 1, "watchers")
	mark     = flag.String("mark", "written-at-", "what the time of a write stands behind in its value, in us")
)

const (
	timeDigits    = 16
	sampledEveryN = 16
	quiet         = time.Second
	graceMax      = 10 * time.Second
)

type watched struct {
	Received   int       `json:"received"`
	Silent     int       `json:"silent"`
	LagsUs     []float64 `json:"lags_us"`
	ClientCPUS float64   `json:"client_cpu_s"`
	ElapsedS   float64   `json:"elapsed_s"`
	FirstError string    `json:"first_error"`
}

// watcher counts what was written in the measured time and reaches one watch, and keeps the lag of some.
type watcher struct {
	received atomic.Int64
	lags     []float64
}

func (w *watcher) take(data []byte, begins, ends int64) {
	now := time.Now().UnixMicro()
	for {
		at := bytes.Index(data, []byte(*mark))
		if at < 0 || len(data) < at+len(*mark)+timeDigits {
			return
		}
		data = data[at+len(*mark):]
		written, err := strconv.ParseInt(string(data[:timeDigits]), 10, 64)
		if err != nil || written < begins || written > ends {
			continue
		}
		if w.received.Add(1)%sampledEveryN == 1 {
			w.lags = append(w.lags, float64(now-written))
		}
	}
}

func watch() {
	all := make([]watcher, *watchers)
	result := watched{}
	var mutex sync.Mutex
	broken := func(err error) {
		mutex.Lock()
		result.FirstError = err.Error()
		mutex.Unlock()
	}
	ctx, cancel := context.WithCancel(context.Background())
	var started, ended sync.WaitGroup
	started.Add(*watchers)
	ended.Add(*watchers)
	var begins, ends time.Time
	ready := make(chan struct{})
	follow := followers(ctx)
	for i := range all {
		go func(one *watcher, number int) {
			defer ended.Done()
			next, err := follow(number)
			started.Done()
			<-ready
			for err == nil {
				var data [][]byte
				if data, err = next(); err == nil {
					for _, each := range data {
						one.take(each, begins.UnixMicro(), ends.UnixMicro())
					}
				}
			}
			if ctx.Err() == nil {
				broken(err)
			}
		}(&all[i], i)
	}
	started.Wait()
	begins = time.Now().Add(time.Duration(*warmup * float64(time.Second)))
	ends = begins.Add(time.Duration(*seconds * float64(time.Second)))
	close(ready)
	fmt.Println("watching")
	time.Sleep(time.Until(begins))
	before := cpu()
	fmt.Println("measuring")
	time.Sleep(time.Until(ends))
	result.ClientCPUS = cpu() - before
	result.ElapsedS = *seconds
	fmt.Println("measured")
	drain(all)
	cancel()
	ended.Wait()
	for i := range all {
		received := int(all[i].received.Load())
		result.Received += received
		result.LagsUs = append(result.LagsUs, all[i].lags...)
		if received == 0 {
			result.Silent++
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(result)
}

// drain waits until nothing has come for a while: what comes late is as much a part of the result.
func drain(all []watcher) {
	for began, last, since := time.Now(), int64(-1), time.Now(); time.Since(began) < graceMax; {
		total := int64(0)
		for i := range all {
			total += all[i].received.Load()
		}
		if total != last {
			last, since = total, time.Now()
		} else if time.Since(since) > quiet {
			return
		}
		time.Sleep(quiet / 10)
	}
}

// followers returns what starts one watch; that returns what waits for the next data.
func followers(ctx context.Context) func(number int) (func() ([][]byte, error), error) {
	if *mode == "watch" {
		var clients []*clientv3.Client
		for _, address := range spread() {
			clients = append(clients, connect(address))
		}
		return func(number int) (func() ([][]byte, error), error) {
			events := clients[number%len(clients)].Watch(
				ctx, "bench-", clientv3.WithPrefix(), clientv3.WithCreatedNotify(),
			)
			<-events
			return func() ([][]byte, error) {
				answer, open := <-events
				if !open {
					return nil, fmt.Errorf("the watch ended")
				}
				var data [][]byte
				for _, event := range answer.Events {
					data = append(data, event.Kv.Value)
				}
				return data, answer.Err()
			}, nil
		}
	}
	connections, body := dial(), unhex(*bodies)
	return func(number int) (func() ([][]byte, error), error) {
		description := &grpc.StreamDesc{ServerStreams: true}
		stream, err := connections[number%len(connections)].NewStream(ctx, description, *path)
		if err != nil {
			return nil, err
		}
		if err = stream.SendMsg(body); err == nil {
			err = stream.CloseSend()
		}
		if err == nil {
			_, err = stream.Header()
		}
		return func() ([][]byte, error) {
			var data []byte
			err := stream.RecvMsg(&data)
			return [][]byte{data}, err
		}, err
	}
}
