import type { Fault } from '../../errors.js';
import type { EffectiveTime, FactDraft } from '../../kernel/fact.js';
import type { LineActivated, LoanActivated } from '../facts.js';
import type { LoanTimestamps } from '../state.js';
import type { LineHistoryFacts } from './line/facts.js';
import type { MigrationMove } from './machine.js';
import type { MigrationTerms, Reconciliation } from './migration.js';

/** What happens to a loan on its way in from another system. */
export interface MigrationFacts extends LineHistoryFacts {
  readonly MigrationChanged: MigrationChanged;
  readonly ActivityPrepared: ActivityPrepared;
  readonly LoanMigrated: LoanMigrated;
  readonly MigrationFailed: MigrationFailed;
  readonly MigrationRolledBack: MigrationRolledBack;
}

/** The caller prepares a migration, withdraws from it or says other things of it. */
export interface MigrationChanged {
  readonly move: Extract<MigrationMove, 'prepare' | 'withdraw' | 'change' | 'reportCredit'>;
  readonly terms: MigrationTerms;
  /** Times of the other system, which take the place of those of the recording. */
  readonly times?: Partial<LoanTimestamps>;
}

/** Something of the loan's past was recorded while in preparation: the facts that the replay will take in. */
export interface ActivityPrepared {
  readonly facts: readonly PreparedDraft[];
}

export interface PreparedDraft {
  readonly type: string;
  readonly body: unknown;
  readonly effective: EffectiveTime | null;
}

/**
 * The loan is serviced here: activated on its day in the past, with all that was prepared, in the order in which it was
 * recorded, and the daily work up to the day of the recording.
 */
export interface LoanMigrated {
  readonly taking: Taking;
  readonly reconciliation: Reconciliation;
  readonly caseId: string | null;
}

/** How a loan of each product begins: what activates it, and the facts that come with that. */
export type Taking = InstallmentTaking | LineTaking;

/** The facts are advances and promo programs. */
interface InstallmentTaking {
  readonly product: 'installment';
  readonly activation: LoanActivated;
  readonly facts: readonly FactDraft[];
}

/** A line begins at its cutoff: its draws are activated, then their balances are seeded. */
interface LineTaking {
  readonly product: 'lineOfCredit';
  readonly activation: LineActivated;
  readonly facts: readonly FactDraft[];
}

export interface MigrationFailed {
  readonly errors: readonly Fault[];
  readonly reconciliation: Reconciliation | null;
  readonly caseId: string | null;
}

export interface MigrationRolledBack {
  readonly caseId: string | null;
}

/** All faults in one text. */
export const failureText = (errors: readonly Fault[]): string => errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
