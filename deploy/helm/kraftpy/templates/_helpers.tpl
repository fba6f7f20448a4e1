{{/* The first part of every name. A release that is called kraftpy has the names of deploy/kubernetes. */}}
{{- define "kraftpy.fullname" -}}
{{- $name := .Values.fullnameOverride | default (contains "kraftpy" .Release.Name | ternary .Release.Name (printf "%s-kraftpy" .Release.Name)) -}}
{{- if or (gt (len $name) 38) (not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name)) -}}
{{- fail (printf "the names of the pods would begin with %s: that is at most 38 lower-case letters, digits and hyphens, with a letter first; set fullnameOverride" $name) -}}
{{- end -}}
{{- $name -}}
{{- end -}}

{{/* What selects the pods of this release; with a component, those of one StatefulSet. */}}
{{- define "kraftpy.selector" -}}
app.kubernetes.io/name: kraftpy
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "kraftpy.labels" -}}
{{ include "kraftpy.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "kraftpy.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* The protocol of every port but the metrics. */}}
{{- define "kraftpy.protocol" -}}
{{- if .Values.sasl.enabled -}}
SASL_{{ ternary "SSL" "PLAINTEXT" .Values.tls.enabled }}
{{- else -}}
{{ ternary "SSL" "PLAINTEXT" .Values.tls.enabled }}
{{- end -}}
{{- end -}}

{{/* The addresses of the controllers' listener, comma-separated; of voters with their ids. */}}
{{- define "kraftpy.controllers" -}}
{{- $name := include "kraftpy.fullname" .root -}}
{{- $addresses := list -}}
{{- range $index := until (int .root.Values.controllers.replicas) -}}
{{- $address := printf "%s-controller-%d.%s-controllers:9093" $name $index $name -}}
{{- $addresses = append $addresses ($.ids | ternary (printf "%d@%s" $index $address) $address) -}}
{{- end -}}
{{- join "," $addresses -}}
{{- end -}}

{{- define "kraftpy.tlsSecret" -}}
{{- if .root.Values.tls.certManager.enabled -}}
{{ include "kraftpy.fullname" .root }}-{{ .component }}-tls
{{- else -}}
{{ get .root.Values.tls.existingSecrets (printf "%ss" .component) }}
{{- end -}}
{{- end -}}
