import { type ActorDefinition, type ActorModule, actorModule, type Lifecycle } from '../kernel/actor.js';
import { advanceCommands, advanceQueries } from './advances/index.js';
import { autopayCommands, autopayQueries } from './autopay/index.js';
import { catchUpLoan, loanAgenda, loanBehind } from './catch-up.js';
import { accelerateLoan, reverseAccelerateLoan } from './commands/accelerate.js';
import { activateLoan } from './commands/activate.js';
import { cancelLoan } from './commands/cancel.js';
import { chargeOffLoan, reverseChargeOffLoan } from './commands/charge-off.js';
import { closeLoan } from './commands/close.js';
import { createLoan } from './commands/create.js';
import { freezeLoan } from './commands/freeze.js';
import { attachLabels, detachLabel } from './commands/labels.js';
import { reamortizeLoan } from './commands/reamortize.js';
import { refreshLoan } from './commands/refresh.js';
import { replayLoan } from './commands/replay.js';
import { unfreezeLoan } from './commands/unfreeze.js';
import { updateLoan } from './commands/update.js';
import { activationOf, statusOf } from './context.js';
import { drawCommands, drawQueries } from './draws/index.js';
import { evolveLoan } from './evolve.js';
import type { LoanCreated } from './facts.js';
import { feeCommands, feeQueries } from './fees/index.js';
import { digestOf, isLine, runningOf } from './ledger/running.js';
import { lineCommands, lineQueries } from './line/index.js';
import { loanMachine } from './machine.js';
import { isLoanMove, loanFigures, orderReplays, replayFrom, selectLoans } from './mass/index.js';
import { migrationCommands, migrationQueries, shownInPreparation } from './migration/index.js';
import { modificationCommands, modificationQueries } from './modifications/index.js';
import { peopleCommands } from './people/decide.js';
import type { AdditionalPerson } from './people/person.js';
import { peopleQueries } from './people/queries.js';
import { promiseCommands, promiseQueries } from './promises/index.js';
import { promoProgramCommands } from './promo-programs/decide.js';
import { promoProgramQueries } from './promo-programs/view.js';
import { purchaseCommands, purchaseQueries } from './purchases/index.js';
import { getBalanceHistory, getBalances, getInterest, getPayoff } from './queries/balances.js';
import { amortizeUtility, previewSchedule } from './queries/calculator.js';
import { getLoan, getLoanZone } from './queries/get.js';
import { getActivity, getLockStatus, getStatusHistory } from './queries/history.js';
import { listLoans, listPersonLoans } from './queries/list.js';
import { draftPayoffLetter } from './queries/payoff-letter.js';
import { getExpectedPayments, getPeriod, listObligations, listPeriods } from './queries/schedule.js';
import { validateLoan } from './queries/validate.js';
import { rateCommands, rateQueries } from './rates/index.js';
import { refundCommands, refundQueries } from './refunds/index.js';
import { cloneLoan, comparableLoan, loanParts, packLoan, unpackLoan } from './resting.js';
import { loanRow } from './row.js';
import { type ScheduledWork, scheduledWork } from './scheduled-work.js';
import { type LoanState, newLoan } from './state.js';
import { LINE_TEXTS, statementCommands, statementQueries } from './statements/index.js';
import { transactionCommands, transactionQueries } from './transactions/index.js';
import { PAGE_TEXTS } from './transactions/page.js';
import { defaultSettlement, type SettlementPort } from './transactions/settlement.js';

export interface LoanParts {
  /** Who moves the money of payments that are not external. */
  readonly settlement: SettlementPort;
}

/** The loan as the runtime takes it in. */
export function loanModule(parts: LoanParts = { settlement: defaultSettlement }): ActorModule {
  const loans = ofLoans(parts);
  return { ...loans, commands: [...loans.commands, orderReplays] };
}

const ofLoans = ({ settlement }: LoanParts): ActorModule =>
  actorModule({
    definition: loanDefinition(scheduledWork(settlement)),
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
    ]),
  });

const NOBODY: readonly AdditionalPerson[] = [];

/** What a lender writes about a borrower, and names of what hangs on a loan. */
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
  'processorFailureReason',
  'processorFailureDetails',
  LINE_TEXTS,
  PAGE_TEXTS,
]);

/** Free texts with names that other properties have as well, and where money went: below these properties, and in facts of these types. */
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
};

/** Details of purchases, advances and refunds by their names in replies; those of other things are not personal. */
const SHOWN_AS: Readonly<Record<string, readonly string[]>> = { details: ['purchaseDetails', 'advanceDetails', 'refundDetails'] };

/** What events say of them. The reason of a status is that of the order, which may be a text. */
const EVENT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  'loan.closed': ['description'],
  'loan.statuschanged': ['reason'],
  'loan.fee.canceled': ['reason'],
  'loan.credit.limit.changed': ['reason'],
  'draw.credit.limit.changed': ['reason'],
  'payment.chargeback': ['reasonCode'],
  'payment.chargeback.reversed': ['reasonCode'],
};

/** What a client finds a loan or payment by, or keeps with it. */
const NAMED: ReadonlySet<string> = new Set(['externalId', 'metaData', 'nickname']);

/** A loan by its machine: its status, and what its ledger knows of orders that hold again once something is owed. */
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
    eventTexts: EVENT_TEXTS,
    refused: NAMED,
    ownerOf: ({ record, personId }: LoanState & Pick<Partial<LoanCreated>, 'personId'>) => record?.personId ?? personId ?? '',
  },
  refersTo: ({ record }) => (record?.additionalPeople ?? NOBODY).map(({ personId }) => ({ kind: 'person', id: personId })),
});
