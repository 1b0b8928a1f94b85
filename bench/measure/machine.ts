import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly processors: number;
  readonly memoryGB: number;
  readonly system: string;
  readonly node: string;
  /** Of the last minute, before the run: above the number of processors, others were at work. */
  readonly loadBefore: number;
  readonly commit: string | null;
}

export function machine(): Machine {
  const all = cpus();
  return {
    processor: all[0]?.model ?? 'unknown',
    processors: all.length,
    memoryGB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    loadBefore: Number((loadavg()[0] ?? 0).toFixed(1)),
    commit: commit(),
  };
}

/** The revision that was measured; null outside of a checkout. */
function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null; // no git, or an archive without its history
  }
}
