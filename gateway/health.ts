import type { Registry } from 'prom-client';
import { json, type Page } from './pages.js';

/** What the parts behind the gateway say of themselves. */
export interface Readiness {
  readonly ready: boolean;
  /** A word for each part, for the operator: `{ journal: 'writable' }`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** `/health/live`: the process answers. `/health/ready`: it can take writes. */
export function healthPages(readiness: () => Readiness, isDraining: () => boolean): readonly Page[] {
  return [
    { path: '/health/live', respond: () => json(200, { status: 'live' }) },
    {
      path: '/health/ready',
      respond: () => {
        const { ready, parts } = readiness();
        if (isDraining()) return json(503, { status: 'draining', parts });
        return json(ready ? 200 : 503, { status: ready ? 'ready' : 'notReady', parts });
      },
    },
  ];
}

/** `/metrics`, for operators, in the text format of Prometheus. */
export function metricsPage(registry: Registry): Page {
  return {
    path: '/metrics',
    isForOperators: true,
    respond: async () => ({ status: 200, headers: { 'Content-Type': registry.contentType }, body: await registry.metrics() }),
  };
}
