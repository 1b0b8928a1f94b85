import { addDays, type Day, dayAt, LAST_DAY, must } from '../../engine/index.js';
import { companyOf, type FeeType, feeTypesEditedAt, feeTypesOf } from '../company/index.js';
import {
  type ActorDefinition,
  actorModule,
  type ActorModule,
  type AgendaEntry,
  type DecideEnv,
  type EvolveEnv,
  type Lifecycle,
} from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { advanceWork } from './advances/advance.js';
import { advanceCommands, advanceQueries } from './advances/index.js';
import { autopayWork } from './autopay/daily.js';
import { autopayCommands, autopayQueries } from './autopay/index.js';
import { cardCommands, cardQueries, takeIssuerEvent } from './cards/index.js';
import { collectionCommands, collectionQueries } from './collection/index.js';
import { activateLoan, attachLabels, createLoan, detachLabel } from './commands/create.js';
import { reamortizeLoan, refreshLoan, replayLoan } from './commands/recompute.js';
import {
  accelerateLoan,
  cancelLoan,
  chargeOffLoan,
  closeLoan,
  freezeLoan,
  reverseAccelerateLoan,
  reverseChargeOffLoan,
  unfreezeLoan,
} from './commands/status.js';
import { updateLoan } from './commands/update.js';
import { activationOf, effectiveNow, recordOf, statusOf } from './context.js';
import { creditReportingCommands, creditReportingQueries, reportCredit } from './credit-reporting/index.js';
import { drawCommands, drawQueries } from './draws/index.js';
import { evolveLoan } from './evolve.js';
import type { CaughtUp, LoanCreated } from './facts.js';
import type { LateFeesTaken } from './fees/evolve.js';
import { feeCommands, feeQueries } from './fees/index.js';
import { lateFeesAt, lateFeeTerms, sameLateFees } from './fees/late.js';
import { scheduledFeeWork } from './fees/quote.js';
import { newTriggers, recurringFeeWork } from './fees/recurring.js';
import { accountingQueries } from './general-ledger/index.js';
import { inOneOrder } from './ledger/evolve.js';
import { digestOf, isLine, runningOf } from './ledger/running.js';
import { lineCommands, lineQueries } from './line/index.js';
import { loanMachine } from './machine.js';
import { isLoanMove, loanFigures, orderReplays, replayFrom, selectLoans } from './mass.js';
import { migrationCommands, migrationQueries, shownInPreparation } from './migration/index.js';
import { modificationCommands, modificationQueries } from './modifications/index.js';
import { planWork } from './modifications/state.js';
import { ownerCommands, ownerQueries } from './owners/index.js';
import { type AdditionalPerson, peopleCommands, peopleQueries } from './people/decide.js';
import { promiseWork } from './promises/decide.js';
import { promiseCommands, promiseQueries } from './promises/index.js';
import { promoWork } from './promo-programs/daily.js';
import { promoProgramCommands, promoProgramQueries } from './promo-programs/decide.js';
import { purchaseCommands, purchaseQueries } from './purchases/index.js';
import { getBalanceHistory, getBalances, getInterest, getPayoff } from './queries/balances.js';
import { amortizeUtility, previewSchedule } from './queries/calculator.js';
import { getActivity, getLockStatus, getStatusHistory } from './queries/history.js';
import { getLoan, getLoanZone, listLoans, listPersonLoans } from './queries/list.js';
import { draftPayoffLetter, getExpectedPayments, getPeriod, listObligations, listPeriods, validateLoan } from './queries/payoff-letter.js';
import { indexRateDrafts, pendingEdition } from './rates/changes.js';
import { rateCommands, rateQueries } from './rates/index.js';
import { noteRemittance, remitPayments, remittanceQueries } from './remittances/index.js';
import { refundCommands, refundQueries } from './refunds/index.js';
import { cloneLoan, comparableLoan, loanParts, packLoan, unpackLoan } from './packing.js';
import { loanRow } from './row.js';
import { type LoanState, newLoan } from './state.js';
import { LINE_TEXTS, statementCommands, statementQueries, statementWork } from './statements/index.js';
import { transactionWork } from './transactions/daily.js';
import { transactionCommands, transactionQueries } from './transactions/index.js';
import { PAGE_TEXTS } from './transactions/page.js';
import { defaultSettlement, type SettlementPort } from './transactions/settlement.js';
import { upgradeBody, upgradeMessage } from './upgrade-facts.js';

/** Scheduled work of a loan, done on its days after the ledger's daily work. */
export interface ScheduledWork {
  /** The earliest day with something to do; a day that is past means now. Null when nothing waits. */
  nextDay(state: LoanState): Day | null;
  /** The facts to record on that day. Afterwards `nextDay` must be later. */
  due(state: LoanState, day: Day, env: DecideEnv): Iterable<FactDraft>;
}

/** In the order of a day. */
const scheduledWork = (settlement: SettlementPort): readonly ScheduledWork[] => [
  statementWork,
  advanceWork,
  recurringFeeWork,
  transactionWork(settlement),
  autopayWork,
  promiseWork,
  promoWork,
  planWork,
  scheduledFeeWork, // effective at its named time, or at the end of the day: after the work above, which is effective at 01:00
];

/** The loan's time zone, and the next day on which it has work to do. */
function loanAgenda(work: readonly ScheduledWork[], state: LoanState): AgendaEntry | null {
  if (state.record === null) return null;
  const nextDay = earlier(activationOf(state)?.summary.nextDay ?? null, nextItemsDay(work, state));
  return nextDay === null ? null : { zone: state.record.zone, nextDay };
}

/** Work is due since the last day that is done if the product's index has values that the loan has not applied. */
function loanBehind(state: LoanState, env: EvolveEnv): AgendaEntry | null {
  const activation = activationOf(state);
  return activation !== null && pendingEdition(state, env) !== undefined
    ? { zone: recordOf(state).zone, nextDay: activation.summary.through }
    : null;
}

/**
 * The work of the days that are over, in order: the ledger's daily work up to a day with scheduled items, those items, and so on up to
 * today. Each fact is applied before the next one is taken from the iterable.
 */
function* catchUpLoan(work: readonly ScheduledWork[], state: LoanState, throughDay: Day, env: DecideEnv): Iterable<FactDraft> {
  yield* editedFees(state, env);
  for (;;) {
    const itemsDay = nextItemsDay(work, state);
    const stop = itemsDay !== null && itemsDay < throughDay ? itemsDay : throughDay;
    const activation = activationOf(state);
    if (activation !== null && activation.summary.through < stop) {
      yield { type: 'CaughtUp', body: { through: stop } satisfies CaughtUp };
      // The ledger's work may lead to new scheduled items.
      if (stop !== itemsDay) continue;
    }
    if (itemsDay === null || itemsDay > throughDay) break;
    for (const kind of work) if (kind.nextDay(state) === itemsDay) yield* kind.due(state, itemsDay, env);
  }
  for (let edition = pendingEdition(state, env); edition !== undefined; edition = pendingEdition(state, env)) {
    yield* inOneOrder(indexRateDrafts(state, env, edition, effectiveNow(env, state)));
  }
}

/**
 * Edits of the product's fees apply to the daily work from the next day on: the loan adopts them before it moves past that day.
 */
function* editedFees(state: LoanState, env: DecideEnv): Iterable<FactDraft> {
  const activation = activationOf(state);
  if (activation === null || activation.summary.status === 'canceled') return;
  const feeTypes = feeTypesOf(companyOf(env, state.tenant), recordOf(state).loanTypeId);
  const lateFees = newLateFees(state, env, feeTypes);
  if (lateFees !== null) yield lateFees;
  const triggers = newTriggers(state, feeTypes);
  if (triggers !== null) yield triggers;
}

function newLateFees(state: LoanState, env: DecideEnv, feeTypes: readonly FeeType[]): FactDraft | null {
  const { sources, summary } = must(activationOf(state), `${state.id} is active`);
  const record = recordOf(state);
  const lateFees = lateFeeTerms(feeTypes, record.atOrigination, sources.lateFeeTypes);
  if (sameLateFees(lateFees, lateFeesAt(sources.lateFees, LAST_DAY))) return null;
  const nextDay = addDays(dayAt(record.zone, feeTypesEditedAt(companyOf(env, state.tenant), record.loanTypeId)), 1);
  const from = nextDay > summary.through ? nextDay : addDays(summary.through, 1);
  return { type: 'LateFeesTaken', body: { from, lateFees } satisfies LateFeesTaken };
}

function nextItemsDay(work: readonly ScheduledWork[], state: LoanState): Day | null {
  let found: Day | null = null;
  for (const kind of work) found = earlier(found, kind.nextDay(state));
  return found;
}

function earlier(a: Day | null, b: Day | null): Day | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

export interface LoanParts {
  /** Moves the money of payments that are not external. */
  readonly settlement: SettlementPort;
}

/** The loan as a module of the runtime. */
export function loanModule(parts: LoanParts = { settlement: defaultSettlement }): ActorModule {
  const loans = ofLoans(parts);
  return { ...loans, commands: [...loans.commands, orderReplays] };
}

const ofLoans = ({ settlement }: LoanParts): ActorModule => {
  const work = scheduledWork(settlement);
  return actorModule({
    definition: loanDefinition(work),
    commands: [
      createLoan,
      updateLoan,
      activateLoan,
      cancelLoan,
      closeLoan,
      attachLabels,
      detachLabel,
      freezeLoan,
      unfreezeLoan,
      accelerateLoan,
      reverseAccelerateLoan,
      chargeOffLoan,
      reverseChargeOffLoan,
      refreshLoan,
      replayLoan,
      reamortizeLoan,
      ...feeCommands,
      ...rateCommands,
      ...statementCommands,
      ...transactionCommands,
      ...peopleCommands,
      ...promiseCommands,
      ...autopayCommands,
      ...promoProgramCommands,
      ...advanceCommands,
      ...refundCommands,
      ...purchaseCommands,
      ...modificationCommands,
      ...migrationCommands,
      ...drawCommands,
      ...lineCommands,
      ...ownerCommands,
      ...cardCommands,
      takeIssuerEvent,
      ...collectionCommands,
      ...creditReportingCommands,
      reportCredit,
      remitPayments,
      noteRemittance,
      replayFrom,
    ],
    queries: shownInPreparation([
      getLoan,
      getLoanZone,
      listLoans,
      listPersonLoans,
      getLockStatus,
      getPayoff,
      draftPayoffLetter,
      getActivity,
      getStatusHistory,
      getExpectedPayments,
      listPeriods,
      getPeriod,
      listObligations,
      getBalances,
      getBalanceHistory,
      getInterest,
      previewSchedule,
      amortizeUtility,
      validateLoan,
      ...feeQueries,
      ...rateQueries,
      ...statementQueries,
      ...transactionQueries,
      ...peopleQueries,
      ...promiseQueries,
      ...autopayQueries,
      ...promoProgramQueries,
      ...advanceQueries,
      ...refundQueries,
      ...purchaseQueries,
      ...modificationQueries,
      ...migrationQueries,
      ...drawQueries,
      ...lineQueries,
      ...ownerQueries,
      ...cardQueries,
      ...collectionQueries,
      ...creditReportingQueries,
      ...remittanceQueries,
      ...accountingQueries((state, env) => (loanBehind(state, env) ?? loanAgenda(work, state))?.nextDay ?? null),
    ]),
  });
};

const NOBODY: readonly AdditionalPerson[] = [];

/** Personal data: free texts about a borrower, and names of parts of a loan. */
const PERSONAL: ReadonlySet<string> = new Set([
  'externalId',
  'reversedByTransactionExternalId',
  'metaData',
  'nickname',
  'declineReason',
  'adverseActionReason',
  'reasonDetails',
  'oldConsumerAccountNumber',
  'writtenReason',
  'customDisplayName',
  'itemsOrServicesFinanced',
  'deletedReasonDetails',
  'processorFailureReason',
  'processorFailureDetails',
  LINE_TEXTS,
  PAGE_TEXTS,
]);

/** Personal data whose property names are also used for other values: only below these properties, and in facts of these types. */
const TEXTS_WITHIN: Readonly<Record<string, readonly string[]>> = {
  LoanClosed: ['description'],
  LoanReplayed: ['reason'],
  CreditLimitChanged: ['reason'],
  PaymentPlanCanceled: ['reason'],
  FeeCanceled: ['reason'],
  ScheduledFeeCanceled: ['reason'],
  PastFeeCanceled: ['reason'],
  fees: ['cancelReason'],
  removedFees: ['cancelReason'],
  ChargebackRecorded: ['description', 'externalCaseNumber', 'reasonCode'],
  ChargebackMoved: ['description', 'externalCaseNumber', 'reasonCode'],
  chargebacks: ['description', 'externalCaseNumber', 'reasonCode'],
  DisputeOpened: ['reason'],
  DisputeChanged: ['reason'],
  disputes: ['reason'],
  serviceCredit: ['reason', 'displayName'],
  PurchaseMade: ['details'],
  PurchaseChanged: ['details'],
  purchases: ['details'],
  AdvanceMade: ['details'],
  AdvanceChanged: ['details'],
  advances: ['details'],
  advanceSchedule: ['details'],
  RefundMade: ['details'],
  RefundChanged: ['details'],
  refunds: ['details'],
  CardAdded: ['details'],
  CardChanged: ['details'],
  cards: ['details'],
};

/** Details of purchases, advances and refunds by their names in replies. Other details are not personal. */
const SHOWN_AS: Readonly<Record<string, readonly string[]>> = { details: ['purchaseDetails', 'advanceDetails', 'refundDetails'] };

/** Personal data in events. The reason of a status is the order's, which may be free text. */
const EVENT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  'loan.closed': ['description'],
  'loan.statuschanged': ['reason'],
  'loan.fee.canceled': ['reason'],
  'loan.credit.limit.changed': ['reason'],
  'draw.credit.limit.changed': ['reason'],
  'card.created': ['lastFour'],
  'payment.chargeback': ['reasonCode'],
  'payment.chargeback.reversed': ['reasonCode'],
};

/** Fields by which a client finds a loan or payment, or that it keeps with it. */
const NAMED: ReadonlySet<string> = new Set(['externalId', 'metaData', 'nickname']);

/** A loan in its state machine: its status, and the ledger's flags of orders that take effect once something is owed again. */
const loanLifecycle: Lifecycle<LoanState> = {
  machine: loanMachine,
  at(state, env) {
    if (state.record === null) return { value: 'pending' };
    const value = statusOf(state);
    if (activationOf(state) === null) return { value };
    const running = runningOf(state, env);
    const isFrozen = isLine(running) ? running.isFrozen : running.frozenSteps !== null;
    return { value, context: { isFrozen, isAccelerated: running.acceleratedSince !== null } };
  },
};

const loanDefinition = (work: readonly ScheduledWork[]): ActorDefinition<LoanState> => ({
  kind: 'loan',
  prefix: 'LN',
  initial: newLoan,
  evolve: evolveLoan,
  clone: cloneLoan,
  row: loanRow,
  pack: packLoan,
  comparable: comparableLoan,
  unpack: unpackLoan,
  parts: loanParts,
  agenda: (state) => loanAgenda(work, state),
  behind: loanBehind,
  catchUp: (state, throughDay, env) => catchUpLoan(work, state, throughDay, env),
  digest: digestOf,
  lifecycle: loanLifecycle,
  selects: selectLoans,
  isMove: isLoanMove,
  figures: loanFigures,
  personal: {
    names: PERSONAL,
    within: TEXTS_WITHIN,
    shownAs: SHOWN_AS,
    upgradeBody,
    upgradeMessage,
    eventTexts: EVENT_TEXTS,
    refused: NAMED,
    ownerOf: ({ record, personId }: LoanState & Pick<Partial<LoanCreated>, 'personId'>) => record?.personId ?? personId ?? '',
  },
  refersTo: ({ record }) => (record?.additionalPeople ?? NOBODY).map(({ personId }) => ({ kind: 'person', id: personId })),
});
