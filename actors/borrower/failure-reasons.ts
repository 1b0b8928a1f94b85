interface FailureTexts {
  readonly failureDescriptionShort: string | null;
  readonly failureDescriptionLong: string | null;
}

/** Why verifying or charging an instrument failed (money 2), in words. */
const TEXTS: Readonly<Record<string, FailureTexts>> = {
  microdepositsAttemptFailed: {
    failureDescriptionShort: 'Wrong deposit amounts',
    failureDescriptionLong: 'The amounts of the two deposits were entered wrongly too often.',
  },
  microdepositsFailed: {
    failureDescriptionShort: 'Deposits returned',
    failureDescriptionLong: 'A deposit that was to verify the account was returned by the bank.',
  },
  accountClosed: { failureDescriptionShort: 'Account closed', failureDescriptionLong: 'The bank says that the account is closed.' },
  invalidAccount: { failureDescriptionShort: 'Invalid account', failureDescriptionLong: 'The bank knows no such account.' },
  unauthorizedDebit: {
    failureDescriptionShort: 'Not authorized',
    failureDescriptionLong: 'The account’s owner says that the debit was not authorized.',
  },
};

export const failureTexts = (reason: string | null): FailureTexts =>
  (reason === null ? undefined : TEXTS[reason]) ?? { failureDescriptionShort: null, failureDescriptionLong: null };
