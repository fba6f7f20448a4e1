{{/* What a schema cannot say: values that do not fit together, and keys of a file that are not the user's. */}}
{{- define "kraftpy.check" -}}
{{- $values := .Values -}}
{{- $tls := $values.tls -}}
{{- if and $values.controllers.dynamicVoters .Release.IsInstall -}}
{{- fail "controllers.dynamicVoters is for a running cluster: install without it, run kraftpy features upgrade --feature kraft.version=1, then upgrade the release with it" -}}
{{- end -}}
{{- if not $values.controllers.dynamicVoters -}}
{{- $wanted := printf "controller.quorum.voters=%s" (include "kraftpy.controllers" (dict "root" . "ids" true)) -}}
{{- $there := lookup "v1" "ConfigMap" .Release.Namespace (printf "%s-controller" (include "kraftpy.fullname" .)) -}}
{{- $used := dig "data" "controller.properties" "" $there | regexFind "controller\\.quorum\\.voters=.*" -}}
{{- if and $used (ne $used $wanted) -}}
{{- fail (printf "the running quorum has %s, and these values make it %s: two sets of voters may elect two leaders. Keep controllers.replicas, or move the voters into the log first (docs/deploy.md, More controllers)" $used $wanted) -}}
{{- end -}}
{{- end -}}
{{- if and $tls.certManager.enabled (not $tls.enabled) -}}
{{- fail "tls.certManager.enabled has no effect without tls.enabled: set both, or none" -}}
{{- end -}}
{{- if $tls.enabled -}}
{{- if $tls.certManager.enabled -}}
{{- if or $tls.existingSecrets.controllers $tls.existingSecrets.brokers -}}
{{- fail "tls.existingSecrets and tls.certManager.enabled are both set: certificates come from one of them" -}}
{{- end -}}
{{- if not $tls.certManager.issuer.name -}}
{{- fail "tls.certManager.issuer.name is empty: name the issuer that signs the certificates" -}}
{{- end -}}
{{- else -}}
{{- if not $tls.existingSecrets.controllers -}}
{{- fail "tls.enabled needs certificates: name a Secret in tls.existingSecrets.controllers, or set tls.certManager.enabled" -}}
{{- end -}}
{{- if and $values.brokers.enabled (not $tls.existingSecrets.brokers) -}}
{{- fail "tls.enabled needs certificates of the brokers: name a Secret in tls.existingSecrets.brokers" -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if $values.sasl.enabled -}}
{{- if not $values.sasl.existingSecret -}}
{{- fail "sasl.enabled needs passwords: name a Secret in sasl.existingSecret" -}}
{{- end -}}
{{- if and (hasPrefix "SCRAM" $values.sasl.mechanism) (not $values.clusterId) -}}
{{- fail (printf "%s needs clusterId: each controller is formatted with the user of the nodes (kraftpy storage random-uuid makes an id)" $values.sasl.mechanism) -}}
{{- end -}}
{{- end -}}
{{- range $component := list "controllers" "brokers" -}}
{{- range $key, $value := get (get $values $component) "properties" -}}
{{- if regexMatch "password|jaas|secret" (lower $key) -}}
{{- fail (printf "%s.properties: %s is a secret, which a ConfigMap shows: it belongs in the Secret of sasl.existingSecret" $component $key) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
