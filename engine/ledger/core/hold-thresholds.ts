import type { ThresholdsHeld, ThresholdsReleased } from './facts.js';

/** What of a ledger says whether days overdue do anything. */
interface Held {
  thresholdHolders: readonly string[];
}

/** Whether the thresholds wait: as long as anyone holds them. */
export const areThresholdsHeld = ({ thresholdHolders }: Readonly<Held>): boolean => thresholdHolders.length > 0;

/** Who holds the thresholds twice holds them once. */
export function holdThresholds(state: Held, { holder }: ThresholdsHeld): void {
  if (!state.thresholdHolders.includes(holder)) state.thresholdHolders = [...state.thresholdHolders, holder];
}

/** The daily job of the next day checks again, once nobody else holds them. */
export function releaseThresholds(state: Held, { holder }: ThresholdsReleased): void {
  state.thresholdHolders = state.thresholdHolders.filter((other) => other !== holder);
}
