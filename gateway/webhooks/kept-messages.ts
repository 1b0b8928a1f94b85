import { LIMITS } from '../limits.js';
import type { DeliveryStore, Entry } from './delivery-store.js';
import { isOpen } from './message.js';

/*
 * What becomes of messages that lie on the disk of a webhook: open ones are canceled when it ends or is switched off, and old ones are
 * forgotten. Both go in batches of `LIMITS.webhookBatch`.
 */

/** Cancels whatever is open. Durable when it resolves. */
export async function cancelOpen(store: DeliveryStore, webhookId: string): Promise<void> {
  for (;;) {
    const entries: Entry[] = [];
    for (const { counter } of store.open(webhookId)) {
      const message = store.message(webhookId, counter);
      if (message) entries.push(...store.entries(webhookId, { ...message, status: 'canceled', nextAttemptAt: null }, message));
      if (entries.length >= LIMITS.webhookBatch) break;
    }
    if (entries.length === 0) return;
    await store.write(entries);
  }
}

interface Kept {
  readonly webhookId: string;
  /** Messages in the log of the webhook. */
  readonly kept: number;
  readonly nowMs: number;
}

/**
 * The entries that forget the oldest messages: those older than `webhookLogMs`, and more than `webhookLogMessages`; none behind an open
 * one.
 */
export function oldMessages(
  store: DeliveryStore,
  { webhookId, kept, nowMs }: Kept,
): { readonly entries: readonly Entry[]; readonly count: number } {
  const entries: Entry[] = [];
  let count = 0;
  for (const message of store.messages(webhookId, 'asc')) {
    const isOld = message.createdAt < nowMs - LIMITS.webhookLogMs || kept - count > LIMITS.webhookLogMessages;
    if (!isOld || isOpen(message) || count >= LIMITS.webhookBatch) break;
    entries.push(...store.forgotten(webhookId, message));
    count += 1;
  }
  return { entries, count };
}
