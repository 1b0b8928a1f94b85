import { type ActorDefinition, actorModule, type ActorModule, type Lifecycle, type Reference } from '../kernel/actor.js';
import { CASE, PERSON } from '../kernel/known-names.js';
import { advanceCommands, advanceQueries } from './advances/index.js';
import { autopayCommands, autopayQueries } from './autopay/index.js';
import { livePlan } from './autopay/plan.js';
import { cardCommands, cardQueries, takeIssuerEvent } from './cards/index.js';
import { catchUpLoan, loanAgenda, loanBehind, type ScheduledWork, scheduledWork } from './catch-up.js';
import { collectionCommands, collectionQueries, commissionWork } from './collection/index.js';
import { activateLoan } from './commands/activate.js';
import { createLoan } from './commands/create.js';
import { attachLabels, detachLabel } from './commands/labels.js';
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
import { activationOf, statusOf } from './context.js';
import { creditReportingCommands, creditReportingQueries, reportCredit, takeBackReports } from './credit-reporting/index.js';
import { drawCommands, drawQueries } from './draws/index.js';
import { evolveLoan } from './evolve.js';
import type { LoanCreated } from './facts.js';
import { feeCommands, feeQueries } from './fees/index.js';
import { accountingQueries } from './general-ledger/index.js';
import { digestOf, isLine, runningOf } from './ledger/running.js';
import { lineCommands, lineQueries } from './line/index.js';
import { loanMachine } from './machine.js';
import { isRecomputation, loanFigures, orderReplays, replayFrom, selectLoans } from './mass.js';
import { migrationCommands, migrationQueries, shownInPreparation } from './migration/index.js';
import { modificationCommands, modificationQueries } from './modifications/index.js';
import { ownerCommands, ownerQueries } from './owners/index.js';
import { type AdditionalPerson, peopleCommands, peopleQueries } from './people/index.js';
import {
  merchantRemittance,
  merchantReserveWork,
  openPayout,
  payoutCommands,
  payoutQueries,
  releaseReserve,
  reportPayouts,
} from './payouts/index.js';
import { promiseCommands, promiseQueries } from './promises/index.js';
import { promoProgramCommands, promoProgramQueries } from './promo-programs/decide.js';
import { purchaseCommands, purchaseQueries } from './purchases/index.js';
import { getBalanceHistory, getBalances, getInterest, getPayoff } from './queries/balances.js';
import { amortizeUtility, previewSchedule } from './queries/calculator.js';
import { getActivity, getLockStatus, getStatusHistory } from './queries/history.js';
import { getLoan, getLoanZone, listLoans, listPersonLoans } from './queries/list.js';
import { draftPayoffLetter } from './queries/payoff-letter.js';
import { getExpectedPayments, getPeriod, listObligations, listPeriods } from './queries/periods.js';
import { validateLoan } from './queries/validate.js';
import { rateCommands, rateQueries } from './rates/index.js';
import { noteRemittance, remitPayments, remittanceQueries } from './remittances/index.js';
import { refundCommands, refundQueries } from './refunds/index.js';
import { cloneLoan, comparableLoan, loanParts, packLoan, unpackLoan, unpackLoanInPassing } from './packing.js';
import { loanRow } from './row.js';
import { type LoanState, newLoan } from './state.js';
import { LINE_TEXTS, statementCommands, statementQueries } from './statements/index.js';
import { transactionCommands, transactionQueries } from './transactions/index.js';
import { PAGE_TEXTS } from './transactions/page.js';
import { defaultSettlement, type SettlementPort } from './transactions/settlement.js';
import { upgradeBody, upgradeMessage } from './upgrade-facts.js';

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
  // Commissions and releases of reserves are recorded on an open day, however late: no day of the books waits for them.
  const booked = work.filter((kind) => kind !== commissionWork && kind !== merchantReserveWork);
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
      ...payoutCommands,
      releaseReserve,
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
      takeBackReports,
      remitPayments,
      reportPayouts,
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
      ...payoutQueries,
      merchantRemittance,
      openPayout,
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
      ...accountingQueries((state, env) => (loanBehind(state, env) ?? loanAgenda(booked, state))?.nextDay ?? null),
    ]),
  });
};

const NOBODY: readonly AdditionalPerson[] = [];

/** The other people on the loan, and their cases where a payment is to come or credit agencies hear of the loan. */
function refersTo(state: LoanState): readonly Reference[] {
  const people = state.record?.additionalPeople ?? NOBODY;
  const isAskedOfCases =
    people.length > 0 &&
    (livePlan(state) !== null || state.transactions.scheduled().length > 0 || state.creditReporting.statuses.length > 0);
  return people.flatMap(({ personId }) => [
    { kind: PERSON, id: personId },
    ...(isAskedOfCases ? [{ kind: CASE, parentId: personId }] : []),
  ]);
}

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
export const LOAN_EVENT_TEXTS: Readonly<Record<string, readonly string[]>> = {
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
  unpackInPassing: unpackLoanInPassing,
  parts: loanParts,
  agenda: (state) => loanAgenda(work, state),
  behind: loanBehind,
  catchUp: (state, throughDay, env) => catchUpLoan(work, state, throughDay, env),
  digest: digestOf,
  lifecycle: loanLifecycle,
  selects: selectLoans,
  isRecomputation,
  figures: loanFigures,
  personal: {
    names: PERSONAL,
    within: TEXTS_WITHIN,
    shownAs: SHOWN_AS,
    upgradeBody,
    upgradeMessage,
    eventTexts: LOAN_EVENT_TEXTS,
    refused: NAMED,
    ownerOf: ({ record, personId }: LoanState & Pick<Partial<LoanCreated>, 'personId'>) => record?.personId ?? personId ?? '',
  },
  refersTo,
});
