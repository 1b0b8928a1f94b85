import {
  computeLedger,
  computeLine,
  type Day,
  dayOf,
  civil,
  type LedgerState,
  type LineState,
  metro2,
  must,
} from '../../../engine/index.js';
import { type CreditAgencyRecord, currentSettings } from '../../company/index.js';
import { placedDays } from '../collection/index.js';
import { activatedOf, loanTypeOf, recordOf } from '../context.js';
import { factsOf, termsOf } from '../ledger/installment.js';
import { lineFactsOf, lineTermsOf } from '../line/ledger.js';
import type { CreditEnv } from '../questions.js';
import { hasSpread } from '../rates/rows.js';
import type { LoanState } from '../state.js';
import { complianceCondition } from './compliance-condition.js';
import { addressedOf, coBorrowersOf, type Consumers, consumersOf, mainEcoa, namedOf } from './consumers.js';
import { indicatorsOf, petitionOfOthers } from './indicators.js';
import { numbersOf } from './numbers.js';
import { saleOf } from './sales.js';
import { automaticComment } from './special-comments.js';
import type { CreditRecord, CreditReportingStatus, ReportedFields } from './types.js';

/** What a record is made for. */
export interface ReportAsked {
  readonly agency: CreditAgencyRecord;
  readonly status: CreditReportingStatus;
  /** The last day of the month. */
  readonly activityDay: Day;
  /** What was sent of the loan to the agency for an earlier month. */
  readonly before: CreditRecord | null;
}

export interface DerivedRecord {
  readonly account: metro2.AccountRecord;
  readonly consumers: Consumers;
  /** What is kept with the loan: no personal data. */
  readonly fields: ReportedFields;
  readonly otherIndicators: CreditRecord['otherIndicators'];
  readonly numberChange: metro2.NumberChange | null;
}

/** What a line is made of, with the names of today. */
interface OfRecord extends Pick<DerivedRecord, 'consumers' | 'fields' | 'otherIndicators' | 'numberChange'> {
  readonly activityDay: Day;
}

type Ledger = LedgerState | LineState;

/** Statuses by which an account ends without a balance. */
const SETTLED: ReadonlySet<string> = new Set(['05', '13', '61', '62', '63', '64', '65']);
/** Those that are reported as of the day on which the account was paid. */
const PAID: ReadonlySet<string> = new Set(['13', '61', '62', '63', '64', '65']);
const CHARGED_OFF: ReadonlySet<string> = new Set(['64', '97']);
const DELETIONS: ReadonlySet<string> = new Set(['DA', 'DF']);
const DISCHARGED: ReadonlySet<string> = new Set(['E', 'F', 'G', 'H']);

/** The record of a loan for a month; null: there is nothing to report. */
export function deriveRecord(env: CreditEnv, state: LoanState, asked: ReportAsked): DerivedRecord | null {
  const { activityDay, status } = asked;
  const { activation } = activatedOf(state).contract.terms;
  if (activityDay < activation) return null;
  const consumers = consumersOf(env, state, activityDay);
  if (consumers === null || consumers.main.isBusiness) return null;
  const recorder = new metro2.LifeRecorder();
  const ledger = ledgerOn(env, state, activityDay, recorder);
  const isLine = 'draws' in ledger;
  const migrated = state.migration?.creditReporting ?? null;
  const month = metro2.creditMonth(recorder.changes.filter(isNoCancellation), activityDay, {
    opened: openedOn(state),
    reportedFrom: status.startDay,
    historyBefore: migrated?.paymentHistoryProfile ?? '',
    servicedFrom: activation,
    placements: placedDays(state),
    petitionOn: consumers.mainCases.petitionOn,
    isLine,
  });
  if (month === null) return null;
  const { year, month: monthOfYear } = civil(activityDay);
  const figures = metro2.creditFigures(ledger, dayOf(year, monthOfYear, 1));
  const balance = metro2.wholeDollars(figures.balanceCents);
  const code = codeOf(month, balance, status);
  const numbers = numbersOf(env, state, asked);
  const { main: consumerInformationIndicator, others: otherIndicators } = indicatorsOf(consumers, asked.before);
  const fields: ReportedFields = {
    ...numbers.base,
    ...termsFields(env, state, { ledger, recorder }),
    ...statusFields({
      month,
      firstDelinquency: firstDelinquencyOf(month, recorder, migrated?.dateOfFirstDelinquency ?? null) ?? petitionOfOthers(consumers),
      figures,
      code,
      recorder,
      asked,
      consumers,
    }),
    ...accountFields(state, asked, { ledger, code, consumers, balance }),
    consumerInformationIndicator,
  };
  const { change: numberChange } = numbers;
  const kept = { consumers, fields, otherIndicators, numberChange };
  return { account: recordFrom(env, state, { activityDay, ...kept }), ...kept };
}

/** A canceled loan is reported only to end what is on file of it: as the account was, owing nothing. */
const isNoCancellation = (change: metro2.CreditChange): boolean => change.type !== 'status' || change.status !== 'canceled';

/** A record with its names, from what is kept of it. */
export function recordFrom(
  env: CreditEnv,
  state: LoanState,
  { activityDay, consumers, fields, otherIndicators, numberChange }: OfRecord,
): metro2.AccountRecord {
  return {
    base: {
      recordLength: metro2.RECORD_LENGTH,
      processingIndicator: '1',
      timestamp: timestampOf(env.now),
      correctionIndicator: '0',
      cycle: null,
      ...fields,
      ...namedOf(consumers.main),
      ...addressedOf(consumers.main),
    },
    ...coBorrowersOf(consumers, otherIndicators),
    K1: null,
    K2: saleOf(env, state, activityDay),
    K3: null,
    K4: null,
    L1: numberChange,
    N1: null,
  };
}

function ledgerOn(env: CreditEnv, state: LoanState, day: Day, recorder: metro2.LifeRecorder): Ledger {
  if (state.line !== null) return computeLine(lineTermsOf(state, env), lineFactsOf(state.line), day, recorder);
  return computeLedger(termsOf(state, env), factsOf(must(state.servicing, `${state.id} is active`)), day, recorder);
}

/** A delinquency that began before the loan came here keeps its date until the loan is current. */
const firstDelinquencyOf = ({ firstDelinquency }: metro2.CreditMonth, { changes }: metro2.LifeRecorder, before: Day | null): Day | null =>
  before !== null && firstDelinquency !== null && before < firstDelinquency && !changes.some(({ type }) => type === 'current')
    ? before
    : firstDelinquency;

const openedOn = (state: LoanState): Day => state.migration?.activatedDay ?? activatedOf(state).contract.terms.activation;

/** The caller's code of a final report, a deletion, or what follows from the ledger. */
function codeOf(month: metro2.CreditMonth, balance: number, status: CreditReportingStatus): string {
  if (status.finalStatusCode !== null && (status.status === 'stopping' || status.status === 'deleting')) return status.finalStatusCode;
  return month.status === '97' && balance === 0 ? '64' : month.status;
}

interface OfTerms {
  readonly ledger: Ledger;
  readonly recorder: metro2.LifeRecorder;
}

type TermsFields = Pick<
  metro2.Base,
  'portfolioType' | 'accountType' | 'dateOpened' | 'creditLimit' | 'highestCredit' | 'termsDuration' | 'termsFrequency' | 'interestType'
>;

function termsFields(env: CreditEnv, state: LoanState, { ledger, recorder }: OfTerms): TermsFields {
  const { atOrigination } = recordOf(state);
  const keys = currentSettings(loanTypeOf(env, state)).creditReporting.metro2;
  const isLine = 'draws' in ledger;
  const portfolioType = keys['metro2PortfolioType'] ?? (isLine ? 'C' : 'I');
  const isVariable = hasSpread(state);
  return {
    portfolioType,
    accountType: metro2.fieldText(keys['metro2AccountType'], 2),
    dateOpened: openedOn(state),
    creditLimit: isLine ? metro2.wholeDollars(ledger.limitCents) : 0,
    highestCredit: metro2.wholeDollars(isLine ? recorder.highestCents : atOrigination.principalCents),
    termsDuration:
      portfolioType === 'C'
        ? 'LOC'
        : portfolioType === 'R'
          ? 'REV'
          : portfolioType === 'O'
            ? '001'
            : metro2.termsDuration(atOrigination.duration ?? 1, atOrigination.paymentFrequency, portfolioType === 'M'),
    termsFrequency: metro2.frequencyCode(atOrigination.paymentFrequency),
    interestType: isVariable ? 'V' : 'F',
  };
}

interface OfStatus {
  readonly firstDelinquency: Day | null;
  readonly month: metro2.CreditMonth;
  readonly figures: metro2.CreditFigures;
  readonly code: string;
  readonly recorder: metro2.LifeRecorder;
  readonly asked: ReportAsked;
  readonly consumers: Consumers;
}

type StatusFields = Pick<
  metro2.Base,
  | 'accountStatus'
  | 'paymentRating'
  | 'paymentHistoryProfile'
  | 'currentBalance'
  | 'amountPastDue'
  | 'actualPayment'
  | 'originalChargeOffAmount'
  | 'dateOfAccountInformation'
  | 'dateOfFirstDelinquency'
  | 'dateClosed'
  | 'dateOfLastPayment'
>;

function statusFields({ month, firstDelinquency, figures, code, recorder, asked, consumers }: OfStatus): StatusFields {
  const isSettled = SETTLED.has(code);
  const isDischarged = DISCHARGED.has(consumers.mainCases.indicator ?? '');
  const owesNothing = isSettled || isDischarged;
  // An account without a balance is closed, also in the record that deletes it.
  const isDeletedAtZero = DELETIONS.has(code) && metro2.wholeDollars(figures.balanceCents) === 0;
  const endedOn = isSettled || isDeletedAtZero ? (month.closedOn ?? asked.status.endDay ?? figures.lastPaymentOn) : null;
  const closedOn = code === '64' && month.chargedOffOn !== null ? (figures.lastPaymentOn ?? month.chargedOffOn) : endedOn;
  const isLate = code !== '11' && !owesNothing;
  return {
    accountStatus: code,
    paymentRating: metro2.needsRating(code) ? (month.rating ?? metro2.ratingOf(month.daysLate)) : null,
    paymentHistoryProfile: month.history,
    currentBalance: owesNothing ? 0 : metro2.wholeDollars(figures.balanceCents),
    amountPastDue: isLate ? metro2.wholeDollars(figures.pastDueCents) : 0,
    actualPayment: metro2.wholeDollars(figures.paidCents),
    originalChargeOffAmount: CHARGED_OFF.has(code) ? metro2.wholeDollars(recorder.chargeOffCents) : 0,
    dateOfAccountInformation: PAID.has(code) ? (closedOn ?? asked.activityDay) : asked.activityDay,
    dateOfFirstDelinquency: firstDelinquency,
    dateClosed: closedOn,
    dateOfLastPayment: figures.lastPaymentOn,
  };
}

type AccountFields = Pick<metro2.Base, 'scheduledMonthlyPayment' | 'ecoaCode' | 'complianceConditionCode' | 'specialComment'>;

interface OfAccount {
  readonly ledger: Ledger;
  readonly code: string;
  readonly consumers: Consumers;
  /** In whole dollars, as it is sent. */
  readonly balance: number;
}

function accountFields(state: LoanState, asked: ReportAsked, of: OfAccount): AccountFields {
  const { agency, before, activityDay } = asked;
  const { code, consumers, ledger, balance } = of;
  const oneTime = oneTimeFor(state, agency.id);
  const sent = before?.fields.complianceConditionCode ?? null;
  const disputed = complianceCondition({ disputes: state.disputes, cases: consumers.mainCases, before: sent });
  const isOpen = code === '11' || code === '93' || metro2.isLateStatus(code);
  const automatic = automaticComment(state, { ledger, cases: consumers.mainCases, activityDay, code, balance, isOpen });
  const owesNothing = !isOpen || DISCHARGED.has(consumers.mainCases.indicator ?? '');
  return {
    scheduledMonthlyPayment: owesNothing ? 0 : metro2.wholeDollars(scheduledCents(state, ledger, balance)),
    ecoaCode: oneTime?.ecoaCode ?? mainEcoa(consumers),
    complianceConditionCode: oneTime?.complianceConditionCode ?? disputed,
    specialComment: oneTime?.specialComment ?? automatic,
  };
}

const oneTimeFor = ({ creditReporting: { oneTime } }: LoanState, agencyId: string): typeof oneTime =>
  oneTime?.forAgencies.includes(agencyId) === true ? oneTime : null;

/** A payment a month; of a line the minimum of its last statement, as a month of its payments has it. */
function scheduledCents(state: LoanState, ledger: Ledger, balance: number): number {
  const { paymentFrequency } = recordOf(state).atOrigination;
  if ('draws' in ledger) return balance === 0 ? 0 : metro2.monthlyCents(ledger.obligations.at(-1)?.amountCents ?? 0, paymentFrequency);
  const { contract } = must(state.servicing, `${state.id} is active`);
  return metro2.monthlyCents(contract.periodicPaymentCents, paymentFrequency);
}

/** MMDDYYYYHHMMSS in UTC. */
function timestampOf(now: number): string {
  const [year = '', month = '', ...rest] = new Date(now).toISOString().split(/\D/);
  return `${month}${rest[0] ?? ''}${year}${rest.slice(1, 4).join('')}`;
}
