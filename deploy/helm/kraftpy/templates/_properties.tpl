{{/* One line of a properties file for each key: those of the chart, then the user's, which may not replace them. */}}
{{- define "kraftpy.lines" -}}
{{- range $key, $value := .own }}
{{ $key }}={{ $value }}
{{- end }}
{{- range $key, $value := .extra }}
{{- if hasKey $.own $key }}
{{- fail (printf "%s.properties: %s is set by the chart, to %s: look for the value that it comes from in values.yaml" $.where $key (get $.own $key)) }}
{{- end }}
{{- if has $key (list "node.id" "broker.id" "advertised.listeners" "grpc.advertised.listener") }}
{{- fail (printf "%s.properties: %s differs from pod to pod, and the chart sets it" $.where $key) }}
{{- end }}
{{ $key }}={{ $value }}
{{- end }}
{{- end -}}

{{/* What controllers and brokers have in common, as YAML. */}}
{{- define "kraftpy.commonProperties" -}}
{{- $values := .root.Values -}}
controller.listener.names: CONTROLLER
log.level: {{ $values.log.level }}
log.format: {{ $values.log.format }}
{{- with $values.clusterId }}
cluster.id.expected: {{ . | quote }}
{{- end }}
{{- if $values.tls.enabled }}
ssl.keystore.location: /etc/kraftpy-tls/{{ $values.tls.keys.pair }}
ssl.truststore.location: /etc/kraftpy-tls/{{ $values.tls.keys.authorities }}
{{- if $values.sasl.enabled }}
{{- /* The key without a listener is not for SASL_SSL (KIP-684). */}}
{{- range .listeners }}
listener.name.{{ . }}.ssl.client.auth: {{ $values.tls.clientAuth }}
{{- end }}
{{- else }}
ssl.client.auth: {{ $values.tls.clientAuth }}
{{- end }}
{{- end }}
{{- if $values.sasl.enabled }}
sasl.enabled.mechanisms: {{ $values.sasl.mechanism }}
sasl.mechanism.controller.protocol: {{ $values.sasl.mechanism }}
{{- end }}
{{- with $values.authorizer.superUsers }}
authorizer.class.name: org.apache.kafka.metadata.authorizer.StandardAuthorizer
super.users: {{ join ";" . | quote }}
{{- end }}
{{- end -}}

{{- define "kraftpy.controllerProperties" -}}
{{- $values := .Values -}}
{{- $protocol := include "kraftpy.protocol" . -}}
{{- $own := include "kraftpy.commonProperties" (dict "root" . "listeners" (list "controller" "grpc")) | fromYaml -}}
{{- $own = merge $own (dict "process.roles" "controller" "log.dirs" "/var/lib/kraftpy/controller") -}}
{{- $_ := set $own "listeners" (printf "CONTROLLER://%s:9093" $values.listenHost) -}}
{{- $_ := set $own "grpc.listener" (printf "%s:9193" $values.listenHost) -}}
{{- $_ := set $own "metrics.listener" (printf "%s:9293" $values.listenHost) -}}
{{- if $values.controllers.dynamicVoters -}}
{{- $_ := set $own "controller.quorum.bootstrap.servers" (include "kraftpy.controllers" (dict "root" . "ids" false)) -}}
{{- $_ := set $own "controller.quorum.auto.join.enable" "true" -}}
{{- else -}}
{{- $_ := set $own "controller.quorum.voters" (include "kraftpy.controllers" (dict "root" . "ids" true)) -}}
{{- end -}}
{{- if ne $protocol "PLAINTEXT" -}}
{{- $_ := set $own "listener.security.protocol.map" (printf "CONTROLLER:%s" $protocol) -}}
{{- $_ := set $own "grpc.security.protocol" $protocol -}}
{{- end -}}
{{- include "kraftpy.lines" (dict "own" $own "extra" $values.controllers.properties "where" "controllers") -}}
{{- end -}}

{{- define "kraftpy.brokerProperties" -}}
{{- $values := .Values -}}
{{- $protocol := include "kraftpy.protocol" . -}}
{{- $own := include "kraftpy.commonProperties" (dict "root" . "listeners" (list "controller" (lower $protocol))) | fromYaml -}}
{{- $own = merge $own (dict "process.roles" "broker" "log.dirs" "/var/lib/kraftpy/broker") -}}
{{- $_ := set $own "listeners" (printf "%s://%s:9092" $protocol $values.listenHost) -}}
{{- $_ := set $own "inter.broker.listener.name" $protocol -}}
{{- $_ := set $own "metrics.listener" (printf "%s:9292" $values.listenHost) -}}
{{- $_ := set $own "controller.quorum.bootstrap.servers" (include "kraftpy.controllers" (dict "root" . "ids" false)) -}}
{{- if ne $protocol "PLAINTEXT" -}}
{{- $_ := set $own "listener.security.protocol.map" (printf "CONTROLLER:%s,%s:%s" $protocol $protocol $protocol) -}}
{{- end -}}
{{- include "kraftpy.lines" (dict "own" $own "extra" $values.brokers.properties "where" "brokers") -}}
{{- end -}}
