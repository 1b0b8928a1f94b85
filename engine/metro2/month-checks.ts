import { type Checked, isIn, LATE, type MonthCheck, NEGATIVE, PAID } from './check.js';
import type { Base } from './records.js';

type Reported = Pick<Base, 'accountStatus' | 'paymentRating' | 'currentBalance'>;

/** Position 1 of the history after a month with this status. */
const AFTER: Readonly<Record<string, string>> = { '71': '1', '78': '2', '80': '3', '82': '4', '83': '5', '84': '6' };
const LETTERS: Readonly<Record<string, string>> = {
  '62': 'G',
  '93': 'G',
  '65': 'H',
  '94': 'H',
  '61': 'J',
  '95': 'J',
  '63': 'K',
  '96': 'K',
  '64': 'L',
  '97': 'L',
};

/** The letters that position 1 of the history can have in the month after an account was reported; null: none follows from its status. */
export function lettersAfter({ accountStatus, paymentRating, currentBalance }: Reported): string | null {
  if (accountStatus === '11') return currentBalance > 0 ? '0' : '0E';
  if (accountStatus === '05' || accountStatus === '13') return paymentRating;
  return AFTER[accountStatus ?? ''] ?? LETTERS[accountStatus ?? ''] ?? null;
}

/** What a status may not have become one month later: a month adds 30 days. */
const TOO_FAST: Readonly<Record<string, string>> = { '71': '80 82 83 84', '78': '82 83 84', '80': '83 84', '82': '84' };

const hadIndicator = ({ indicators }: Checked): boolean => indicators.length > 0;

/** The records of successive months. */
export const MONTH_CHECKS: readonly MonthCheck[] = [
  {
    id: 'PHP-Status-1',
    fields: ['paymentHistoryProfile', 'accountStatus'],
    use: 'unless',
    message: 'the history and the late status of last month differ',
    isWrong: ({ history }, before) => LATE.has(before.status) && !hadIndicator(before) && history[0] !== AFTER[before.status],
  },
  {
    id: 'PHP-Status-2',
    fields: ['paymentHistoryProfile', 'accountStatus', 'portfolioType'],
    use: 'unless',
    message: 'the history and the current status of last month differ',
    isWrong: ({ history, portfolio }, before) =>
      isIn(portfolio, 'C O R') && before.status === '11' && before.balance > 0 && !hadIndicator(before) && history[0] !== '0',
  },
  {
    id: 'PHP-Status-3',
    fields: ['paymentHistoryProfile', 'accountStatus'],
    use: 'unless',
    message: 'the history and the status of last month differ',
    isWrong: ({ history }, before) => before.status in LETTERS && !hadIndicator(before) && history[0] !== LETTERS[before.status],
  },
  {
    id: 'PROG-AccountChange-1',
    fields: ['L1.newConsumerAccountNumber'],
    use: 'block',
    message: 'the new account number was announced last month',
    isWrong: ({ change }, before) => isIn(before.change?.indicator ?? '', '1 3') && change?.account === before.change?.account,
  },
  {
    id: 'PROG-AccountChange-2',
    fields: ['L1.newIdentificationNumber'],
    use: 'block',
    message: 'the new identification number was announced last month',
    isWrong: ({ change }, before) =>
      isIn(before.change?.indicator ?? '', '2 3') && change?.identification === before.change?.identification,
  },
  {
    id: 'PROG-AccountChange-3',
    fields: ['L1.newConsumerAccountNumber', 'consumerAccountNumber'],
    use: 'block',
    message: 'last month announced a change to the account number that was in use',
    isWrong: ({ account }, before) =>
      isIn(before.change?.indicator ?? '', '1 3') && before.change?.account === account && before.account === account,
  },
  {
    id: 'PROG-Bankruptcy-1',
    fields: ['consumerInformationIndicator'],
    use: 'warn',
    message: 'a reaffirmation that was rescinded came back',
    isWrong: ({ indicator }, before) => before.indicator === 'V' && indicator === 'R',
  },
  {
    id: 'PROG-ChargeOff-1',
    fields: ['originalChargeOffAmount', 'accountStatus'],
    use: 'unless',
    message: 'the original charge-off amount does not change',
    isWrong: ({ chargeOff }, before) => isIn(before.status, '64 97') && chargeOff !== before.chargeOff,
  },
  {
    id: 'PROG-DateClosed-1',
    fields: ['dateClosed', 'portfolioType'],
    use: 'unless',
    message: 'the closing date does not change',
    isWrong: ({ portfolio, closed }, before) => isIn(portfolio, 'I M') && before.closed !== null && closed !== before.closed,
  },
  {
    id: 'PROG-DateOpen-1',
    fields: ['dateOpened'],
    use: 'unless',
    message: 'the date opened does not change',
    isWrong: ({ opened }, before) => opened !== before.opened,
  },
  {
    id: 'PROG-DOFD-1',
    fields: ['dateOfFirstDelinquency', 'accountStatus'],
    use: 'unless',
    message: 'the date of first delinquency does not move while the delinquency lasts',
    isWrong: ({ status, delinquency }, before) => NEGATIVE.has(before.status) && NEGATIVE.has(status) && delinquency !== before.delinquency,
  },
  {
    id: 'PROG-DOFD-2',
    fields: ['dateOfFirstDelinquency', 'accountStatus', 'paymentRating'],
    use: 'unless',
    message: 'the date of first delinquency does not move after the account is closed',
    isWrong: ({ status, delinquency }, before) =>
      before.status === '13' && before.rating !== '0' && status === '13' && delinquency !== before.delinquency,
  },
  {
    id: 'PROG-DOFD-3',
    fields: ['dateOfFirstDelinquency', 'accountStatus'],
    use: 'unless',
    message: 'the loan is current again, so the date of first delinquency ends',
    isWrong: ({ status, delinquency }, before) =>
      (LATE.has(before.status) || PAID.has(before.status) || isIn(before.status, '93 94 95 96 97')) &&
      status === '11' &&
      delinquency === before.delinquency,
  },
  {
    id: 'PROG-ECOA-1',
    fields: ['ecoaCode', 'surname', 'firstName'],
    use: 'block',
    message: 'a consumer who was removed came back',
    isWrong: ({ ecoa, name }, before) => before.ecoa === 'Z' && name === before.name && ecoa !== 'Z',
  },
  {
    id: 'PROG-Portfolio-1',
    fields: ['portfolioType'],
    use: 'unless',
    message: 'another product is another account',
    isWrong: ({ portfolio }, before) => portfolio !== before.portfolio,
  },
  {
    id: 'PROG-Type-1',
    fields: ['accountType'],
    use: 'unless',
    message: 'another type is another account',
    isWrong: ({ type }, before) => type !== before.type,
  },
  {
    id: 'PROG-Rating-1',
    fields: ['paymentRating', 'accountStatus', 'portfolioType'],
    use: 'unless',
    message: 'the rating does not change after the account is closed',
    isWrong: ({ portfolio, status, rating }, before) =>
      isIn(portfolio, 'I M') && isIn(before.status, '05 13 62 65 88 89 94 95') && status === before.status && rating !== before.rating,
  },
  {
    id: 'PROG-Status-1',
    fields: ['accountStatus'],
    use: 'warn',
    message: 'one month adds 30 days; a returned payment or another date can add more',
    isWrong: ({ status }, before) => isIn(status, TOO_FAST[before.status] ?? ''),
  },
  {
    id: 'PROG-Status-2',
    fields: ['accountStatus'],
    use: 'warn',
    message: 'a foreclosed account was charged off',
    isWrong: ({ status }, before) => isIn(before.status, '89 94') && status === '97',
  },
  {
    id: 'PROG-Status-3',
    fields: ['accountStatus'],
    use: 'warn',
    message: 'an account that was settled has another status',
    isWrong: ({ status }, before) => (before.status === '13' || PAID.has(before.status)) && status !== before.status,
  },
];
