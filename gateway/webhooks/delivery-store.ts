import { type KeyValue, Refusal } from '../../actors/index.js';
import { isOpen, isParked, type Message } from './message.js';

/** How far a webhook has come: where its reading of the log stands, and what the journal was told of it last. */
export interface EndpointState {
  /** Of the log: messages were made of every wanted event up to here. */
  readonly position: number;
  /** The progress that was told to the journal last, or was about to be. */
  readonly told: { readonly number: number; readonly through: number };
  /** Machine time since which no try has succeeded; null = the last one did. */
  readonly failingSince: number | null;
  /** Messages in the log of deliveries. */
  readonly kept: number;
  readonly replays: readonly Replay[];
}

/** Events of a period that are sent again. */
export interface Replay {
  readonly operationId: string;
  readonly position: number;
  /** Excluded. */
  readonly until: number;
  readonly eventTypes: readonly string[];
}

export type Entry = readonly [string, Uint8Array | null];

/**
 * Deliveries on the disk. A message is there before it is sent, and its state after every try, so that a start goes on with
 * what was open.
 *
 *   w/<webhook>                       the state of the webhook
 *   m/<webhook>/<counter>             a message
 *   o/<webhook>/<counter>             the message is open: `m` waits in memory, `p` is parked; then `l` of the log or `r` not
 *   p/<webhook>/<due>/<counter>       a parked message and when it is sent again
 *   e/<event>/<counter>               the webhook of a message about the event
 */
export class DeliveryStore {
  constructor(private readonly store: () => KeyValue) {}

  /** Whether it cannot be computed of other entries: what a cluster shares. */
  static isShared(key: string): boolean {
    return /^[mwn]\//.test(key);
  }

  /** A shared entry that was written elsewhere, with all that follows from it. */
  static entriesOf(store: KeyValue, [key, value]: Entry): readonly Entry[] {
    const [kind, webhookId = ''] = key.split('/');
    if (kind !== 'm') return [[key, value]];
    const before = store.get(key);
    const known = before ? parse<Message>(before) : null;
    const deliveries = new DeliveryStore(() => store);
    if (value !== null) return deliveries.entries(webhookId, parse<Message>(value), known);
    return known ? deliveries.#erased(webhookId, known) : [];
  }

  /** Throws `unavailable` where it is not known to be stored for whoever delivers next. */
  async write(entries: readonly Entry[]): Promise<void> {
    try {
      await this.store().write(entries);
    } catch (cause) {
      if (!isAway(cause)) throw cause;
      throw new Refusal('unavailable', 'The deliveries of webhooks cannot be noted at the moment.', { retryAfterSeconds: 5, cause });
    }
  }

  state(webhookId: string): EndpointState | null {
    return this.#parsed<EndpointState>(`w/${webhookId}`);
  }

  message(webhookId: string, counter: number): Message | null {
    return this.#parsed<Message>(messageKey(webhookId, counter));
  }

  /** Open messages in the order of their making. */
  *open(webhookId: string): Iterable<{ readonly counter: number; readonly isParked: boolean; readonly isOfLog: boolean }> {
    const start = `o/${webhookId}/`;
    for (const [key, value] of this.store().range({ start, end: `${start}~` })) {
      yield { counter: parseInt(key.slice(start.length), 36), isParked: value[0] === PARKED, isOfLog: value[1] === OF_LOG };
    }
  }

  /** Parked messages whose time has come, the longest waiting first. */
  dueParked(webhookId: string, nowMs: number, limit: number): Message[] {
    const start = `p/${webhookId}/`;
    const due: Message[] = [];
    for (const [key] of this.store().range({ start, end: start + numberText(nowMs + 1, TIME_DIGITS), limit })) {
      const message = this.message(webhookId, parseInt(key.slice(key.lastIndexOf('/') + 1), 36));
      if (message) due.push(message);
    }
    return due;
  }

  /** Newest first, or oldest first; the bound is excluded. */
  *messages(webhookId: string, order: 'asc' | 'desc', bound?: number): Iterable<Message> {
    const start = `m/${webhookId}/`;
    const from = order === 'asc' && bound !== undefined ? messageKey(webhookId, bound + 1) : start;
    const end = order === 'desc' && bound !== undefined ? messageKey(webhookId, bound) : `${start}~`;
    for (const [, value] of this.store().range({ start: from, end, reverse: order === 'desc' })) yield parse<Message>(value);
  }

  *messagesOf(eventId: string): Iterable<{ readonly webhookId: string; readonly message: Message }> {
    const start = `e/${eventId}/`;
    for (const [key, value] of this.store().range({ start, end: `${start}~` })) {
      const webhookId = Buffer.from(value).toString('latin1');
      const message = this.message(webhookId, parseInt(key.slice(start.length), 36));
      if (message) yield { webhookId, message };
    }
  }

  /** What is written of a state. */
  stateEntry(webhookId: string, state: EndpointState): Entry {
    return [`w/${webhookId}`, json(state)];
  }

  /** What is written when a message is made, or is another than before. */
  entries(webhookId: string, message: Message, before: Message | null): Entry[] {
    const counter = numberText(message.counter, COUNTER_DIGITS);
    const entries: Entry[] = [[messageKey(webhookId, message.counter), json(message)]];
    if (before === null) entries.push([`e/${message.eventId}/${counter}`, Buffer.from(webhookId, 'latin1')]);
    if (before !== null && isParked(before)) entries.push([`p/${webhookId}/${dueText(before)}/${counter}`, null]);
    if (isParked(message)) entries.push([`p/${webhookId}/${dueText(message)}/${counter}`, NOTHING]);
    if (isOpen(message))
      entries.push([
        `o/${webhookId}/${counter}`,
        Uint8Array.of(isParked(message) ? PARKED : IN_MEMORY, message.origin === 'log' ? OF_LOG : NOT_OF_LOG),
      ]);
    else if (before !== null && isOpen(before)) entries.push([`o/${webhookId}/${counter}`, null]);
    return entries;
  }

  /** What forgets a message that is not open. */
  forgotten(webhookId: string, { eventId, counter }: Message): Entry[] {
    return [
      [messageKey(webhookId, counter), null],
      [`e/${eventId}/${numberText(counter, COUNTER_DIGITS)}`, null],
    ];
  }

  /** What forgets the first messages of a webhook, whatever their state; empty = there are none. */
  forgetting(webhookId: string, limit: number): Entry[] {
    const entries: Entry[] = [];
    for (const message of this.messages(webhookId, 'asc')) {
      entries.push(...this.#erased(webhookId, message));
      if (entries.length >= limit) break;
    }
    return entries;
  }

  /** What forgets the state of a webhook that is gone; its messages go before. */
  forgottenState(webhookId: string): Entry {
    return [`w/${webhookId}`, null];
  }

  /** Webhooks of which there is something. */
  webhooks(): string[] {
    return [...this.store().range({ start: 'w/', end: 'w0' })].map(([key]) => key.slice(2));
  }

  /** What forgets a message, whatever its state. */
  #erased(webhookId: string, message: Message): Entry[] {
    const [, ...left] = this.entries(webhookId, { ...message, status: 'canceled', nextAttemptAt: null }, message);
    return [...left, ...this.forgotten(webhookId, message)];
  }

  #parsed<T>(key: string): T | null {
    const bytes = this.store().get(key);
    return bytes ? parse<T>(bytes) : null;
  }
}

/** What a store that is shared says while it is not answered, or has been taken over. */
const isAway = (cause: unknown): boolean =>
  ['keyValueUnavailable', 'keyValueConflict'].includes(String((cause as { readonly code?: unknown } | null)?.code));

const [PARKED, IN_MEMORY, OF_LOG, NOT_OF_LOG] = [...Buffer.from('pmlr')] as [number, number, number, number];
const NOTHING = new Uint8Array(0);

/** Base 36: the counters of a shard end at 2^35. */
const COUNTER_DIGITS = 7;
/** Base 36: milliseconds until the year 5,000. */
const TIME_DIGITS = 9;

const numberText = (value: number, digits: number): string => value.toString(36).padStart(digits, '0');
const dueText = ({ nextAttemptAt }: Message): string => numberText(nextAttemptAt ?? 0, TIME_DIGITS);
const messageKey = (webhookId: string, counter: number): string => `m/${webhookId}/${numberText(counter, COUNTER_DIGITS)}`;
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const parse = <T>(bytes: Uint8Array): T => JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()) as T;
