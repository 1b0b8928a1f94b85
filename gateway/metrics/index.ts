export { HttpMetrics } from './http-metrics.js';
export { ProcessMetrics } from './process-metrics.js';
export { type Readings, recently } from './register.js';
export { type MetricName, type MetricRow, METRICS } from './table.js';
