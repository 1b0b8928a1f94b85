import { assert, dayAt } from '../../engine/index.js';
import { bodyForRow } from '../kernel/erased.js';
import type { Emit, EvolveEnv } from '../kernel/actor.js';
import type { Fact } from '../kernel/fact.js';
import { dateText, dateTimeText } from '../wire.js';
import { APPLY_ADVANCES } from './advances/advance.js';
import { APPLY_AUTOPAY } from './autopay/evolve.js';
import { APPLY_CARDS, suspendCards } from './cards/index.js';
import { APPLY_COLLECTION, APPLY_COMMISSIONS } from './collection/index.js';
import { activationOf, recordOf } from './context.js';
import { APPLY_CREDIT_REPORTING } from './credit-reporting/evolve.js';
import { APPLY_DRAWS, cancelDraws } from './draws/evolve.js';
import { loanEvent } from './events.js';
import type { LoanCanceled, LoanClosed, LoanCreated, LoanFacts, LoanFactType, LoanUpdated } from './facts.js';
import { APPLY_FEES } from './fees/evolve.js';
import { activated, adoptRules, caughtUp, ledgerCanceled, ledgerChanged, lineActivated, replayed } from './ledger/evolve.js';
import { APPLY_LINE } from './line/limits.js';
import { migrationFacts } from './migration/evolve.js';
import { isBeforeMigration } from './migration/stage.js';
import { APPLY_MODIFICATIONS } from './modifications/evolve.js';
import { withoutCardDigits } from './origination/terms.js';
import { APPLY_OWNERS } from './owners/index.js';
import { APPLY_MERCHANT_DISCOUNTS } from './payouts/merchant-discount.js';
import { APPLY_MERCHANT_RESERVES } from './payouts/merchant-reserve.js';
import { APPLY_PAYOUTS } from './payouts/facts.js';
import { APPLY_PROMISES } from './promises/evolve.js';
import { APPLY_PROMO_PROGRAMS } from './promo-programs/evolve.js';
import { APPLY_PURCHASES } from './purchases/evolve.js';
import { APPLY_RATES } from './rates/evolve.js';
import { APPLY_REFUNDS } from './refunds/evolve.js';
import { APPLY_REMITTANCES } from './remittances/index.js';
import type { LoanState, LoanTimestamps } from './state.js';
import { APPLY_STATEMENTS } from './statements/evolve.js';
import { loanChart } from './machine.js';
import { changeOwnStatus } from './ledger/follow-move.js';
import { NO_REASON, type Applying } from './applying.js';
import { APPLY_CHARGEBACKS } from './transactions/chargebacks/index.js';
import { APPLY_TRANSACTIONS } from './transactions/evolve.js';

/** Applies a fact to a loan in place, with one function for each type of fact. Published events follow from ledger events. */
export function evolveLoan(state: LoanState, fact: Fact, emit: Emit | null, env: EvolveEnv): void {
  const rows: { readonly [Type in string]?: (applying: Applying, body: never) => void } = APPLY;
  const apply = rows[fact.type];
  assert(apply !== undefined, `a loan knows no fact ${fact.type}`);
  const applying: Applying = { state, fact, emit: isEmitted(state, fact.type) ? emit : null, env };
  adoptRules(applying);
  apply(applying, bodyForRow(fact));
  suspendCards(applying);
  if (!NO_UPDATE_OF_LOAN.has(fact.type)) state.lastUpdate = { stamp: fact.stamp, at: fact.businessAt };
}

const APPLY: { readonly [Type in LoanFactType]: (applying: Applying, body: LoanFacts[Type]) => void } = {
  LoanCreated: created,
  LoanUpdated: updated,
  LoanActivated: (applying, body) => activated(applying, body),
  LineActivated: (applying, body) => lineActivated(applying, body),
  LoanCanceled: canceled,
  LoanClosed: closed,
  LedgerChanged: ledgerChanged,
  LoanReplayed: replayed,
  CaughtUp: caughtUp,
  ...APPLY_FEES,
  ...APPLY_RATES,
  ...APPLY_STATEMENTS,
  ...APPLY_TRANSACTIONS,
  ...APPLY_CHARGEBACKS,
  ...APPLY_CREDIT_REPORTING,
  ...APPLY_PROMISES,
  ...APPLY_AUTOPAY,
  ...APPLY_PROMO_PROGRAMS,
  ...APPLY_ADVANCES,
  ...APPLY_REFUNDS,
  ...APPLY_PURCHASES,
  ...APPLY_MODIFICATIONS,
  ...migrationFacts(evolveLoan),
  ...APPLY_DRAWS,
  ...APPLY_LINE,
  ...APPLY_OWNERS,
  ...APPLY_CARDS,
  ...APPLY_COLLECTION,
  ...APPLY_REMITTANCES,
  ...APPLY_PAYOUTS,
  ...APPLY_MERCHANT_DISCOUNTS,
  ...APPLY_MERCHANT_RESERVES,
  ...APPLY_COMMISSIONS,
};

/** Before a loan is migrated, only the result of its migration is published. */
const isEmitted = (state: LoanState, type: string): boolean => !isBeforeMigration(state) || EMITTED_BEFORE_MIGRATION.has(type);

const EMITTED_BEFORE_MIGRATION: ReadonlySet<string> = new Set<LoanFactType>([
  'LoanMigrated',
  'MigrationFailed',
  'LoanUpdated',
  'LoanCanceled',
]);

/** Facts that do not count as an update of the loan: those of the daily work, and of objects that have an `updatedAt` of their own. */
const NO_UPDATE_OF_LOAN: ReadonlySet<string> = new Set<LoanFactType>([
  'CaughtUp',
  'CommissionChanged',
  'CreditReported',
  'CreditReportNotSent',
  'IndexTaken',
  'LateFeesTaken',
  'MerchantReserveReleased',
  'PaymentPlanEnded',
  'PayoutBooked',
  'PayoutReturned',
  'RecurringFeesTaken',
  'RecurringFeesDone',
  'TransactionCreated',
  'TransactionMoved',
  'TransactionUpdated',
  'ChargebackRecorded',
  'ChargebackMoved',
  'PromiseMoved',
  'PromoProgramMoved',
  'StatementIssued',
  'StatementOmitted',
  'StatementUpdated',
]);

function created({ state, fact, emit }: Applying, body: LoanCreated): void {
  state.record = { createdStamp: fact.stamp, ...body, atOrigination: withoutCardDigits(body.atOrigination) };
  state.statusHistory = [
    {
      oldStatus: null,
      newStatus: body.status,
      effectiveDay: dayAt(body.zone, fact.businessAt),
      recordedAt: fact.businessAt,
      by: fact.by,
      caseId: null,
      reason: null,
      writtenReason: null,
    },
  ];
  emit?.(loanEvent(state, 'loan.created', { status: body.status, loanTypeId: body.loanTypeId, type: body.type }));
}

function updated(applying: Applying, body: LoanUpdated): void {
  const { state, fact } = applying;
  const { status, ...changes } = body;
  const record = Object.assign({ ...recordOf(state) }, changes); // a spread of two costs microseconds
  state.record = changes.atOrigination ? { ...record, atOrigination: withoutCardDigits(record.atOrigination) } : record;
  if (status === undefined) return;
  changeOwnStatus(applying, status, NO_REASON);
  setTimes(state, { originatedAt: status === 'originated' ? fact.businessAt : null });
}

function canceled(applying: Applying, body: LoanCanceled): void {
  const { state, fact } = applying;
  const why = { caseId: body.caseId, reason: body.cancellationReason };
  const record = recordOf(state);
  state.record = {
    ...record,
    cancellationReason: body.cancellationReason,
    externalId: body.isFreeingExternalIds ? null : record.externalId,
    areExternalIdsFree: body.isFreeingExternalIds,
  };
  cancelDraws(applying, body);
  if (activationOf(state) === null) changeOwnStatus(applying, loanChart.after(record.status, 'cancel'), why);
  else ledgerCanceled(applying, body.day, why);
  setTimes(state, { canceledAt: fact.businessAt });
}

function closed({ state, fact, emit }: Applying, { reason, description, isRequestedByBorrower, day, caseId }: LoanClosed): void {
  const record = recordOf(state);
  const closedAt = fact.businessAt;
  state.record = { ...record, isClosed: true, closing: { day, reason }, timestamps: { ...record.timestamps, closedAt } };
  emit?.(
    loanEvent(state, 'loan.closed', {
      closedAt: dateTimeText(closedAt),
      effectiveDate: dateText(day),
      reason,
      description,
      closeRequestedByBorrower: isRequestedByBorrower,
      caseId,
    }),
  );
}

function setTimes(state: LoanState, times: Partial<LoanTimestamps>): void {
  const record = recordOf(state);
  state.record = { ...record, timestamps: { ...record.timestamps, ...times } };
}
