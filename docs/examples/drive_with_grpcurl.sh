#!/bin/sh
# Create a topic, set one of its configs, and read it back, with grpcurl (https://github.com/fullstorydev/grpcurl).
#
#     sh docs/examples/drive_with_grpcurl.sh ADDRESS [TOPIC]
#
# No .proto file is needed: every node serves reflection. ADDRESS is the public API of the active controller; another
# node refuses a write with NOT_CONTROLLER and a LeaderHint, which has the address to call.
set -eu

address=${1:?the address of the active controller, host:port}
topic=${2:-example}

# call METHOD MESSAGE: one call; the message is JSON, and so is the response.
call() {
    grpcurl -plaintext -max-time 30 -d "$2" "$address" "kraftpy.v1.$1"
}

# What the server offers. `describe` has the fields of every message.
grpcurl -plaintext "$address" list kraftpy.v1.AdminService
grpcurl -plaintext "$address" describe kraftpy.v1.NewTopic

# A response has one result per topic. A result with an `error` failed, while the call itself succeeds.
call AdminService/CreateTopics '{"topics": [{"name": "'"$topic"'", "partitions": 3, "replication_factor": 1}]}'

written=$(call AdminService/IncrementalAlterConfigs '{"resources": [{
    "resource": {"type": "TOPIC", "name": "'"$topic"'"},
    "alterations": [{"name": "retention.ms", "op": "SET", "value": "86400000"}]
}]}')
echo "$written"

# The read names the offset of the write, so that a node that has not reached it waits.
offset=$(echo "$written" | sed -n 's/.*"offset": "\([0-9]*\)".*/\1/p')
call ClusterService/DescribeConfigs '{
    "resources": [{"type": "TOPIC", "name": "'"$topic"'"}],
    "read": {"min_offset": '"$offset"'}
}'
