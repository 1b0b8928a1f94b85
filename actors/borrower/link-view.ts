import { dateTimeText, type DateTimeText, orNull } from '../wire.js';
import type { BankLink, BankLinkError } from './state.js';

/** What the vendor of bank data gives: whose account it is, and what it holds. */
export type DataService = 'accountInfo' | 'balance';

export interface AccountLinkView {
  readonly object: 'accountLink';
  readonly vendor: 'bankLink';
  readonly itemId: string | null;
  readonly accountId: string;
  readonly dataServices: readonly DataService[];
  readonly status: BankLink['status'];
  readonly recentError: BankLinkError | null;
  readonly errorCommunicationsSent: number;
  readonly lastErrorCommunicationAt: DateTimeText | null;
}

/** The token with which the vendor lets the service in is never shown. */
export const linkView = (link: BankLink): AccountLinkView => ({
  object: 'accountLink',
  vendor: 'bankLink',
  itemId: link.itemId,
  accountId: link.accountId,
  dataServices: link.dataServices,
  status: link.status,
  recentError: link.recentError,
  errorCommunicationsSent: 0,
  lastErrorCommunicationAt: orNull(dateTimeText, link.lastErrorCommunicationAt),
});
