import type { FailureReason } from '../../borrower/index.js';

/**
 * Why an issuer declines, by the response codes of ISO 8583 as card networks use them, and by the names under which processors answer what
 * no issuer was asked about. Other codes mean that the card was declined.
 */
const REASONS: Readonly<Record<string, FailureReason>> = {
  '04': 'fraudulent', // pick up the card
  '07': 'fraudulent', // pick up the card, special conditions
  '14': 'incorrectNumber', // no such number
  '15': 'invalidAccount', // no such issuer
  '33': 'invalidExpirationDate',
  '41': 'fraudulent', // lost card
  '43': 'fraudulent', // stolen card
  '46': 'accountClosed',
  '51': 'insufficientFunds',
  '54': 'invalidExpirationDate', // expired card
  '59': 'fraudulent', // suspected fraud
  '62': 'accountFrozen', // restricted card
  '78': 'accountFrozen', // blocked, or not yet used
  '82': 'invalidCvv',
  '91': 'networkError', // the issuer does not answer
  '92': 'networkError',
  '96': 'networkError', // fault of a system
  N7: 'invalidCvv',
  R0: 'paymentStopped', // the holder has stopped this payment
  R1: 'paymentStopped', // the holder has stopped all payments
  avs: 'avsFailed',
};

export const failureOfDecline = (code: string): FailureReason => REASONS[code] ?? 'cardDeclined';
