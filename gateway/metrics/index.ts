export { HttpMetrics } from './http-metrics.js';
export { ProcessMetrics } from './process-metrics.js';
export { recently } from './register.js';
export { type MetricRow, METRICS } from './table.js';
