package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"flag"
	"fmt"
	"strings"

	clientv3 "go.etcd.io/etcd/client/v3"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

var (
	serializable = flag.Bool("serializable", false, "reads of the answering node's state")
	path         = flag.String("path", "", "gRPC method of the calls")
	bodies       = flag.String("bodies", "", "requests of the calls, in hex: one,two,...")
	expected     = flag.String("expected", "", "what every answer must contain, in hex")
)

// raw leaves messages as they are, so that this program needs no code generated for another service.
type raw struct{}

func (raw) Marshal(message any) ([]byte, error) { return message.([]byte), nil }

func (raw) Unmarshal(data []byte, message any) error {
	*message.(*[]byte) = append([]byte(nil), data...)
	return nil
}

func (raw) Name() string { return "proto" }

// spread returns which address each connection goes to: all addresses in turn, a connection each at least.
func spread() []string {
	addresses := strings.Split(*endpoints, ",")
	found := make([]string, max(*connections, len(addresses)))
	for i := range found {
		found[i] = addresses[i%len(addresses)]
	}
	return found
}

func reads() request {
	var clients []*clientv3.Client
	for _, address := range spread() {
		clients = append(clients, connect(address))
	}
	var options []clientv3.OpOption
	if *serializable {
		options = append(options, clientv3.WithSerializable())
	}
	return func(ctx context.Context, serial int) error {
		key := fmt.Sprintf("bench-%07d", serial%*names)
		answer, err := clients[serial%len(clients)].Get(ctx, key, options...)
		if err == nil && (len(answer.Kvs) != 1 || len(answer.Kvs[0].Value) != *valueBytes) {
			err = fmt.Errorf("%s has %d values", key, len(answer.Kvs))
		}
		return err
	}
}

func dial() []*grpc.ClientConn {
	var found []*grpc.ClientConn
	for _, address := range spread() {
		connection, err := grpc.Dial(
			address,
			grpc.WithTransportCredentials(insecure.NewCredentials()),
			grpc.WithDefaultCallOptions(grpc.ForceCodec(raw{}), grpc.MaxCallRecvMsgSize(64<<20)),
		)
		if err != nil {
			fail(err)
		}
		found = append(found, connection)
	}
	return found
}

func unhex(text string) []byte {
	found, err := hex.DecodeString(text)
	if err != nil {
		fail(err)
	}
	return found
}

func calls() request {
	connections, wanted := dial(), unhex(*expected)
	var messages [][]byte
	for _, body := range strings.Split(*bodies, ",") {
		messages = append(messages, unhex(body))
	}
	return func(ctx context.Context, serial int) error {
		var answer []byte
		connection := connections[serial%len(connections)]
		err := connection.Invoke(ctx, *path, messages[serial%len(messages)], &answer)
		if err == nil && !bytes.Contains(answer, wanted) {
			err = fmt.Errorf("an answer of %d bytes without what was written", len(answer))
		}
		return err
	}
}
