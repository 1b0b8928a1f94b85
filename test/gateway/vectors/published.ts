import { vectorsOf } from '../../shared.js';
import type { Step } from '../../engine/ledger/scheduled/play-vector.js';

/** A published vector that can be played with a loan, in the terms of its source. */
export interface PublishedVector {
  readonly id: string;
  readonly kind: Kind;
  readonly title: string;
  readonly loan: Readonly<Record<string, unknown>>;
  readonly steps?: readonly Step[];
  readonly expected?: Readonly<Record<string, unknown>>;
  /** Conventions in addition to those of the contract (`conventions.json`). */
  readonly needs?: readonly string[];
}

type Kind = 'ledger' | 'waterfall' | 'schedule';

const FILES = ['schedules.json', 'ledger.json', 'waterfall.json', 'conventions.json'] as const;

const KINDS: readonly Kind[] = ['schedule', 'ledger', 'waterfall'];

/** Every vector of those kinds; undefined if the data is missing. */
export function publishedVectors(): readonly PublishedVector[] | undefined {
  const found = FILES.flatMap((file) => KINDS.map((kind) => vectorsOf<PublishedVector>(file, kind)));
  return found.every((vectors) => vectors !== undefined) ? found.flat() : undefined;
}
