import { addDays, type Day, dayAt, generalLedger, type LedgerFact, startOfDay } from '../../../engine/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import { activationOf, recordOf } from '../context.js';
import { termsOf } from '../ledger/installment.js';
import type { AnyLedgerFact } from '../ledger/running.js';
import type { LoanState, StoredFact } from '../state.js';
import { loanDetails } from './details.js';

/** A fact of the loan's ledger with the day on which it was recorded; null: the activation. */
export interface RecordedFact {
  readonly recordedDay: Day;
  readonly stored: StoredFact<AnyLedgerFact> | null;
}

export type BookedLoanFacts = generalLedger.BookedFacts<RecordedFact>;

/** How the general ledger of a loan are kept. */
export interface Keeping {
  readonly basis: generalLedger.Basis;
  readonly settings: generalLedger.GeneralLedgerSettings;
}

/** The facts of an activated loan, from which its books follow; null before its activation, and for a line of credit. */
export function bookedLoan(state: LoanState, env: EvolveEnv, { basis, settings }: Keeping): BookedLoanFacts | null {
  const activation = activationOf(state);
  if (activation === null || state.servicing === null) return null;
  const { zone } = recordOf(state);
  const { tenant, migration } = state;
  const migratedAt = migration?.migratedAt ?? null;
  const begun = dayAt(zone, migratedAt ?? activation.recordedAt);
  const first = begun > activation.contract.terms.activation ? begun : activation.contract.terms.activation;
  const details = loanDetails(state);
  const keeping = { basis, settings };
  const facts: readonly RecordedFact[] = [
    { recordedDay: first, stored: null },
    ...activation.facts.all().map((stored: StoredFact<AnyLedgerFact>) => ({ recordedDay: stored.fact.recordedDay, stored })),
  ];
  const endOf = (day: Day): number => startOfDay(zone, addDays(day, 1)) - 1;
  const believe: BookedLoanFacts['believe'] = (known, through, recordedThrough) => {
    if (!known.some(({ stored }) => stored === null)) return [];
    const ledgerFacts = known.flatMap(({ stored }) => (stored === null ? [] : [stored.fact as LedgerFact]));
    const terms = termsOf(state, env, endOf(recordedThrough));
    const believed = generalLedger.believedInstallment({ terms, facts: ledgerFacts, details }, keeping, through);
    return migratedAt === null ? believed : generalLedger.asOpening(believed, first, details.causeOf({ type: 'activation' }, first));
  };
  return {
    book: `${tenant.company}/${tenant.mode}`,
    basis,
    loanId: state.id,
    facts,
    causeOf: ({ stored }) =>
      stored === null
        ? details.causeOf({ type: 'activation' }, first)
        : details.causeOf({ type: 'fact', sequence: stored.fact.sequence }, first),
    dayCause: (day) => details.causeOf({ type: 'dailyJob' }, day),
    areTermsSame: (earlier, later) => termsOf(state, env, endOf(earlier)).settings === termsOf(state, env, endOf(later)).settings,
    isCausal: true,
    believe,
  };
}
