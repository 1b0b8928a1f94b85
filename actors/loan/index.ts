export { LOAN_EVENT_TEXTS, loanModule, type LoanParts } from './module.js';
export { isPaymentUnderWay } from './transactions/instruments.js';
export { hasLeft, isOwing, othersOn } from './people/index.js';
export { paymentsEnded, paymentsOfLeavers } from './autopay/payment-ends.js';
export { reportReturns } from './transactions/returns.js';
export { loanAnswers } from './answers.js';
export { type BankReturn, defaultSettlement, type SettlementPort, type Verdict } from './transactions/settlement.js';
export { compareLedgers } from './ledger/scheduled-interest.js';
export { balancesAsOf, type ChangedLine, compareLines, type LedgerLine, ledgerLines, type LedgerRange } from './views/ledger-lines.js';
export { type AsOf, LoansAsOf } from './views/as-of.js';
export { type DailyBalances, dailyBalancesOf } from './views/daily-balances.js';
export { type Replay, REPLAYS_WITH_FIGURES, replaysOf } from './views/replays.js';
export { chargedOffReasonOf, currentOf, endDayOf, loanView, scheduleRows, type ViewEnv } from './views/loan.js';
export {
  type ListStatementsQuery,
  type StatementActivitiesQuery,
  statementDetailsOf,
  type StatementDocumentQuery,
  statementReply,
  type StatementPage,
} from './statements/view.js';
export { foreseenOn } from './views/foreseen.js';
export { isMigratedPeriod, type LoanOverdue, overdueToday } from './views/obligation.js';
export { obligationId, periodId } from './derived-ids.js';
export { activationOf, checkContact, isWithAgency, type LetterChannel, recordOf, statusOf, todayOf, typeOfContact } from './context.js';
export type { LoanFacts } from './facts.js';
export { advanceChart } from './advances/advance.js';
export { drawChart } from './draws/draw.js';
export { loanChart } from './machine.js';
export { planChart } from './modifications/state.js';
export { promiseChart } from './promises/evolve.js';
export { promoChart } from './promo-programs/program.js';
export { disputeChart, purchaseChart } from './purchases/machine.js';
export { transactionChart } from './transactions/machine.js';
export { type LoanState, loanStateOf } from './state.js';
export type { CreditLimitQuery } from './line/limits.js';
export type { CancelLoanQuery } from './commands/status.js';
export type { UpdateLoanQuery } from './commands/update.js';
export { type GetBalancesQuery, type PayoffQuery, payoffReply, type RangeQuery } from './queries/balances.js';
export type { PayoffLetterCommand, PayoffLetterDraft } from './queries/payoff-letter.js';
export type { ObligationsQuery, PeriodsQuery } from './queries/periods.js';
export type { ValidateLoanReply } from './queries/validate.js';
export type { GetLoanQuery, ListLoansQuery, ListPersonLoansQuery } from './queries/list.js';
export type { LockStatusReply } from './queries/history.js';
export { comingFeesOf } from './fees/coming.js';
export { feeReplies, type ListFeesQuery } from './fees/view.js';
export type { RateDetailsQuery } from './rates/view.js';
export { rateRowsOf } from './rates/rows.js';
export type { ReplayManyRequest } from './mass.js';
export type { AddLoanPersonRequest, ListLoanPeopleQuery, LoanPersonView, UpdateLoanPersonRequest } from './people/types.js';
export type {
  CancelPromisePlanRequest,
  CreatePromisePlanRequest,
  ListAllPromisePlansQuery,
  ListPromisePlansQuery,
  PromisePlanView,
  UpdatePromisePlanRequest,
} from './promises/types.js';
export type * from './advances/requests.js';
export type { AdvanceReply } from './advances/decide.js';
export type * from './purchases/requests.js';
export type { PurchaseDisputeReply, PurchaseReply } from './purchases/view.js';
export type * from './refunds/types.js';
export type * from './promo-programs/requests.js';
export type * from './rates/types.js';
export type * from './migration/types.js';
export type * from './line/requests.js';
export type * from './draws/types.js';
export type * from './migration/line/types.js';
export type * from './migration/line/view-types.js';
export type * from './modifications/types.js';
export type * from './fees/types.js';
export type * from './requests.js';
export type * from './autopay/types.js';
export type { CardIssuerEvent, CardIssuerEventView } from './cards/issuer-events.js';
export type {
  CardStatusRequest,
  CreateCardRequest,
  ListCardsQuery,
  LoanCardView,
  ReplaceCardRequest,
  UpdateCardRequest,
} from './cards/types.js';
export type { AssignAgencyRequest, UnassignAgencyQuery, UnassignAgencyRequest } from './collection/decide.js';
export type { CollectionAgencyAssignmentView, CollectionAgencyQuery } from './collection/view.js';
export type { ListLoanInvestorsQuery, LoanInvestorView } from './owners/view.js';
export type {
  ChargebackView,
  CreateChargebackRequest,
  ListChargebacksQuery,
  UpdateChargebackRequest,
} from './transactions/chargebacks/record.js';
export { statementDocuments } from './statements/documents.js';
export { findStatement } from './statements/evolve.js';
export type * from './statements/types.js';
export { activeStatements, figuresOf, type StatementRecord } from './statements/record.js';
export type * from './transactions/requests.js';
export type * from './transactions/view-types.js';
export type { ActivityReply, StatusChangeReply } from './views/activity.js';
export type {
  AmortizeReply,
  BalanceHistoryReply,
  BalancesReply,
  BalanceValue,
  DrawBalancesReply,
  InterestReply,
  ObligationsReply,
  PayoffLetterReply,
  PayoffReply,
  PeriodReply,
  SchedulePreviewReply,
} from './views/read-types.js';
export type * from './views/types.js';
export { type AgreedPayment, type DisputedPurchase, loanAsks, type NamedCase, type PaymentBar } from './questions.js';
export { withDocuments } from './named-documents.js';
export { underCase } from './under-case.js';
export { asOneOrder } from './ledger/one-order.js';
export { OF_HISTORY, onHistory } from './migration/line/on-history.js';
export { onItsDay, PAST_TOOLS } from './migration/past-tools.js';
export { PREPARABLE, preparing } from './migration/prepared.js';
export { isInPreparation } from './migration/stage.js';
export { type DisputeStatus, findDispute, findPurchase } from './purchases/posting.js';
export type { PurchaseFacts } from './purchases/evolve.js';
export { endPlan } from './autopay/ending.js';
export { livePlan, livePlan as autopayPlanOf } from './autopay/plan.js';
export { expectedAutopay, nextAutopayAmount } from './autopay/view.js';
export { findPromisePlan, isPromiseKept } from './promises/view.js';
export { beginAction } from './commands/order.js';
export {
  balancesIn,
  isLine,
  obligationsIn,
  overdueIn,
  periodsIn,
  type RunningLedger,
  runningOf,
  storedFacts,
  toReadOn,
  upToDate,
} from './ledger/running.js';
export { ownershipOf } from './owners/owners.js';
export { drawIdOf } from './draws/draw.js';
export { type DrawFigures, drawFigures } from './draws/view.js';
export { splitOf } from './transactions/view.js';
export { thresholdDraft } from './ledger/threshold-holds.js';
export type { AwaitingCardQuery, AwaitingCardWork, MovedByCard, MovedByCardQuery } from './transactions/awaiting-card.js';
export type {
  CardAuthorizedBody,
  CardCapturedBody,
  CardDeclinedBody,
  CardReconciledBody,
  CardReconciledView,
} from './transactions/commands/card-processing.js';
export type { CardDisputeBody } from './transactions/chargebacks/card-dispute.js';
export type { AwaitingFile, AwaitingFileQuery } from './transactions/awaiting-file.js';
export type { TransactionFiled, TransactionUnsendable } from './transactions/commands/processing.js';
export { moveDraft, productOn } from './transactions/moves.js';
export { isInternalMoney, isPaidToBorrower, type TransactionRecord, type UsedInstrument } from './transactions/record.js';
export {
  type PayoutAtBankRequest,
  dailyReimbursementAtBank,
  type ListPayoutsQuery,
  type OpenPayout,
  type OpenPayoutQuery,
  type MerchantReserveNow,
  type PayoutReply,
  type ReleaseReserveRequest,
  type RemittanceEntryView,
  type RemittanceQuery,
  type PayoutsReported,
  REIMBURSEMENT_FACTS,
  reimbursementsAtBank,
  type ReportedPayout,
} from './payouts/index.js';
export * from './credit-reporting/index.js';
export type { CreditCases, CreditEnv } from './questions.js';
export * from './credit-files/index.js';
export type {
  AccountingBalancesOfLoan,
  AccountingBalancesQuery,
  AccountingEntriesOfLoan,
  AccountingAsOf,
  AccountingFact,
  AccountingItemsOfLoan,
  AccountingItemsQuery,
  AccountingEntriesQuery,
} from './general-ledger/index.js';
