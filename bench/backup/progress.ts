import { showProgress } from '../cli/progress.js';

/** Records of a journal that passes: a bar on a terminal, a line now and then elsewhere. */
export function recordsProgress(total: number): { update(records: number): void; stop(): void } {
  const startedAt = Date.now();
  const shown = showProgress({
    total,
    first: { records: 0, rate: 0 },
    format: '{bar} {percentage}% | {records} records | {rate}/s | {eta_formatted} left',
    line: (percent, { records }, { values, ms }) =>
      `${percent}%  ${records} records  ${Math.round(((records - values.records) * 1000) / ms)}/s`,
  });
  return {
    update: (records) => shown.update(records, { records, rate: Math.round((records * 1000) / Math.max(1, Date.now() - startedAt)) }),
    stop: () => shown.stop(),
  };
}
