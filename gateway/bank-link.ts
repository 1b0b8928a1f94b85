import { randomBytes } from 'node:crypto';
import type { Mode, RecordBalanceBody } from '../actors/index.js';
import { cents } from '../engine/index.js';

/** An account as a vendor of bank data knows it. */
interface VendorAccount {
  readonly routingNumber: string;
  readonly accountNumber: string;
}

interface VendorLogin {
  readonly accessToken: string;
  readonly accountId: string;
}

/** A vendor that lets borrowers sign in at their bank, and says what the service may know. An installation connects its own. */
export interface BankLinkVendor {
  /** Starts the vendor's form in the browser; with a token of a former link, to repair it. */
  linkToken(asked: { readonly redirectUri: string | null; readonly accessToken: string | null }): Promise<string>;
  /** Null: the vendor knows no such account. */
  account(login: VendorLogin): Promise<VendorAccount | null>;
  balance(login: VendorLogin): Promise<RecordBalanceBody>;
}

const RELOGIN: RecordBalanceBody = {
  availableCents: null,
  currentCents: null,
  currency: 'USD',
  error: {
    errorType: 'relogin',
    errorTypeByVendor: 'ITEM_ERROR',
    errorCodeByVendor: 'ITEM_LOGIN_REQUIRED',
    errorDescriptionInternal: 'The login of the borrower has expired.',
    errorDescriptionBorrower: 'Please sign in at your bank again.',
  },
};

/**
 * The vendor of test mode: the access token `sim-<routing number>-<account number>` is the login at that account, which holds as many
 * dollars as its last four digits say. With the account id `relogin` the login has expired.
 */
const SIMULATED: BankLinkVendor = {
  linkToken: () => Promise.resolve(`link-sim-${randomBytes(12).toString('hex')}`),
  account: ({ accessToken }) => Promise.resolve(accountIn(accessToken)),
  balance({ accessToken, accountId }) {
    const account = accountIn(accessToken);
    if (accountId === 'relogin' || account === null) return Promise.resolve(RELOGIN);
    const held = cents(Number(account.accountNumber.slice(-4)) * 100);
    return Promise.resolve({ availableCents: held, currentCents: held, currency: 'USD', error: null });
  },
};

function accountIn(accessToken: string): VendorAccount | null {
  const [, routingNumber, accountNumber] = /^sim-(\d{9})-(\d{4,17})$/.exec(accessToken) ?? [];
  return routingNumber === undefined || accountNumber === undefined ? null : { routingNumber, accountNumber };
}

/** In live mode the vendor that the installation has connected; null: none. */
export const vendorOf = (mode: Mode, connected: BankLinkVendor | null): BankLinkVendor | null => (mode === 'test' ? SIMULATED : connected);
