"""A real Helm, and a program that decodes manifests into Kubernetes' types; both are compiled from pinned modules.

``programs``  fetches and compiles them, and runs them on the chart
"""
