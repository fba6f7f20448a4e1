// Manifests reads YAML documents from standard input and decodes each strictly into Kubernetes' own type for it, or that of
// the Prometheus operator or cert-manager: a field that the type does not have, or has twice, is an error. It prints each
// document's kind and name, or what is wrong with it, and fails if anything is.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	certmanager "github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1"
	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	decoder, err := strictDecoder()
	if err == nil {
		err = check(os.Stdin, decoder)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func strictDecoder() (runtime.Decoder, error) {
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, monitoring.AddToScheme, certmanager.AddToScheme} {
		if err := add(types); err != nil {
			return nil, err
		}
	}
	return serializer.NewCodecFactory(types, serializer.EnableStrict).UniversalDeserializer(), nil
}

func check(documents io.Reader, decoder runtime.Decoder) error {
	var problems []error
	reader := utilyaml.NewYAMLReader(bufio.NewReader(documents))
	for count := 1; ; count++ {
		document, err := reader.Read()
		if err == io.EOF {
			return errors.Join(problems...)
		}
		if err != nil {
			return fmt.Errorf("document %d: %w", count, err)
		}
		object, kind, err := decoder.Decode(document, nil, nil)
		if err != nil {
			problems = append(problems, fmt.Errorf("document %d (%v): %w", count, kind, err))
			continue
		}
		named, err := meta.Accessor(object)
		if err != nil {
			problems = append(problems, fmt.Errorf("document %d (%v): %w", count, kind, err))
			continue
		}
		fmt.Printf("%s/%s\n", kind.Kind, named.GetName())
	}
}
