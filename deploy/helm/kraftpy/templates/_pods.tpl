{{/* What the StatefulSets of controllers and brokers have in common. Each takes root, component and values. */}}

{{- define "kraftpy.statefulSetSpec" -}}
podManagementPolicy: Parallel
updateStrategy:
  type: RollingUpdate
# A volume has acknowledged writes. It is kept, and deleted by an operator alone.
persistentVolumeClaimRetentionPolicy:
  whenDeleted: Retain
  whenScaled: Retain
selector:
  matchLabels:
    {{- include "kraftpy.selector" . | nindent 4 }}
{{- end -}}

{{- define "kraftpy.podMetadata" -}}
{{- $annotations := dict "checksum/config" (.properties | sha256sum) -}}
{{- if not .root.Values.monitoring.podMonitor.enabled -}}
{{- $scrape := dict "prometheus.io/scrape" "true" "prometheus.io/port" .metricsPort "prometheus.io/path" "/metrics" -}}
{{- $annotations = merge $annotations $scrape -}}
{{- end -}}
labels:
  {{- include "kraftpy.selector" . | nindent 2 }}
annotations:
  {{- merge $annotations .values.podAnnotations | toYaml | nindent 2 }}
{{- end -}}

{{- define "kraftpy.podSpec" -}}
# The node does not call the API of Kubernetes.
automountServiceAccountToken: false
# Kubernetes would set variables named after each Service, such as KRAFTPY_PORT.
enableServiceLinks: false
# SIGTERM hands over what the node leads and closes the log in order. A slow disk gets its time.
terminationGracePeriodSeconds: 90
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if eq .values.antiAffinity "required" }}
affinity:
  podAntiAffinity:
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "kraftpy.selector" . | nindent 12 }}
{{- else if eq .values.antiAffinity "preferred" }}
affinity:
  podAntiAffinity:
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- include "kraftpy.selector" . | nindent 14 }}
{{- end }}
{{- with .values.zoneTopologyKey }}
topologySpreadConstraints:
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: {{ $.values.whenUnsatisfiable }}
    labelSelector:
      matchLabels:
        {{- include "kraftpy.selector" $ | nindent 8 }}
{{- end }}
{{ include "kraftpy.podSecurity" . }}
{{- if .root.Values.sasl.enabled }}
{{ include "kraftpy.initContainers" . }}
{{- end }}
{{- end -}}

{{- define "kraftpy.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  # Any user can run the image. The group owns the files of the volume.
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- end -}}

{{- define "kraftpy.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop:
      - ALL
{{- end -}}

{{/* With SASL the file has passwords: settings of the ConfigMap and lines of the Secret, joined in memory. */}}
{{- define "kraftpy.initContainers" -}}
{{- $values := .root.Values -}}
{{- $file := printf "%s.properties" .component -}}
initContainers:
  - name: settings
    image: {{ include "kraftpy.image" .root }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    command:
      - sh
      - -c
      - umask 077 && cat /etc/kraftpy-settings/{{ $file }} /etc/kraftpy-passwords/{{ $file }} > /etc/kraftpy/{{ $file }}
    {{- include "kraftpy.containerSecurity" . | nindent 4 }}
    volumeMounts:
      - name: settings
        mountPath: /etc/kraftpy-settings
        readOnly: true
      - name: passwords
        mountPath: /etc/kraftpy-passwords
        readOnly: true
      - name: config
        mountPath: /etc/kraftpy
  {{- if and (eq .component "controller") (hasPrefix "SCRAM" $values.sasl.mechanism) }}
  # Controllers cannot elect a leader before they authenticate each other: each starts with the user of the nodes.
  - name: format
    image: {{ include "kraftpy.image" .root }}
    imagePullPolicy: {{ $values.image.pullPolicy }}
    args:
      - storage
      - format
      - --ignore-formatted
      - --config
      - /etc/kraftpy/controller.properties
      - --override
      - node.id=$(POD_INDEX)
      - --cluster-id
      - {{ $values.clusterId | quote }}
      - --add-scram
      - $(SCRAM)
    env:
      {{- include "kraftpy.podIndex" . | nindent 6 }}
      - name: SCRAM
        valueFrom:
          secretKeyRef:
            name: {{ $values.sasl.existingSecret }}
            key: scram
    {{- include "kraftpy.containerSecurity" . | nindent 4 }}
    volumeMounts:
      {{- include "kraftpy.volumeMounts" . | nindent 6 }}
  {{- end }}
{{- end -}}

{{- define "kraftpy.podIndex" -}}
- name: POD_INDEX
  valueFrom:
    fieldRef:
      fieldPath: metadata.labels['apps.kubernetes.io/pod-index']
{{- end -}}

{{- define "kraftpy.environment" -}}
{{ include "kraftpy.podIndex" . }}
- name: POD_NAME
  valueFrom:
    fieldRef:
      fieldPath: metadata.name
- name: POD_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
# For commands by `kubectl exec`: every controller, ready or not.
- name: KRAFTPY_BOOTSTRAP_CONTROLLER
  value: {{ include "kraftpy.fullname" .root }}-controllers:9193
{{- end -}}

{{- define "kraftpy.probes" -}}
# The port opens when the log is open. /readyz would be wrong here: without a majority no node is ready, and restarting the
# others does not help.
startupProbe:
  httpGet:
    path: /livez
    port: metrics
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 120
readinessProbe:
  httpGet:
    path: /readyz
    port: metrics
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
# The process works. It stays so while the node catches up, and without a leader.
livenessProbe:
  httpGet:
    path: /livez
    port: metrics
  periodSeconds: 10
  timeoutSeconds: 10
  failureThreshold: 6
{{- end -}}

{{- define "kraftpy.volumeMounts" -}}
- name: data
  mountPath: /var/lib/kraftpy
- name: config
  mountPath: /etc/kraftpy
  readOnly: true
- name: tmp
  mountPath: /tmp
{{- if .root.Values.tls.enabled }}
- name: tls
  mountPath: /etc/kraftpy-tls
  readOnly: true
{{- end }}
{{- end -}}

{{- define "kraftpy.volumes" -}}
{{- $configMap := printf "%s-%s" (include "kraftpy.fullname" .root) .component -}}
{{- if .root.Values.sasl.enabled }}
- name: settings
  configMap:
    name: {{ $configMap }}
- name: passwords
  secret:
    secretName: {{ .root.Values.sasl.existingSecret }}
    items:
      - key: {{ .component }}.properties
        path: {{ .component }}.properties
- name: config
  emptyDir:
    medium: Memory
    sizeLimit: 1Mi
{{- else }}
- name: config
  configMap:
    name: {{ $configMap }}
{{- end }}
# The only place for a support bundle: the root file system is read-only.
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- if .root.Values.tls.enabled }}
- name: tls
  secret:
    secretName: {{ include "kraftpy.tlsSecret" . }}
{{- end }}
{{- end -}}

{{- define "kraftpy.volumeClaim" -}}
- metadata:
    name: data
    labels:
      {{- include "kraftpy.selector" . | nindent 6 }}
  spec:
    accessModes:
      - ReadWriteOnce
    {{- with .values.storage.className }}
    storageClassName: {{ . }}
    {{- end }}
    resources:
      requests:
        storage: {{ .values.storage.size }}
{{- end -}}
