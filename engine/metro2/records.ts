import { date, digits, fixed, number, type RecordOf, reserved, text } from './fields.js';
import { layout } from './layout.js';

/* The records of a Metro 2 file in character format, each a list of fields with their lengths. */

export const RECORD_LENGTH = 426;

export const HEADER = layout(RECORD_LENGTH, [
  number('recordLength', 4),
  fixed('HEADER'),
  text('cycle', 2),
  text('innovisId', 10),
  text('equifaxId', 10),
  text('experianId', 5),
  text('transUnionId', 10),
  date('activityDate', { isRequired: true }),
  date('createdDate', { isRequired: true }),
  date('programDate'),
  date('programRevisionDate'),
  text('reporterName', 40, { isRequired: true }),
  text('reporterAddress', 96, { isRequired: true }),
  digits('reporterPhone', 10),
  text('softwareVendor', 40),
  text('softwareVersion', 5),
  text('otherId', 10),
  reserved(146),
] as const);

const nameFields = [
  text('surname', 25, { isRequired: true }),
  text('firstName', 20, { isRequired: true }),
  text('middleName', 20),
] as const;

const addressFields = [
  text('country', 2, { matches: /^[A-Z]{2}$/ }),
  text('address1', 32, { isRequired: true }),
  text('address2', 32),
  text('city', 20, { isRequired: true }),
  text('state', 2, { matches: /^[A-Z]{2}$/, isRequired: true }),
  text('zip', 9, { matches: /^\d{5}(\d{4})?$/, isRequired: true }),
  text('addressIndicator', 1, { matches: /^[CYNMSBUDP]$/ }),
  text('residence', 1, { matches: /^[OR]$/ }),
] as const;

const whoFields = [
  text('generation', 1, { matches: /^[JS2-9]$/ }),
  digits('ssn', 9),
  date('birthDate', { isRequired: true }),
  digits('phone', 10),
  text('ecoaCode', 1, { matches: /^[1235TXWZ7]$/, isRequired: true }),
  text('consumerInformationIndicator', 2, { matches: /^([A-VZ]|1A|2A)$/ }),
] as const;

export const BASE = layout(RECORD_LENGTH, [
  number('recordLength', 4),
  text('processingIndicator', 1, { matches: /^1$/, isRequired: true }),
  digits('timestamp', 14),
  text('correctionIndicator', 1, { matches: /^[01]$/, isRequired: true }),
  text('identificationNumber', 20, { matches: /(?!0+$)(?=.*\d{5})/, isRequired: true }),
  text('cycle', 2),
  text('consumerAccountNumber', 30, { matches: /^[^ ]+$/, isRequired: true }),
  text('portfolioType', 1, { matches: /^[CILMOR]$/, isRequired: true }),
  text('accountType', 2, { matches: /^[0-9][0-9A-Z]$/, isRequired: true }),
  date('dateOpened', { isRequired: true }),
  number('creditLimit', 9),
  number('highestCredit', 9),
  text('termsDuration', 3, { matches: /^(\d{3}|LOC|REV)$/, isRequired: true }),
  text('termsFrequency', 1, { matches: /^[DPWBEMLQTSY]$/ }),
  number('scheduledMonthlyPayment', 9),
  number('actualPayment', 9),
  text('accountStatus', 2, { matches: /^(05|11|13|6[1-5]|71|78|80|8[2-4]|88|89|9[3-7]|DA|DF)$/, isRequired: true }),
  text('paymentRating', 1, { matches: /^[0-6GL]$/ }),
  text('paymentHistoryProfile', 24, { matches: /^[0-6BDEGHJKL]{24}$/, isRequired: true }),
  text('specialComment', 2, { matches: /^[A-Z]{1,2}$/ }),
  text('complianceConditionCode', 2, { matches: /^X[A-HJR]$/ }),
  number('currentBalance', 9),
  number('amountPastDue', 9),
  number('originalChargeOffAmount', 9),
  date('dateOfAccountInformation', { isRequired: true }),
  date('dateOfFirstDelinquency'),
  date('dateClosed'),
  date('dateOfLastPayment'),
  text('interestType', 1, { matches: /^[FV]$/ }),
  reserved(17),
  ...nameFields,
  ...whoFields,
  ...addressFields,
] as const);

/** A co-borrower who lives with the borrower. */
export const J1 = layout(100, [fixed('J1 '), ...nameFields, ...whoFields, reserved(1)] as const);

/** A co-borrower with another address. */
export const J2 = layout(200, [fixed('J2 '), ...nameFields, ...whoFields, ...addressFields, reserved(2)] as const);

/** The original creditor. */
export const K1 = layout(34, [fixed('K1'), text('originalCreditor', 30, { isRequired: true }), text('creditorClass', 2)] as const);

/** Who has sold the account, or bought it. */
export const K2 = layout(34, [
  fixed('K2'),
  text('purchasedSoldIndicator', 1, { matches: /^[129]$/, isRequired: true }),
  text('purchasedSoldName', 30),
  reserved(1),
] as const);

/** What identifies a mortgage. */
export const K3 = layout(40, [fixed('K3'), text('agency', 2), text('agencyAccount', 18), text('mortgageNumber', 18)] as const);

/** A payment that differs from the others. */
export const K4 = layout(30, [
  fixed('K4'),
  text('paymentIndicator', 2, { matches: /^0[12]$/, isRequired: true }),
  date('deferredStart'),
  date('balloonDue'),
  number('balloonPaymentAmount', 9),
  reserved(1),
] as const);

/** The account has another number. */
export const L1 = layout(54, [
  fixed('L1'),
  text('changeIndicator', 1, { matches: /^[123]$/, isRequired: true }),
  text('newConsumerAccountNumber', 30),
  text('newIdentificationNumber', 20),
  reserved(1),
] as const);

/** The employment of the borrower. It is read and never written: the service knows no employer. */
export const N1 = layout(146, [
  fixed('N1'),
  text('employer', 30),
  text('address1', 32),
  text('address2', 32),
  text('city', 20),
  text('state', 2),
  text('zip', 9),
  text('occupation', 18),
  reserved(1),
] as const);

/** In the order in which they follow the base segment. */
export const SEGMENTS = { J1, J2, K1, K2, K3, K4, L1, N1 } as const;

export type SegmentName = keyof typeof SEGMENTS;

export const isSegment = (name: string): name is SegmentName => Object.hasOwn(SEGMENTS, name);

/** The records of segments by their names. */
export type SegmentRecords = { readonly [Name in SegmentName]: RecordOf<(typeof SEGMENTS)[Name]['fields']> };

export type Header = RecordOf<typeof HEADER.fields>;
export type Base = RecordOf<typeof BASE.fields>;
export type CoBorrower = RecordOf<typeof J1.fields>;
export type DistantCoBorrower = RecordOf<typeof J2.fields>;
type OriginalCreditor = RecordOf<typeof K1.fields>;
type PurchasedSold = RecordOf<typeof K2.fields>;
type Mortgage = RecordOf<typeof K3.fields>;
type SpecialPayment = RecordOf<typeof K4.fields>;
export type NumberChange = RecordOf<typeof L1.fields>;
type Employment = RecordOf<typeof N1.fields>;

/** One account: the base segment and what is appended to it. */
export interface AccountRecord {
  readonly base: Base;
  readonly J1: readonly CoBorrower[];
  readonly J2: readonly DistantCoBorrower[];
  readonly K1: OriginalCreditor | null;
  readonly K2: PurchasedSold | null;
  readonly K3: Mortgage | null;
  readonly K4: SpecialPayment | null;
  readonly L1: NumberChange | null;
  readonly N1: Employment | null;
}
