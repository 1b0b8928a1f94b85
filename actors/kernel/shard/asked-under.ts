import { Refusal } from '../../errors.js';
import type { CommandRequest } from '../actor.js';

/** The idempotency key of what the runtime itself does, which stores no replies: what came of it answers a retry. */
export interface AskedUnder {
  readonly commandId: string;
  readonly digest: string;
}

export const askedUnder = ({ commandId, idempotency }: CommandRequest): AskedUnder | null =>
  idempotency === undefined ? null : { commandId, digest: idempotency.digest };

/** Whether it was asked for before under the same key. Refuses another body. */
export function isAskedAgain(before: AskedUnder | null | undefined, asked: AskedUnder | null): boolean {
  if (!before || asked?.commandId !== before.commandId) return false;
  if (asked.digest !== before.digest) throw new Refusal('idempotencyConflict', 'This key was used with another body.');
  return true;
}
