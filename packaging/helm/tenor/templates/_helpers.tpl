{{- define "tenor.labels" -}}
app.kubernetes.io/name: tenor
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tenor.settings" -}}
- name: TENOR_NODE
  valueFrom: { fieldRef: { fieldPath: metadata.name } }
- name: TENOR_NATS
  value: {{ .Values.nats.url | quote }}
- name: TENOR_CLUSTER
  value: {{ .Values.nats.cluster | quote }}
- name: TENOR_MASTER_KEY
  valueFrom: { secretKeyRef: { name: {{ .Values.masterKey.secretName | quote }}, key: {{ .Values.masterKey.secretKey | quote }} } }
- name: TENOR_OPERATORS
  value: {{ .Values.operators | quote }}
- name: TENOR_TRUSTED_PROXIES
  value: {{ .Values.trustedProxies | quote }}
- name: TENOR_LOG
  value: {{ .Values.logLevel | quote }}
{{- end }}

{{- define "tenor.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "tenor.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "tenor.spread" -}}
- maxSkew: 1
  topologyKey: kubernetes.io/hostname
  whenUnsatisfiable: ScheduleAnyway
{{- end }}
