import type { Day } from '../../../engine/index.js';
import type { FactDraft } from '../fact.js';

/** Which actors a piece of mass work is about: the definition of their kind knows what the filter means. */
export interface Selection {
  readonly kind: string;
  readonly filter: unknown;
}

/** What is done with each of them. */
type MassTask =
  /** Takes in what a shared fact has left it behind with. */
  | { readonly type: 'catchUp'; readonly selection: Selection }
  | MassCommand
  /** The work that a closed day of a zone has brought to those on the agenda. */
  | { readonly type: 'day'; readonly zone: string; readonly day: Day };

/** A command, as if whoever ordered the work had sent it for each. */
export interface MassCommand {
  readonly type: 'command';
  readonly selection: Selection;
  readonly command: string;
  readonly body: object;
}

/** The kind of facts that are about nobody: how far mass work has come. */
export const MASS = 'mass';

/** Facts of a shared actor that order mass work or say how it is to go on. */
export interface MassFacts {
  readonly MassOrdered: MassOrder;
  readonly MassPaused: { readonly operationId: string };
  readonly MassResumed: { readonly operationId: string };
  readonly MassCanceled: { readonly operationId: string };
}

export interface MassOrder {
  /** The name of the operation: `loan.replay`. */
  readonly kind: string;
  /** The object that was made or changed with the order. */
  readonly resultObjectId: string | null;
  readonly task: MassTask;
  /** Computed and compared, never recorded. */
  readonly isDryRun: boolean;
  /** It waits for `resume`. */
  readonly isHeld: boolean;
  /** What a dry run takes as recorded about the shared actor that ordered it. */
  readonly supposing: readonly FactDraft[];
}

/**
 * One slice of mass work, in the same block of its shard as what it has recorded: after a crash both are there or neither, so
 * that nobody is computed twice and the counts are true.
 */
export interface MassAdvanced {
  readonly operationId: string;
  readonly shard: number;
  /** Stamp of making of the last one of the slice, in the order of making; 0 where the agenda gives the order. */
  readonly through: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly failures: readonly MassFailure[];
  /** Nobody of this shard is left. */
  readonly isLast: boolean;
}

/** One that could not be computed. It stays as it was, and the rest goes on. */
export interface MassFailure {
  readonly id: string;
  readonly errorType: string;
  readonly message: string;
}

const ORDERS: ReadonlySet<string> = new Set<keyof MassFacts>(['MassOrdered', 'MassPaused', 'MassResumed', 'MassCanceled']);

/** Facts of a shared actor that change nothing of it. */
export const isMassFact = (type: string): boolean => ORDERS.has(type);
