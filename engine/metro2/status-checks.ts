import { addDays } from '../calendar/index.js';
import { type AccountCheck, GONE, GONE_OR_REFINANCED, isIn, isLine, LATE, LATE_RATING, NEGATIVE, PAID } from './check.js';

/** The account's status against amounts and dates: 17A and 17B of the base segment. */
export const STATUS_CHECKS: readonly AccountCheck[] = [
  {
    id: 'Status-APD-1',
    fields: ['accountStatus', 'amountPastDue'],
    use: 'block',
    message: 'nothing can be past due on a current or settled loan',
    isWrong: ({ status, pastDue }) => (isIn(status, '05 11 13') || PAID.has(status)) && pastDue > 0,
  },
  {
    id: 'Status-APD-2',
    fields: ['accountStatus', 'amountPastDue'],
    use: 'unless',
    message: 'a late status needs an amount past due',
    isWrong: ({ status, pastDue }) => (LATE.has(status) || isIn(status, '93 97')) && pastDue <= 0,
  },
  {
    id: 'Status-APD-3',
    fields: ['accountStatus', 'portfolioType', 'accountType', 'amountPastDue'],
    use: 'unless',
    message: 'a surrendered or repossessed vehicle owes what is past due',
    isWrong: ({ status, portfolio, type, pastDue }) => isIn(status, '95 96') && portfolio === 'I' && isIn(type, '00 13 3A') && pastDue <= 0,
  },
  {
    id: 'Status-Balance-1',
    fields: ['accountStatus', 'currentBalance'],
    use: 'block',
    message: 'a paid or transferred account has no balance',
    isWrong: ({ status, balance }) => (isIn(status, '05 13') || PAID.has(status)) && balance > 0,
  },
  {
    id: 'Status-Balance-2',
    fields: ['accountStatus', 'currentBalance'],
    use: 'unless',
    message: 'a late status needs a balance',
    isWrong: ({ status, balance }) => (LATE.has(status) || isIn(status, '93 97')) && balance <= 0,
  },
  {
    id: 'Status-Balance-3',
    fields: ['accountStatus', 'currentBalance'],
    use: 'unless',
    message: 'a settled deficiency has the status 61 or 63',
    isWrong: ({ status, balance }) => isIn(status, '95 96') && balance <= 0,
  },
  {
    id: 'Status-Balance-4',
    fields: ['accountStatus', 'portfolioType', 'currentBalance', 'specialComment', 'complianceConditionCode'],
    use: 'unless',
    message: 'a loan without a balance is 13, not open',
    isWrong: ({ status, portfolio, balance, comment, condition }) =>
      isIn(portfolio, 'I M') && status === '11' && balance <= 0 && comment !== 'BS' && condition !== 'XA',
  },
  {
    id: 'Status-Balance-5',
    fields: ['accountStatus', 'portfolioType', 'accountType', 'currentBalance'],
    use: 'warn',
    message: 'a line without a balance is right while it is open',
    isWrong: (account) => isLine(account) && account.status === '11' && account.balance <= 0,
  },
  {
    id: 'Status-Balance-6',
    fields: ['accountStatus', 'currentBalance'],
    use: 'unless',
    message: 'without a balance nothing is left to claim',
    isWrong: ({ status, balance }) => isIn(status, '88 89') && balance <= 0,
  },
  {
    id: 'Status-Balance-7',
    fields: ['accountStatus', 'paymentRating', 'currentBalance', 'complianceConditionCode'],
    use: 'unless',
    message: 'a late rating needs a balance',
    isWrong: ({ status, rating, balance, condition }) => status === '94' && LATE_RATING.has(rating) && balance <= 0 && condition !== 'XA',
  },
  {
    id: 'Status-Balance-8',
    fields: ['accountStatus', 'portfolioType', 'currentBalance', 'specialComment', 'L1.changeIndicator'],
    use: 'unless',
    message: 'a loan without a balance needs a settled status',
    isWrong: ({ status, portfolio, balance, comment, change }) =>
      isIn(portfolio, 'I M') &&
      balance <= 0 &&
      change === null &&
      !GONE_OR_REFINANCED.has(comment) &&
      !isIn(status, '13 62 64 DA DF') &&
      !(portfolio === 'I' && isIn(status, '61 63 88 95 96')) &&
      !(portfolio === 'M' && isIn(status, '65 94')),
  },
  {
    id: 'Status-Balance-9',
    fields: ['accountStatus', 'portfolioType', 'currentBalance', 'specialComment', 'L1.changeIndicator'],
    use: 'unless',
    message: 'a line without a balance needs an open or a settled status',
    isWrong: ({ status, portfolio, balance, comment, change }) =>
      isIn(portfolio, 'C O R') &&
      balance <= 0 &&
      change === null &&
      !GONE.has(comment) &&
      !isIn(status, '11 13 62 64 DA DF') &&
      !(portfolio === 'C' && isIn(status, '65 88 89 94')) &&
      !(portfolio === 'O' && status === '88'),
  },
  {
    id: 'Status-Balance-10',
    fields: ['accountStatus', 'portfolioType', 'currentBalance', 'specialComment', 'L1.changeIndicator'],
    use: 'unless',
    message: 'the status means that there is no balance',
    isWrong: ({ status, portfolio, balance, comment, change }) =>
      balance > 0 &&
      change === null &&
      !GONE.has(comment) &&
      !isIn(status, '11 93 97 DA DF') &&
      !LATE.has(status) &&
      !(portfolio === 'I' && isIn(status, '95 96')) &&
      !(portfolio === 'O' && status === '88') &&
      !(isIn(portfolio, 'C M') && isIn(status, '88 89 94')),
  },
  {
    id: 'Status-ChargeOff-1',
    fields: ['accountStatus', 'originalChargeOffAmount'],
    use: 'block',
    message: 'a charge-off amount belongs to 64 and 97',
    isWrong: ({ status, chargeOff }) => (isIn(status, '05 11 13 62 65 89 93') || LATE.has(status)) && chargeOff > 0,
  },
  {
    id: 'Status-ChargeOff-2',
    fields: ['accountStatus', 'originalChargeOffAmount'],
    use: 'block',
    message: 'a charge-off has an amount',
    isWrong: ({ status, chargeOff }) => isIn(status, '64 97') && chargeOff <= 0,
  },
  {
    id: 'Status-DateClosed-1',
    fields: ['accountStatus', 'dateClosed'],
    use: 'block',
    message: 'a closed account has a closing date',
    isWrong: ({ status, closed }) => isIn(status, '05 13 62 64 65') && closed === null,
  },
  {
    id: 'Status-DateClosed-2',
    fields: ['accountStatus', 'dateClosed', 'complianceConditionCode'],
    use: 'unless',
    message: 'the status is open, and the account has a closing date',
    isWrong: ({ status, closed, condition }) => (LATE.has(status) || isIn(status, '11 93 97')) && condition !== 'XA' && closed !== null,
  },
  {
    id: 'Status-DateClosed-3',
    fields: ['accountStatus', 'dateClosed'],
    use: 'block',
    message: 'after a foreclosure the account is closed',
    isWrong: ({ status, closed }) => isIn(status, '89 94') && closed === null,
  },
  {
    id: 'Status-DOFD-1',
    fields: ['accountStatus', 'paymentRating', 'dateOfFirstDelinquency'],
    use: 'block',
    message: 'without the date of first delinquency the seven years cannot be counted',
    isWrong: ({ status, rating, delinquency }) =>
      delinquency === null && (NEGATIVE.has(status) || (isIn(status, '05 13') && LATE_RATING.has(rating))),
  },
  {
    id: 'Status-DOFD-2',
    fields: ['accountStatus', 'paymentRating', 'dateOfFirstDelinquency'],
    use: 'unless',
    message: 'a current loan has no date of first delinquency',
    isWrong: ({ status, rating, delinquency }) => delinquency !== null && (status === '11' || (isIn(status, '05 13') && rating === '0')),
  },
  {
    id: 'Status-PaymentAmount-1',
    fields: ['portfolioType', 'accountStatus', 'termsFrequency', 'dateOpened', 'actualPayment'],
    use: 'warn',
    message: 'the loan is current although nothing was paid',
    isWrong: ({ portfolio, status, frequency, opened, actual, activityDate }) =>
      isIn(portfolio, 'I M') &&
      status === '11' &&
      frequency !== 'D' &&
      opened !== null &&
      addDays(opened, 60) < activityDate &&
      actual <= 0,
  },
  {
    id: 'Status-SMPA-1',
    fields: ['accountStatus', 'scheduledMonthlyPayment'],
    use: 'block',
    message: 'nothing falls due any more',
    isWrong: ({ status, scheduled }) => isIn(status, '05 13 62 64 65 97') && scheduled > 0,
  },
  {
    id: 'Status-SMPA-2',
    fields: ['accountStatus', 'portfolioType', 'accountType', 'scheduledMonthlyPayment', 'termsFrequency', 'complianceConditionCode'],
    use: 'unless',
    message: 'a line that is late has a payment that is due',
    isWrong: (account) =>
      isLine(account) &&
      (LATE.has(account.status) || account.status === '93') &&
      account.condition !== 'XA' &&
      account.frequency !== 'D' &&
      account.scheduled <= 0,
  },
  {
    id: 'Status-SMPA-3',
    fields: ['accountStatus', 'portfolioType', 'scheduledMonthlyPayment', 'termsFrequency', 'specialComment', 'complianceConditionCode'],
    use: 'unless',
    message: 'an open installment loan has an installment',
    isWrong: ({ portfolio, status, condition, comment, frequency, scheduled }) =>
      portfolio === 'I' &&
      (LATE.has(status) || isIn(status, '11 93')) &&
      condition !== 'XA' &&
      comment !== 'BS' &&
      frequency !== 'D' &&
      scheduled <= 0,
  },
  {
    id: 'Status-SMPA-4',
    fields: ['accountStatus', 'portfolioType', 'accountType', 'scheduledMonthlyPayment', 'termsFrequency', 'complianceConditionCode'],
    use: 'warn',
    message: 'a line without a minimum payment is right at a balance of zero',
    isWrong: (account) =>
      isLine(account) && account.status === '11' && account.condition !== 'XA' && account.frequency !== 'D' && account.scheduled <= 0,
  },
  {
    id: 'Rating-APD-1',
    fields: ['accountStatus', 'paymentRating', 'amountPastDue'],
    use: 'block',
    message: 'the rating is current, and an amount is past due',
    isWrong: ({ status, rating, pastDue }) => status === '89' && rating === '0' && pastDue > 0,
  },
  {
    id: 'Rating-APD-2',
    fields: ['accountStatus', 'paymentRating', 'amountPastDue'],
    use: 'unless',
    message: 'a late rating needs an amount past due',
    isWrong: ({ status, rating, pastDue }) => isIn(status, '89 94') && LATE_RATING.has(rating) && pastDue <= 0,
  },
];
