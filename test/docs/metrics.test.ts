import { test } from 'tap';
import { METRICS, type MetricRow, ProcessMetrics } from '../../gateway/index.js';
import { checkWrittenPage } from './written-page.js';

test('docs/metrics.md is the table of metrics, with those of Node', async (t) => {
  const own = Object.entries(METRICS).map(
    ([name, { type, labels, unit, meaning, whenOdd }]: readonly [string, MetricRow]) =>
      `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${unit} | ${meaning} | ${whenOdd} |`,
  );
  const library = ProcessMetrics.withNode()
    .registry.getMetricsAsArray()
    .map(({ name, help }) => `| \`${name}\` | ${help.replace(/\.$/, '')} |`);
  checkWrittenPage(
    t,
    'metrics.md',
    `# Metrics

\`GET /metrics\` answers in the text format of Prometheus. \`tenor serve\` and \`tenor gateway\` serve it on their own port,
\`tenor worker\` on \`TENOR_OPERATOR_PORT\`. Only the addresses of \`TENOR_OPERATORS\` can read it; others get 404.

Values of labels come from lists in the code (operations, statuses, error types, states, units, kinds of mass work). They never contain
input of a caller or personal data. \`packaging/prometheus/alerts.yaml\` has alerts on these metrics. \`npm run docs\` writes this page
from the tables in \`gateway/metrics/\`.

| Metric | Type | Labels | Unit | Meaning | What to look for |
|---|---|---|---|---|---|
${own.join('\n')}

## Metrics of Node.js

The names are those of prom-client. Look first at \`nodejs_eventloop_lag_p99_seconds\` (above 0.1 the process computes too long without a
pause), \`process_resident_memory_bytes\` and \`nodejs_gc_duration_seconds\`.

| Metric | Meaning |
|---|---|
${library.join('\n')}
`,
  );
});
