{{- define "linchpin.name" -}}{{ printf "%s" .Release.Name | trunc 52 | trimSuffix "-" }}{{- end -}}
{{- define "linchpin.labels" -}}
app.kubernetes.io/name: linchpin
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}
{{- define "linchpin.selector" -}}
app.kubernetes.io/name: linchpin
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}
