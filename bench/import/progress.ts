import { Presets, SingleBar } from 'cli-progress';
import { LIMITS } from './limits.js';

export interface Progress {
  update(bytes: number, rows: number, refused: number): void;
  stop(): void;
}

/** A bar on a terminal, a line every ten seconds elsewhere, on stderr. */
export function progressOf(totalBytes: number): Progress {
  return process.stderr.isTTY ? bar(totalBytes) : lines(totalBytes);
}

export const noProgress: Progress = { update: () => undefined, stop: () => undefined };

function bar(totalBytes: number): Progress {
  const shown = new SingleBar(
    { format: '{bar} {percentage}% | {rows} rows | {refused} refused | {rate} rows/s | {eta_formatted} left', hideCursor: true, stream: process.stderr },
    Presets.shades_classic,
  );
  const startedAt = Date.now();
  shown.start(totalBytes, 0, { rows: 0, refused: 0, rate: 0 });
  return {
    update: (bytes, rows, refused) => shown.update(bytes, { rows, refused, rate: Math.round((rows * 1000) / Math.max(1, Date.now() - startedAt)) }),
    stop: () => shown.stop(),
  };
}

function lines(totalBytes: number): Progress {
  let lastAt = Date.now();
  let lastRows = 0;
  return {
    update(bytes, rows, refused) {
      const now = Date.now();
      if (now - lastAt < LIMITS.progressEveryMs) return;
      const rate = Math.round(((rows - lastRows) * 1000) / (now - lastAt));
      process.stderr.write(`${Math.floor((bytes * 100) / totalBytes)}%  ${rows} rows  ${refused} refused  ${rate} rows/s\n`);
      lastAt = now;
      lastRows = rows;
    },
    stop: () => undefined,
  };
}
