"""Pictures of the dashboards in ``deploy/monitoring``, without Grafana: ``python -m tests.interop.dashboard_pictures``.

Three controllers and three brokers run under a mixed load, a real Prometheus scrapes them, the active controller is
killed and comes back. Then the queries of each panel, read from the dashboard's file, are put to Prometheus, and drawn
where the file places the panel, with its title, unit and legend. The files that Grafana imports are shown, not Grafana.
In the end a broker is killed, and a browser shows the status page of the active controller, whole.

Reading order: ``panels`` (what a file asks for), ``observed_cluster`` (the cluster, its load and its fault),
``drawing``, ``status_page``, ``__main__``.
"""
