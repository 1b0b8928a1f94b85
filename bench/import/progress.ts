import { showProgress } from '../cli/progress.js';

export interface Progress {
  update(bytes: number, rows: number, refused: number): void;
  stop(): void;
}

export const noProgress: Progress = { update: () => undefined, stop: () => undefined };

/** How far a file is booked. */
export function progressOf(totalBytes: number): Progress {
  const startedAt = Date.now();
  const shown = showProgress({
    total: totalBytes,
    first: { rows: 0, refused: 0, rate: 0 },
    format: '{bar} {percentage}% | {rows} rows | {refused} refused | {rate} rows/s | {eta_formatted} left',
    line: (percent, { rows, refused }, { values, ms }) =>
      `${percent}%  ${rows} rows  ${refused} refused  ${Math.round(((rows - values.rows) * 1000) / ms)} rows/s`,
  });
  return {
    update: (bytes, rows, refused) =>
      shown.update(bytes, { rows, refused, rate: Math.round((rows * 1000) / Math.max(1, Date.now() - startedAt)) }),
    stop: () => shown.stop(),
  };
}
