"""What monitors a cluster: rules and alerts for Prometheus, dashboards for Grafana.

``rules.yaml`` and ``scrape.yaml`` are written by hand; ``dashboards`` writes the dashboards' JSON.
"""
