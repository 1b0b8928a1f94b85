import { type EngineParts, Refusal } from '../../actors/index.js';
import { JournalFenced } from '../../persistence/index.js';
import type { ScenarioParts } from './scenario.js';
import type { SimProcess } from './virtual-time.js';

/** Whether a failure comes from a fault of the simulated disk. */
export function isInjected(cause: unknown): boolean {
  if (cause instanceof AggregateError && cause.errors.some(isInjected)) return true;
  if (!(cause instanceof Error)) return false;
  return cause.message.includes('simulated') || isInjected(cause.cause);
}

/** Handles the reports of an engine: a bug ends the run, unless a damaged record of the snapshots is its cause. */
export function listen(parts: ScenarioParts, process: SimProcess, onDamage: () => void): EngineParts['report'] {
  return (level, message, details) => {
    parts.trace(`${process.name} ${level}: ${message} ${JSON.stringify(details ?? {}).slice(0, 300)}`);
    const cause = String(details?.['cause'] ?? '');
    if (cause.includes('JournalDamaged')) onDamage();
    const isBug = message.startsWith('A bug') && !cause.includes('DamagedRecord') && !cause.includes('JournalDamaged');
    const isUnfit = message.startsWith('A unit cannot be ') && /StreamDamaged|JournalShortened|JournalDiverged|Bug:/.test(cause);
    if (isBug || isUnfit || message.startsWith('The leases of this worker')) parts.fail(new Error(`${process.name} has a bug: ${cause}`));
  };
}

/** A snapshot may fail without harm when its memory is discarded, the disk has a fault, or nothing can be written any more. */
export const mayFailSnapshot = (cause: unknown): boolean =>
  isInjected(cause) ||
  cause instanceof JournalFenced ||
  (cause instanceof Error && cause.name === 'Retired') ||
  (cause instanceof Refusal && cause.errorType === 'unavailable');
