import type { Day } from '../../engine/index.js';
import { dateText, type DateText, dateTimeText, type DateTimeText, orNull } from '../wire.js';
import type { Instrument } from './state.js';

/** An entry of zero by which the bank of an account checks it before money moves. */
export interface Prenote {
  /** Milliseconds of the company's clock. */
  readonly orderedAt: number;
  /** Ordered by a user, whatever the processor's setting. */
  readonly isByHand?: true;
  /** The ACH file that has it; absent until one was uploaded. */
  readonly fileId?: string;
  /** On which the bank settles it. */
  readonly entryDay?: Day;
  /** Why the bank has sent it back; absent: it has not. */
  readonly returnCode?: string;
}

/** `ordered`: it goes out with the next file. `sent`: it is at the bank, or was. `returned`: the bank has sent it back. */
export type PrenoteStatus = 'ordered' | 'sent' | 'returned';

export interface PrenoteView {
  readonly status: PrenoteStatus;
  readonly orderedAt: DateTimeText;
  /** Null until its file was uploaded. */
  readonly achFileId: string | null;
  /** On which the bank settles it: the waiting days of the processor begin after it. */
  readonly effectiveEntryDate: DateText | null;
  readonly achReturnCode: string | null;
}

export function prenoteStatus(prenote: Prenote | null | undefined): PrenoteStatus | null {
  if (prenote == null) return null;
  if (prenote.returnCode !== undefined) return 'returned';
  return prenote.fileId === undefined ? 'ordered' : 'sent';
}

export function prenoteView(prenote: Prenote | null | undefined): PrenoteView | null {
  const status = prenoteStatus(prenote);
  if (prenote == null || status === null) return null;
  return {
    status,
    orderedAt: dateTimeText(prenote.orderedAt),
    achFileId: prenote.fileId ?? null,
    effectiveEntryDate: orNull(dateText, prenote.entryDay),
    achReturnCode: prenote.returnCode ?? null,
  };
}

/** Whether it is to go out: it was not sent yet, or came back before the account was activated again. Only an active account gets it. */
export const awaitsPrenote = ({ status, deletedAt, prenote }: Pick<Instrument, 'status' | 'deletedAt' | 'prenote'>): boolean =>
  deletedAt === null && status === 'active' && prenote != null && prenoteStatus(prenote) !== 'sent';
