import { routingFacts } from '../banking.js';

/**
 * Why a bank sends an entry back (Nacha Operating Rules, appendix "Return Entries"): the class of the code, the days in which it may come,
 * and what a servicer does.
 */
export interface ReturnCode {
  readonly code: string;
  readonly meaning: string;
  readonly class: ReturnClass;
  readonly window: ReturnWindow;
  readonly consequence: ReturnConsequence;
}

/** Funds, account data, unauthorized, stopped, processing. */
type ReturnClass = 'funds' | 'account' | 'unauthorized' | 'stopped' | 'processing';

/** Banking days after settlement, calendar days after settlement, or with the next file or by agreement. */
export type ReturnWindow = { readonly bankingDays: number } | { readonly calendarDays: number } | 'agreed';

/**
 * `represent`: the same debit may be presented again, at most twice. `disable`: the instrument cannot be used any more. `endAutopay`: it
 * needs a new authorization, too. `correct`: the entry is mended and sent as a new one. `review`: a person decides. `never`: it is not
 * sent again.
 */
type ReturnConsequence = 'represent' | 'disable' | 'endAutopay' | 'correct' | 'review' | 'never';

const TWO_DAYS: ReturnWindow = { bankingDays: 2 };
const SIXTY_DAYS: ReturnWindow = { calendarDays: 60 };

const row = (
  code: string,
  meaning: string,
  [kind, window, consequence]: readonly [ReturnClass, ReturnWindow, ReturnConsequence],
): readonly [string, ReturnCode] => [code, { code, meaning, class: kind, window, consequence }];

export const RETURN_CODES: ReadonlyMap<string, ReturnCode> = new Map([
  row('R01', 'insufficient funds', ['funds', TWO_DAYS, 'represent']),
  row('R02', 'account closed', ['account', TWO_DAYS, 'disable']),
  row('R03', 'no account, or it cannot be located', ['account', TWO_DAYS, 'disable']),
  row('R04', 'structure of the account number invalid', ['account', TWO_DAYS, 'disable']),
  row('R05', 'consumer account debited with a corporate code', ['unauthorized', SIXTY_DAYS, 'endAutopay']),
  row('R06', 'returned at the request of the originating bank', ['processing', 'agreed', 'review']),
  row('R07', 'authorization revoked', ['unauthorized', SIXTY_DAYS, 'endAutopay']),
  row('R08', 'payment stopped', ['stopped', TWO_DAYS, 'endAutopay']),
  row('R09', 'uncollected funds', ['funds', TWO_DAYS, 'represent']),
  row('R10', 'originator not known or not authorized', ['unauthorized', SIXTY_DAYS, 'endAutopay']),
  row('R11', 'not according to the authorization', ['unauthorized', SIXTY_DAYS, 'endAutopay']),
  row('R12', 'branch sold to another bank', ['account', TWO_DAYS, 'disable']),
  row('R13', 'bank does not take part', ['account', 'agreed', 'disable']),
  row('R14', 'representative payee deceased or incapable', ['account', TWO_DAYS, 'disable']),
  row('R15', 'beneficiary or account holder deceased', ['account', TWO_DAYS, 'disable']),
  row('R16', 'account frozen, or returned on instruction of sanctions', ['account', TWO_DAYS, 'review']),
  row('R17', 'edit criteria, or questionable circumstances', ['processing', TWO_DAYS, 'review']),
  row('R18', 'improper effective entry date', ['processing', 'agreed', 'correct']),
  row('R19', 'amount field error', ['processing', 'agreed', 'correct']),
  row('R20', 'not a transaction account', ['account', TWO_DAYS, 'disable']),
  row('R21', 'company id invalid', ['processing', TWO_DAYS, 'correct']),
  row('R22', 'individual id invalid', ['processing', TWO_DAYS, 'correct']),
  row('R23', 'credit refused by its receiver', ['processing', 'agreed', 'review']),
  row('R24', 'duplicate entry', ['processing', TWO_DAYS, 'never']),
  row('R25', 'addenda error', ['processing', 'agreed', 'correct']),
  row('R26', 'mandatory field error', ['processing', 'agreed', 'correct']),
  row('R27', 'trace number error', ['processing', 'agreed', 'correct']),
  row('R28', 'check digit of the routing number wrong', ['processing', 'agreed', 'disable']),
  row('R29', 'corporate customer says not authorized', ['unauthorized', TWO_DAYS, 'endAutopay']),
  row('R30', 'bank does not take part in check truncation', ['processing', TWO_DAYS, 'never']),
  row('R31', 'permissible return of a corporate entry', ['unauthorized', 'agreed', 'never']),
  row('R32', 'receiving bank cannot settle', ['processing', 'agreed', 'review']),
  row('R33', 'return of a destroyed check entry', ['processing', SIXTY_DAYS, 'never']),
  row('R34', 'bank with limited participation', ['processing', 'agreed', 'review']),
  row('R35', 'return of an improper debit', ['processing', 'agreed', 'never']),
  row('R36', 'return of an improper credit', ['processing', 'agreed', 'never']),
  row('R37', 'source document presented for payment', ['unauthorized', SIXTY_DAYS, 'never']),
  row('R38', 'stop payment on the source document', ['stopped', SIXTY_DAYS, 'never']),
  row('R39', 'improper source document', ['unauthorized', TWO_DAYS, 'never']),
  row('R50', 'state law affecting re-presented checks', ['processing', TWO_DAYS, 'never']),
  row('R51', 're-presented check ineligible or not authorized', ['unauthorized', SIXTY_DAYS, 'never']),
  row('R52', 'stop payment on a re-presented check', ['stopped', SIXTY_DAYS, 'never']),
  row('R53', 'check and re-presented entry both presented', ['unauthorized', SIXTY_DAYS, 'never']),
]);

/** Codes that are read without a consequence of their own: dishonored and contested returns, international ones, sanctions. */
const OTHER_RETURN_CODES = /^R(?:4[0-7]|6[1-9]|7[0-7]|8[0-5]|90)$/;

export const isKnownReturnCode = (code: string): boolean => RETURN_CODES.has(code) || OTHER_RETURN_CODES.test(code);

export const isKnownChangeCode = (code: string): boolean => /^C(?:0[1-9]|1[34]|6[1-9])$/.test(code);

/** What a notification of change corrects of an account. */
export interface CorrectedAccount {
  readonly routingNumber?: string;
  readonly accountNumber?: string;
  readonly transactionCode?: string;
  /** Of its holder; a bank knows the first 22 characters of it. */
  readonly holderName?: string;
}

/**
 * The corrected data of a notification of change. Real files have one blank where three should be, so that the parts are found by their
 * position and, where that fails, by their blanks. Undefined: the code corrects nothing of an account, or the data are badly formed
 * (the bank would be answered by C65), as is a routing number to which no entry can be sent.
 */
export function correctionOf(code: string, data: string): CorrectedAccount | undefined {
  const padded = data.padEnd(29);
  const parts = data.trim().split(/\s+/);
  const [first = '', ...rest] = parts;
  switch (code) {
    case 'C01':
      return whole({ accountNumber: padded.slice(0, 17).trim() });
    case 'C02':
      return whole({ routingNumber: padded.slice(0, 9).trim() });
    case 'C03':
      return whole({ routingNumber: first, accountNumber: rest.join(' ') });
    case 'C04':
      return whole({ holderName: padded.slice(0, 22).trim() });
    case 'C05':
      return whole({ transactionCode: first });
    case 'C06':
      return whole({ accountNumber: parts.slice(0, -1).join(' '), transactionCode: parts.at(-1) ?? '' });
    case 'C07':
      return whole({
        routingNumber: padded.slice(0, 9),
        accountNumber: padded.slice(9, 26).trim(),
        transactionCode: padded.slice(26, 28).trim(),
      });
    default:
      return undefined;
  }
}

function whole(found: CorrectedAccount): CorrectedAccount | undefined {
  const { routingNumber, accountNumber, transactionCode, holderName } = found;
  if (routingNumber !== undefined && routingFacts(routingNumber)?.isAchParticipant !== true) return undefined;
  if (accountNumber !== undefined && !/^[\x21-\x7e][\x20-\x7e]{0,16}$/.test(accountNumber)) return undefined;
  if (holderName !== undefined && !/^[A-Za-z0-9][A-Za-z0-9 ]*$/.test(holderName)) return undefined;
  return transactionCode !== undefined && !/^[2-5][2-9]$/.test(transactionCode) ? undefined : found;
}
