import type { Day } from '../calendar/index.js';
import type { AccountRecord } from './records.js';

/*
 * What a check looks at, and the sets of codes that the checks share. Source: the conditions that a federal supervisor's public tool looks
 * for in furnished data (github.com/cfpb/Metro2, CC0).
 */

/**
 * One account of a month, as a check sees it: fields in short, numbers and names without regard to case. Amounts are compared with zero by
 * their sign, since files of others have negative ones.
 */
export interface Checked {
  readonly activityDate: Day;
  readonly account: string;
  readonly identification: string;
  readonly portfolio: string;
  readonly type: string;
  readonly opened: Day | null;
  readonly limit: number;
  readonly highest: number;
  readonly duration: string;
  readonly frequency: string;
  readonly scheduled: number;
  readonly actual: number;
  readonly status: string;
  readonly rating: string;
  readonly history: string;
  readonly comment: string;
  readonly condition: string;
  readonly balance: number;
  readonly pastDue: number;
  readonly chargeOff: number;
  readonly information: Day | null;
  readonly delinquency: Day | null;
  readonly closed: Day | null;
  readonly lastPayment: Day | null;
  readonly ecoa: string;
  /** Of the borrower. */
  readonly indicator: string;
  readonly name: string;
  /** Of the co-borrowers. */
  readonly otherEcoas: readonly string[];
  /** Of the borrower and all co-borrowers, those that are there. */
  readonly indicators: readonly string[];
  readonly sold: { readonly indicator: string; readonly name: string } | null;
  /** The amount of a balloon; null without a segment K4. */
  readonly balloon: number | null;
  readonly change: { readonly indicator: string; readonly account: string; readonly identification: string } | null;
}

const same = (value: string | null): string => (value ?? '').toUpperCase();

export function checkedOf(activityDate: Day, { base, J1, J2, K2, K4, L1 }: AccountRecord): Checked {
  const others = [...J1, ...J2];
  return {
    activityDate,
    account: same(base.consumerAccountNumber),
    identification: same(base.identificationNumber),
    portfolio: same(base.portfolioType),
    type: same(base.accountType),
    opened: base.dateOpened,
    limit: base.creditLimit,
    highest: base.highestCredit,
    duration: same(base.termsDuration),
    frequency: same(base.termsFrequency),
    scheduled: base.scheduledMonthlyPayment,
    actual: base.actualPayment,
    status: same(base.accountStatus),
    rating: same(base.paymentRating),
    history: same(base.paymentHistoryProfile),
    comment: same(base.specialComment),
    condition: same(base.complianceConditionCode),
    balance: base.currentBalance,
    pastDue: base.amountPastDue,
    chargeOff: base.originalChargeOffAmount,
    information: base.dateOfAccountInformation,
    delinquency: base.dateOfFirstDelinquency,
    closed: base.dateClosed,
    lastPayment: base.dateOfLastPayment,
    ecoa: same(base.ecoaCode),
    indicator: same(base.consumerInformationIndicator),
    name: `${same(base.surname)}/${same(base.firstName)}`,
    otherEcoas: others.map(({ ecoaCode }) => same(ecoaCode)),
    indicators: [base, ...others]
      .map(({ consumerInformationIndicator }) => same(consumerInformationIndicator))
      .filter((code) => code !== ''),
    sold: K2 && { indicator: same(K2.purchasedSoldIndicator), name: same(K2.purchasedSoldName) },
    balloon: K4 && K4.balloonPaymentAmount,
    change: L1 && {
      indicator: same(L1.changeIndicator),
      account: same(L1.newConsumerAccountNumber),
      identification: same(L1.newIdentificationNumber),
    },
  };
}

/**
 * How a condition that is met is treated: `block` = the account is not sent; `unless` = not sent, except where `PRECEDENCE` switches the
 * check off; `warn` = sent, and the reason is kept; `off` = would refuse correct records, so it is not enforced.
 */
type Use = 'block' | 'unless' | 'warn' | 'off';

export interface Check {
  readonly id: string;
  /** The fields that disagree, by their names in the record. */
  readonly fields: readonly string[];
  readonly use: Use;
  /** What is wrong, for the person who corrects it. */
  readonly message: string;
}

/** About one record. */
export interface AccountCheck extends Check {
  isWrong(account: Checked): boolean;
}

/** About a record and that of the same loan one month before. */
export interface MonthCheck extends Check {
  isWrong(account: Checked, before: Checked): boolean;
}

export const codes = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const LATE = codes('71 78 80 82 83 84');
export const PAID = codes('61 62 63 64 65');
export const NEGATIVE = codes('71 78 80 82 83 84 61 62 63 64 65 88 89 93 94 95 96 97');
export const LATE_RATING = codes('1 2 3 4 5 6 G L');

/** Fields of a base segment that show a default. */
interface DefaultFields {
  readonly accountStatus: string | null;
  readonly paymentRating: string | null;
  readonly consumerInformationIndicator: string | null;
}

/** Whether a record reports a delinquency, an insolvency or another default: negative information (15 USC 1681s-2(a)(7)(G)(i)). */
export const isNegative = ({ accountStatus, paymentRating, consumerInformationIndicator }: DefaultFields): boolean =>
  NEGATIVE.has(accountStatus ?? '') ||
  (isIn(accountStatus ?? '', '05 13') && LATE_RATING.has(paymentRating ?? '')) ||
  BANKRUPTCY.has(consumerInformationIndicator ?? '');

/** The account is with another company now. */
export const GONE = codes('AH AT O');
export const GONE_OR_REFINANCED = codes('AH AT O BB BE');
/** The account has ended. */
export const ENDED = codes('AU AX BP C AH AT O BC BF BJ AS');
export const BANKRUPTCY = codes('A B C D E F G H Z V 1A');
export const DISCHARGED = codes('E F G H');

const LINE_TYPES = codes('15 43 47 89 7A 9B');
const REVOLVING_TYPES = codes('18 37 43 2A 8A');

export const isLine = ({ portfolio, type }: Checked): boolean =>
  portfolio === 'C' ? LINE_TYPES.has(type) : (portfolio === 'O' || portfolio === 'R') && REVOLVING_TYPES.has(type);

export const isIn = (value: string, list: string): boolean => value !== '' && list.split(' ').includes(value);
