"""The peers: etcd and ZooKeeper from the distribution's packages, three nodes each on loopback, fsync on."""
