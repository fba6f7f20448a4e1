// The dashboards and rules of this directory as a mixin, for those who keep their monitoring in jsonnet (0.18 or newer):
//
//   jsonnet -S -e 'std.manifestYamlDoc((import "mixin.libsonnet").prometheusAlerts)' > alerts.yaml
//   jsonnet -S -e 'std.manifestYamlDoc((import "mixin.libsonnet").prometheusRules)' > rules.yaml
//   jsonnet -m dashboards -e '(import "mixin.libsonnet").grafanaDashboards'
//
// Nothing is stated here: what there is comes from rules.yaml, quorum.json and cluster.json, and changes with them.

local groups = std.parseYaml(importstr 'rules.yaml').groups;

// The groups with those of their rules that have a key; none without rules.
local having(key) = [
  group { rules: rules }
  for group in groups
  for rules in [[rule for rule in group.rules if std.objectHas(rule, key)]]
  if rules != []
];

{
  _config+:: {
    // Comes before the runbook_url of each alert, which is a path in the repository: an address that ends with a slash.
    runbookPrefix: '',
  },

  local prefix = $._config.runbookPrefix,

  grafanaDashboards+:: {
    'kraftpy-quorum.json': import 'quorum.json',
    'kraftpy-cluster.json': import 'cluster.json',
  },

  prometheusAlerts+:: {
    groups+: [
      group { rules: [rule { annotations+: { runbook_url: prefix + super.runbook_url } } for rule in group.rules] }
      for group in having('alert')
    ],
  },

  prometheusRules+:: {
    groups+: having('record'),
  },
}
