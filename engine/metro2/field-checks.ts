import { addYears } from '../calendar/index.js';
import { type AccountCheck, BANKRUPTCY, type Checked, codes, DISCHARGED, isIn, LATE, PAID } from './check.js';

const LOAN_TYPES = codes('01 02 03 04 05 06 08 10 11 13 17 19 20 25 26 47 48 77 91 0A 0C 0F 2C 5A 5B 6A 6B 6D 7B 9A');
const LIMIT_TYPES = codes('07 15 18 37 43 47 89 0G 2A 7A 8A 9B');
const DEFERRABLE_TYPES = codes('00 01 02 03 04 05 06 10 11 13 17 20 29 65 66 67 68 69 70 71 72 73 74 75 91 95 0A 0F 3A 6A 6D 7B 9A');

const isDischargedUnpaid = ({ indicators, status }: Checked): boolean =>
  indicators.some((code) => DISCHARGED.has(code)) && !isIn(status, '05 13 DA DF') && !PAID.has(status);

/** What amounts, dates, codes and segments say of each other. */
export const FIELD_CHECKS: readonly AccountCheck[] = [
  {
    id: 'Balance-APD-1',
    fields: ['currentBalance', 'amountPastDue', 'L1.changeIndicator'],
    use: 'block',
    message: 'an amount is past due without a balance',
    isWrong: ({ balance, pastDue, change }) => balance === 0 && change === null && pastDue > 0,
  },
  {
    id: 'Balance-APD-2',
    fields: ['currentBalance', 'amountPastDue'],
    use: 'block',
    message: 'the amount past due is part of the balance',
    isWrong: ({ balance, pastDue }) => balance < pastDue,
  },
  {
    id: 'Balance-DateClosed-1',
    fields: ['portfolioType', 'currentBalance', 'dateClosed', 'specialComment', 'L1.changeIndicator'],
    use: 'unless',
    message: 'a closed account with a balance needs an explanation',
    isWrong: ({ portfolio, balance, comment, change, closed }) =>
      isIn(portfolio, 'C I M') && balance > 0 && !isIn(comment, 'AH AT O BB BE') && change === null && closed !== null,
  },
  {
    id: 'Balance-DateClosed-2',
    fields: ['portfolioType', 'currentBalance', 'dateClosed', 'specialComment', 'L1.changeIndicator'],
    use: 'block',
    message: 'a loan without a balance is closed',
    isWrong: ({ portfolio, balance, comment, change, closed }) =>
      isIn(portfolio, 'I M') && balance <= 0 && !isIn(comment, 'AH AT O BB BE') && change === null && closed === null,
  },
  {
    id: 'Balloon-Balance-1',
    fields: ['currentBalance', 'K4.balloonPaymentAmount'],
    use: 'block',
    message: 'the balloon is part of the balance',
    isWrong: ({ balance, balloon }) => balloon !== null && balance < balloon,
  },
  {
    id: 'CCC-DateClosed-1',
    fields: ['complianceConditionCode', 'dateClosed'],
    use: 'block',
    message: 'an account that the consumer has closed has a closing date',
    isWrong: ({ condition, closed }) => condition === 'XA' && closed === null,
  },
  {
    id: 'DOAI-DOFD-1',
    fields: ['dateOfAccountInformation', 'dateOfFirstDelinquency'],
    use: 'block',
    message: 'the first delinquency is more than seven years old',
    isWrong: ({ information, delinquency }) => information !== null && delinquency !== null && information > addYears(delinquency, 7),
  },
  {
    id: 'DOAI-PaymentAmount-1',
    fields: ['dateOfAccountInformation', 'actualPayment'],
    use: 'block',
    message: 'a payment needs a date of account information',
    isWrong: ({ information, actual }) => information === null && actual > 0,
  },
  {
    id: 'DTCL-DOLP-1',
    fields: ['portfolioType', 'accountStatus', 'dateClosed', 'dateOfLastPayment'],
    use: 'warn',
    message: 'a loan is closed by its last payment',
    isWrong: ({ portfolio, status, closed, lastPayment }) =>
      isIn(portfolio, 'I M') && (status === '13' || PAID.has(status)) && closed !== lastPayment,
  },
  {
    id: 'Deferred-SMPA-1',
    fields: ['accountStatus', 'termsFrequency', 'scheduledMonthlyPayment'],
    use: 'block',
    message: 'nothing is due on a deferred loan',
    isWrong: ({ status, frequency, scheduled }) => (LATE.has(status) || isIn(status, '11 93')) && frequency === 'D' && scheduled > 0,
  },
  {
    id: 'ECOA-J1J2-1',
    fields: ['ecoaCode', 'J1.ecoaCode', 'J2.ecoaCode'],
    use: 'warn',
    message: 'a death is reported for the borrower only, which may be right',
    isWrong: ({ ecoa, otherEcoas }) => ecoa === 'X' && !otherEcoas.includes('X'),
  },
  {
    id: 'Bankruptcy-DOFD-1',
    fields: ['consumerInformationIndicator', 'dateOfFirstDelinquency'],
    use: 'block',
    message: 'a bankruptcy needs the date of its petition as date of first delinquency',
    isWrong: ({ indicators, delinquency }) => delinquency === null && indicators.some((code) => BANKRUPTCY.has(code) || code === 'R'),
  },
  {
    id: 'Bankruptcy-ECOA-1',
    fields: ['consumerInformationIndicator', 'J1.ecoaCode', 'J2.ecoaCode'],
    use: 'warn',
    message: "an authorized user carries another's bankruptcy",
    isWrong: ({ indicator, otherEcoas }) => BANKRUPTCY.has(indicator) && otherEcoas.includes('3'),
  },
  {
    id: 'Bankruptcy-APD-1',
    fields: ['consumerInformationIndicator', 'accountStatus', 'amountPastDue'],
    use: 'off',
    message: 'an amount past due of zero is right after a discharge',
    isWrong: (account) => isDischargedUnpaid(account) && account.pastDue <= 0,
  },
  {
    id: 'Bankruptcy-Balance-1',
    fields: ['consumerInformationIndicator', 'accountStatus', 'currentBalance'],
    use: 'off',
    message: 'a balance of zero is right after a discharge',
    isWrong: (account) => isDischargedUnpaid(account) && account.balance <= 0,
  },
  {
    id: 'Bankruptcy-SMPA-1',
    fields: ['consumerInformationIndicator', 'accountStatus', 'scheduledMonthlyPayment'],
    use: 'off',
    message: 'a scheduled payment of zero is right after a discharge',
    isWrong: (account) => isDischargedUnpaid(account) && account.scheduled <= 0,
  },
  {
    id: 'AccountChange-ID-1',
    fields: ['L1.changeIndicator', 'L1.newIdentificationNumber'],
    use: 'block',
    message: 'a change of the identification number is announced, and the new one is missing',
    isWrong: ({ change }) => change !== null && isIn(change.indicator, '2 3') && change.identification === '',
  },
  {
    id: 'AccountChange-ID-2',
    fields: ['L1.changeIndicator', 'L1.newIdentificationNumber'],
    use: 'block',
    message: 'a new identification number is given, and its change is not announced',
    isWrong: ({ change }) => change?.indicator === '1' && change.identification !== '',
  },
  {
    id: 'AccountChange-ID-3',
    fields: ['L1.newIdentificationNumber', 'identificationNumber'],
    use: 'block',
    message: 'the new identification number is the present one',
    isWrong: ({ change, identification }) => change !== null && isIn(change.indicator, '2 3') && change.identification === identification,
  },
  {
    id: 'AccountChange-ID-4',
    fields: ['L1.newIdentificationNumber', 'identificationNumber'],
    use: 'off',
    message: 'the identification number in the change is not the present one',
    isWrong: ({ change, identification }) => change?.indicator === '1' && change.identification !== identification,
  },
  {
    id: 'AccountChange-Number-1',
    fields: ['L1.changeIndicator', 'L1.newConsumerAccountNumber'],
    use: 'block',
    message: 'a change of the account number is announced, and the new one is missing',
    isWrong: ({ change }) => change !== null && isIn(change.indicator, '1 3') && change.account === '',
  },
  {
    id: 'AccountChange-Number-2',
    fields: ['L1.changeIndicator', 'L1.newConsumerAccountNumber'],
    use: 'block',
    message: 'a new account number is given, and its change is not announced',
    isWrong: ({ change }) => change?.indicator === '2' && change.account !== '',
  },
  {
    id: 'AccountChange-Number-3',
    fields: ['L1.newConsumerAccountNumber', 'consumerAccountNumber'],
    use: 'block',
    message: 'the new account number is the present one',
    isWrong: ({ change, account }) => change !== null && isIn(change.indicator, '1 3') && change.account === account,
  },
  {
    id: 'AccountChange-Number-4',
    fields: ['L1.newConsumerAccountNumber', 'consumerAccountNumber'],
    use: 'off',
    message: 'the account number in the change is not the present one',
    isWrong: ({ change, account }) => change?.indicator === '2' && change.account !== account,
  },
  {
    id: 'Portfolio-Type-1',
    fields: ['portfolioType', 'accountType'],
    use: 'block',
    message: 'the account type is not a line of credit',
    isWrong: ({ portfolio, type }) => portfolio === 'C' && !isIn(type, '15 43 47 89 7A 9B'),
  },
  {
    id: 'Type-Balance-1',
    fields: ['portfolioType', 'accountStatus', 'accountType', 'specialComment', 'currentBalance'],
    use: 'block',
    message: 'the comment BS and a balance exclude each other',
    isWrong: ({ portfolio, status, type, comment, balance }) =>
      portfolio === 'I' && status === '11' && comment === 'BS' && balance > 0 && DEFERRABLE_TYPES.has(type),
  },
  {
    id: 'Type-SMPA-1',
    fields: ['portfolioType', 'accountStatus', 'specialComment', 'scheduledMonthlyPayment'],
    use: 'block',
    message: 'the comment BS and a scheduled payment exclude each other',
    isWrong: ({ portfolio, status, comment, scheduled }) => portfolio === 'I' && status === '11' && comment === 'BS' && scheduled > 0,
  },
  {
    id: 'Type-CreditLimit-1',
    fields: ['accountType', 'termsFrequency', 'creditLimit'],
    use: 'unless',
    message: 'a loan has no credit limit',
    isWrong: ({ type, frequency, limit }) => LOAN_TYPES.has(type) && frequency !== 'D' && limit > 0,
  },
  {
    id: 'Type-CreditLimit-2',
    fields: ['accountType', 'termsFrequency', 'creditLimit'],
    use: 'block',
    message: 'a line has a credit limit, from which utilization is computed',
    isWrong: ({ type, frequency, limit }) => LIMIT_TYPES.has(type) && frequency !== 'D' && limit <= 0,
  },
  {
    id: 'Type-HCOLA-1',
    fields: ['accountType', 'termsFrequency', 'highestCredit'],
    use: 'block',
    message: 'every loan had an amount',
    isWrong: ({ type, frequency, highest }) => (LOAN_TYPES.has(type) || isIn(type, '00 3A')) && frequency !== 'D' && highest <= 0,
  },
  {
    id: 'Type-HCOLA-2',
    fields: ['accountType', 'termsFrequency', 'highestCredit'],
    use: 'warn',
    message: 'a line that was never drawn has no highest balance',
    isWrong: ({ type, frequency, highest }) => LIMIT_TYPES.has(type) && frequency !== 'D' && highest <= 0,
  },
  {
    id: 'Type-TermsDuration-1',
    fields: ['portfolioType', 'termsDuration', 'termsFrequency'],
    use: 'block',
    message: 'the duration does not fit the portfolio type',
    isWrong: ({ portfolio, duration, frequency }) => frequency !== 'D' && !hasDuration(portfolio, duration),
  },
];

function hasDuration(portfolio: string, duration: string): boolean {
  switch (portfolio) {
    case 'C':
      return duration === 'LOC';
    case 'O':
      return duration === '001';
    case 'R':
      return duration === 'REV';
    case 'I':
      return Number(duration) > 0;
    default:
      return true;
  }
}
