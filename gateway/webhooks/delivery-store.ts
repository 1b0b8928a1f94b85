import { fieldOf, ownJson } from '../../engine/index.js';
import { type KeyValue, Refusal } from '../../actors/index.js';
import { isOpen, isParked, type Message } from './message.js';

/** The progress of a webhook. */
export interface EndpointState {
  /** Messages exist for every wanted event up to this position of the log. */
  readonly position: number;
  /** The progress that was last recorded in the journal, or was about to be. */
  readonly recorded: { readonly number: number; readonly through: number };
  /** Since when every attempt has failed, by the time of the journal; null = the last one succeeded. */
  readonly failingSince: number | null;
  /** Messages in the log of deliveries. */
  readonly kept: number;
  readonly replays: readonly Replay[];
}

/** A replay: the events of a period are sent again. */
export interface Replay {
  readonly operationId: string;
  readonly position: number;
  /** Excluded. */
  readonly until: number;
  readonly eventTypes: readonly string[];
}

export type Entry = readonly [string, Uint8Array | null];

/**
 * Deliveries on the disk. A message is stored before it is sent, and its state after every attempt, so that a start goes on with the open
 * messages.
 *
 *   w/<webhook>                       the state of the webhook
 *   m/<webhook>/<counter>             a message
 *   o/<webhook>/<counter>             the message is open: `m` waits in memory, `p` is parked; then `l` of the log or `r` not
 *   p/<webhook>/<due>/<counter>       a parked message and when it is sent again
 *   e/<event>/<counter>               the webhook of a message about the event
 */
export class DeliveryStore {
  constructor(private readonly store: () => KeyValue) {}

  /** Whether an entry cannot be computed from others, and so is shared in a cluster. */
  static isShared(this: void, key: string): boolean {
    return /^[mwn]\//.test(key);
  }

  /** The local entries that follow from a shared entry of another process. */
  static entriesOf(this: void, store: KeyValue, [key, value]: Entry): readonly Entry[] {
    const [kind, webhookId = ''] = key.split('/');
    if (kind !== 'm') return [[key, value]];
    const before = store.get(key);
    const known = before ? parse<Message>(before) : null;
    const deliveries = new DeliveryStore(() => store);
    if (value !== null) return deliveries.entries(webhookId, parse<Message>(value), known);
    return known ? deliveries.#erased(webhookId, known) : [];
  }

  /** Throws `unavailable` where it is unknown whether the entries are stored for the process that delivers next. */
  async write(entries: readonly Entry[]): Promise<void> {
    try {
      await this.store().write(entries);
    } catch (cause) {
      if (!isAway(cause)) throw cause;
      throw new Refusal('unavailable', 'Webhook deliveries cannot be stored at the moment. Try again in 5 seconds.', {
        retryAfterSeconds: 5,
        cause,
      });
    }
  }

  state(webhookId: string): EndpointState | null {
    const stored = this.#parsed<StoredState>(`w/${webhookId}`);
    return stored && unpacked(stored);
  }

  message(webhookId: string, counter: number): Message | null {
    return this.#parsed<Message>(messageKey(webhookId, counter));
  }

  /** Open messages in the order in which they were made. */
  *open(webhookId: string): Iterable<{ readonly counter: number; readonly isParked: boolean; readonly isOfLog: boolean }> {
    const start = `o/${webhookId}/`;
    for (const [key, value] of this.store().range({ start, end: `${start}~` })) {
      yield { counter: parseInt(key.slice(start.length), 36), isParked: value[0] === PARKED, isOfLog: value[1] === OF_LOG };
    }
  }

  /** Parked messages that are due, the longest waiting first. */
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

  /** The entry of a state. */
  stateEntry(webhookId: string, state: EndpointState): Entry {
    return [`w/${webhookId}`, json(packed(state))];
  }

  /** The entries of a message that is new or has changed. */
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

  /** Deletes a message that is not open. */
  forgotten(webhookId: string, { eventId, counter }: Message): Entry[] {
    return [
      [messageKey(webhookId, counter), null],
      [`e/${eventId}/${numberText(counter, COUNTER_DIGITS)}`, null],
    ];
  }

  /** Deletes the first messages of a webhook in any state; empty = there are none. */
  forgetting(webhookId: string, limit: number): Entry[] {
    const entries: Entry[] = [];
    for (const message of this.messages(webhookId, 'asc')) {
      entries.push(...this.#erased(webhookId, message));
      if (entries.length >= limit) break;
    }
    return entries;
  }

  /** Deletes the state of a webhook that no longer exists, after its messages. */
  forgottenState(webhookId: string): Entry {
    return [`w/${webhookId}`, null];
  }

  /** Webhooks that have entries. */
  webhooks(): string[] {
    return [...this.store().range({ start: 'w/', end: 'w0' })].map(([key]) => key.slice(2));
  }

  /** Deletes a message in any state. */
  #erased(webhookId: string, message: Message): Entry[] {
    const [, ...left] = this.entries(webhookId, { ...message, status: 'canceled', nextAttemptAt: null }, message);
    return [...left, ...this.forgotten(webhookId, message)];
  }

  #parsed<T>(key: string): T | null {
    const bytes = this.store().get(key);
    return bytes ? parse<T>(bytes) : null;
  }
}

/** Whether a shared store does not answer, or another process has taken it over. */
const isAway = (cause: unknown): boolean => ['keyValueUnavailable', 'keyValueConflict'].includes(String(fieldOf(cause, 'code')));

/** The name of `recorded` on the disk. */
const RECORDED_KEY = 'told';

type StoredState = Omit<EndpointState, 'recorded'> & Readonly<Record<typeof RECORDED_KEY, EndpointState['recorded']>>;

const packed = ({ recorded, ...state }: EndpointState): StoredState => ({ ...state, [RECORDED_KEY]: recorded });
const unpacked = ({ [RECORDED_KEY]: recorded, ...state }: StoredState): EndpointState => ({ ...state, recorded });

const codeOf = (letter: 'p' | 'm' | 'l' | 'r'): number => letter.charCodeAt(0);
const [PARKED, IN_MEMORY, OF_LOG, NOT_OF_LOG] = [codeOf('p'), codeOf('m'), codeOf('l'), codeOf('r')];
const NOTHING = new Uint8Array(0);

/** Base 36: the counters of a shard end at 2^35. */
const COUNTER_DIGITS = 7;
/** Base 36: milliseconds until the year 5,000. */
const TIME_DIGITS = 9;

const numberText = (value: number, digits: number): string => value.toString(36).padStart(digits, '0');
const dueText = ({ nextAttemptAt }: Message): string => numberText(nextAttemptAt ?? 0, TIME_DIGITS);
const messageKey = (webhookId: string, counter: number): string => `m/${webhookId}/${numberText(counter, COUNTER_DIGITS)}`;
const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const parse = <T>(bytes: Uint8Array): T => ownJson<T>(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
