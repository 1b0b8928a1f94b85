import { test } from 'tap';
import { METRICS, type MetricRow, ProcessMetrics } from '../../gateway/index.js';
import { checkWrittenPage } from './written-page.js';

test('docs/metrics.md is the table of metrics, with those of Node', async (t) => {
  const own = Object.entries(METRICS).map(
    ([name, { type, labels, unit, meaning, whenOdd }]: readonly [string, MetricRow]) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${unit} | ${meaning} | ${whenOdd} |`,
  );
  const library = new ProcessMetrics().registry.getMetricsAsArray().map(({ name, help }) => `| \`${name}\` | ${help.replace(/\.$/, '')} |`);
  checkWrittenPage(
    t,
    'metrics.md',
    `# Metrics

\`GET /metrics\` in the text format of Prometheus: of \`tenor serve\` and \`tenor gateway\` on their own port, of \`tenor worker\` on \`TENOR_OPERATOR_PORT\`. It answers the addresses of \`TENOR_OPERATORS\`; to others it is not there.
Labels take words from lists in the code (operations, statuses, error types, states, units, kinds of mass work), never what a caller has sent and never personal data. Alerts on them are in \`packaging/prometheus/alerts.yaml\`.
This page is made from \`gateway/metrics/table.ts\` by \`npm run docs\`.

| Metric | Type | Labels | Unit | Meaning | When it is odd |
|---|---|---|---|---|---|
${own.join('\n')}

## Of Node

As prom-client names them. At night the first look goes to \`nodejs_eventloop_lag_p99_seconds\` (above 0.1 the process computes more than it should in one go), \`process_resident_memory_bytes\` and \`nodejs_gc_duration_seconds\`.

| Metric | Meaning |
|---|---|
${library.join('\n')}
`,
  );
});
