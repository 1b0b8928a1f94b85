type AchAccount = 'checking' | 'savings' | 'ledger' | 'loan';

const ACCOUNTS: readonly AchAccount[] = ['checking', 'savings', 'ledger', 'loan'];

/**
 * Transaction codes by account and use (Nacha Operating Rules, "Transaction Codes"). Loans have no debits but their reversal, 55.
 *
 *                   credit  prenote  zero   debit  prenote  zero   return or change of a credit, of a debit
 */
const CODES: { readonly [Account in AchAccount]: readonly (string | null)[] } = {
  checking: ['22', '23', '24', '27', '28', '29', '21', '26'],
  savings: ['32', '33', '34', '37', '38', '39', '31', '36'],
  ledger: ['42', '43', '44', '47', '48', '49', '41', '46'],
  loan: ['52', '53', '54', '55', null, null, '51', '56'],
};

type Use = 'live' | 'prenote' | 'zero' | 'returned';

export interface TransactionCode {
  readonly account: AchAccount;
  readonly direction: 'credit' | 'debit';
  readonly use: Use;
}

const USES: readonly (readonly [TransactionCode['direction'], Use])[] = [
  ['credit', 'live'],
  ['credit', 'prenote'],
  ['credit', 'zero'],
  ['debit', 'live'],
  ['debit', 'prenote'],
  ['debit', 'zero'],
  ['credit', 'returned'],
  ['debit', 'returned'],
];

const KNOWN: ReadonlyMap<string, TransactionCode> = new Map(
  ACCOUNTS.flatMap((account) =>
    CODES[account].flatMap((code, index): readonly (readonly [string, TransactionCode])[] => {
      const use = USES[index];
      return code === null || use === undefined ? [] : [[code, { account, direction: use[0], use: use[1] }]];
    }),
  ),
);

export const transactionCode = (code: string): TransactionCode | undefined => KNOWN.get(code);

/** The code of an entry; undefined if there is none, for a debit of a loan's prenote. */
export function codeOf(wanted: TransactionCode): string | undefined {
  for (const [code, { account, direction, use }] of KNOWN)
    if (account === wanted.account && direction === wanted.direction && use === wanted.use) return code;
  return undefined;
}

/** Standard entry class codes. Those of a loan servicer are PPD, WEB, TEL and CCD; the others are only read. */
export const SEC_CODES: ReadonlySet<string> = new Set(
  'ACK ADV ARC ATX BOC CCD CIE COR CTX DNE ENR IAT MTE POP POS PPD RCK SHR TEL TRC TRX TRN WEB XCK'.split(' '),
);

/** Entries whose receiver must be named. */
export const NAMED_SECS: ReadonlySet<string> = new Set(['PPD', 'WEB', 'TEL', 'CCD']);

/** Which directions a batch may have. */
const SERVICE_CLASSES = { mixed: '200', credits: '220', debits: '225', advice: '280' } as const;

export const serviceClassOf = (directions: ReadonlySet<TransactionCode['direction']>): string =>
  directions.size > 1 ? SERVICE_CLASSES.mixed : directions.has('credit') ? SERVICE_CLASSES.credits : SERVICE_CLASSES.debits;
