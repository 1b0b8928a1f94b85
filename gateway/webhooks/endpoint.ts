import type { EventView, WebhookProgressBody } from '../../actors/index.js';
import { must } from '../../engine/index.js';
import { LIMITS } from '../limits.js';
import type { LogPosition, ReadEvents } from '../streams/event-source.js';
import type { EndpointState, Entry, Replay } from './delivery-store.js';
import type { Target } from './directory.js';
import { bodyOf, type EndpointParts, tryOnce } from './try-once.js';
import { afterAttempt, cancelOpen, isOpen, isParked, type Message, newMessage, oldMessages, settledThrough } from './message.js';
import { Lanes } from './lanes.js';
import { asked, NotNow } from './services.js';

/**
 * The deliveries of one webhook. It reads the log by its own cursor, as far ahead as its limit in memory allows. A message is on the disk
 * before it is sent, and its state after every attempt.
 */
export class Endpoint {
  readonly #lanes = new Lanes();
  readonly #delivering = new Set<Promise<void>>();
  /** Outcomes of attempts on their way to the disk and into memory, by the counters of their messages. */
  readonly #settling = new Map<number, Promise<void>>();
  #state: EndpointState;
  #ids = { next: 0, end: 0 };
  /** Failed attempts in a row: a receiver that does not answer gets one call at a time. */
  #failedInRow = 0;
  #filling: Promise<void> | null = null;
  #isClosed = false;
  /** When its rest after a failure of the disk or the journal ends, by `performance`: a clock that is set back does not prolong it. */
  #restsUntil = 0;
  #recordedAt = 0;
  #recording: Promise<unknown> = Promise.resolve();
  #isLoaded = false;
  /** The position of the last batch with messages. */
  #taken: LogPosition = 0;

  constructor(
    private readonly parts: EndpointParts,
    readonly tenant: Target['tenant'],
    readonly webhookId: string,
  ) {
    this.#state = this.#stateFrom(must(parts.directory.find(tenant, webhookId), 'the webhook exists'));
  }

  get replays(): readonly Replay[] {
    return this.#state.replays;
  }

  get health(): { readonly waiting: number; readonly isFailing: boolean } {
    return { waiting: this.#lanes.size, isFailing: this.#state.failingSince !== null };
  }

  /** Reads new events and sends the messages that may be sent. */
  advance(): void {
    if (!this.#isLoaded || this.#isAtRest) return;
    this.#filling ??= this.#fill()
      .catch((cause: unknown) => this.#interrupted(cause))
      .finally(() => (this.#filling = null));
    this.#pump();
  }

  /** Called at intervals: sends messages that are due, and records progress in the journal. */
  async tick(): Promise<void> {
    const { parts } = this;
    if (this.#isAtRest) return;
    try {
      const target = parts.directory.find(this.tenant, this.webhookId);
      if (!target) return;
      if (!this.#isLoaded || !this.#isOurs(target)) {
        await this.#filling;
        await this.#load(target);
      }
      if (!target.isOn) {
        parts.notify(target);
        return await this.#cancelOpen();
      }
      this.#lanes.admitDue(parts.nowMs());
      this.#unpark();
      await this.#forgetOld();
      await this.#report(target);
      this.advance();
    } catch (cause) {
      this.#interrupted(cause);
    }
  }

  /** Sends a message of the log again, whatever its outcome was; null where the log has none of this number. */
  async redeliver(counter: number): Promise<Message | null> {
    await this.#settling.get(counter);
    const message = this.parts.store.message(this.webhookId, counter);
    if (!message) return null;
    if (this.#lanes.has(message.counter)) {
      this.#lanes.hasten(message.counter);
      this.#pump();
      return message;
    }
    const again: Message = {
      ...message,
      status: 'pending',
      failures: 0,
      nextAttemptAt: null,
      deliveredAt: null,
      origin: message.origin === 'log' && !isOpen(message) ? 'replay' : message.origin,
    };
    await this.#write(this.parts.store.entries(this.webhookId, again, message));
    this.#lanes.addFree(again, this.parts.nowMs());
    this.#pump();
    return again;
  }

  /** Durable when it resolves. */
  async replay(target: Target, replay: Replay): Promise<void> {
    await this.#saveState({ ...this.#state, replays: [...this.#state.replays, replay] });
    this.parts.replayBegins(target, replay);
    this.advance();
  }

  /** Sends a test event once, now, and keeps it in the log. */
  async sendSample(target: Target, sample: (eventId: string) => EventView): Promise<Message> {
    const [counter, eventCounter] = [await this.#nextId(target), await this.#nextId(target)];
    const event = sample(this.parts.idOf('EV', eventCounter));
    const message = newMessage({ event, counter, position: 0, origin: 'test', createdAt: this.parts.nowMs(), isSample: true });
    const { attempt, isDelivered } = await tryOnce(this.parts, target, message, await bodyOf(this.parts, target, event));
    const sent = afterAttempt(message, attempt, isDelivered, 0);
    await this.#write([...this.parts.store.entries(this.webhookId, sent, null), this.#counted(1)]);
    return sent;
  }

  /** Begins no more deliveries. Those under way end by their time-out; one that was not stored is sent again after a start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#filling;
  }

  /** Resolves when no delivery is under way. */
  async delivered(): Promise<void> {
    await Promise.all(this.#delivering);
  }

  get #isAtRest(): boolean {
    return this.#isClosed || performance.now() < this.#restsUntil || !this.parts.holds();
  }

  #stateFrom({ webhook: { progress } }: Target): EndpointState {
    return { position: this.parts.source.positionAfter(progress.through), recorded: progress, failingSince: null, kept: 0, replays: [] };
  }

  get #settledThrough(): number {
    return settledThrough(this.parts, { webhookId: this.webhookId, taken: this.#taken, recorded: this.#state.recorded.through });
  }

  /** Whether the state on this disk is at, or ahead of, the progress in the journal. */
  #isOurs({ webhook: { progress } }: Target): boolean {
    const { recorded } = this.#state;
    return recorded.number > progress.number || (recorded.number === progress.number && recorded.through === progress.through);
  }

  /** Loads the open messages into memory. */
  async #load(target: Target): Promise<void> {
    const { store, nowMs } = this.parts;
    this.#lanes.clear();
    this.#state = store.state(this.webhookId) ?? this.#stateFrom(target);
    if (!this.#isOurs(target)) {
      await this.#cancelOpen();
      await this.#saveState({ ...this.#stateFrom(target), kept: this.#state.kept });
    }
    for (const { counter, isParked: parked, isOfLog } of store.open(this.webhookId)) {
      const message = parked ? null : store.message(this.webhookId, counter);
      if (message && isOfLog) this.#lanes.add(message, nowMs());
      else if (message) this.#lanes.addFree(message, nowMs());
    }
    for (const replay of this.#state.replays) this.parts.replayBegins(target, replay);
    this.#taken = this.#state.position;
    this.#isLoaded = true;
  }

  async #fill(): Promise<void> {
    while (!this.#isClosed && this.#lanes.size < LIMITS.webhookWindow) {
      const target = this.parts.directory.find(this.tenant, this.webhookId);
      if (!target?.isOn || !this.#isOurs(target)) return;
      const [replay] = this.#state.replays;
      const hasRead = await this.#readLog(target);
      const hasReplayed = replay !== undefined && (await this.#readReplay(target, replay));
      this.#pump();
      if (!hasRead && !hasReplayed) return;
    }
  }

  /** The next batch of the log; false when there is no more. */
  async #readLog(target: Target): Promise<boolean> {
    const { events, position } = await this.#read(target.webhook.eventTypes, this.#state.position);
    if (events.length === 0) {
      this.#state = { ...this.#state, position }; // not stored: there are no messages between
      return false;
    }
    await this.#take(target, events, 'log', (state) => ({ ...state, position }));
    this.#taken = position;
    return events.length === LIMITS.webhookBatch;
  }

  async #readReplay(target: Target, replay: Replay): Promise<boolean> {
    const { events, position } = await this.#read(replay.eventTypes, replay.position);
    const wanted = events.filter((event) => event.position < replay.until);
    const isOver = events.length < LIMITS.webhookBatch || wanted.length < events.length;
    await this.#take(target, wanted, 'replay', (state) => {
      const [, ...others] = state.replays;
      return { ...state, replays: isOver ? others : [{ ...replay, position }, ...others] };
    });
    if (isOver) this.parts.replayEnded(target, replay);
    return true;
  }

  async #read(eventType: readonly string[], position: LogPosition): Promise<ReadEvents> {
    return asked(async () => (await this.parts.source.reader(this.tenant, { eventType }))(position, LIMITS.webhookBatch));
  }

  async #take(
    target: Target,
    events: readonly { readonly view: EventView; readonly position: number }[],
    origin: 'log' | 'replay',
    advance: (state: EndpointState) => EndpointState,
  ): Promise<void> {
    const messages: Message[] = [];
    const createdAt = this.parts.nowMs();
    for (const { view, position } of events)
      messages.push(newMessage({ event: view, counter: await this.#nextId(target), position, origin, createdAt }));
    const entries: Entry[] = messages.flatMap((message) => this.parts.store.entries(this.webhookId, message, null));
    this.#state = advance(this.#state);
    await this.#write([...entries, this.#counted(messages.length)]);
    const nowMs = this.parts.nowMs();
    for (const message of messages) {
      if (origin === 'log') this.#lanes.add(message, nowMs);
      else this.#lanes.addFree(message, nowMs);
    }
  }

  #pump(): void {
    const most = this.#failedInRow >= LIMITS.webhookCautiousAfter ? 1 : LIMITS.webhookConcurrency;
    while (!this.#isClosed && this.#delivering.size < most) {
      const message = this.#lanes.next();
      if (!message) return;
      const delivered = this.#deliver(message)
        .catch((cause: unknown) => {
          if (cause instanceof NotNow) this.#lanes.again(message, this.parts.nowMs());
          this.#interrupted(cause);
        })
        .finally(() => {
          this.#delivering.delete(delivered);
          this.advance();
        });
      this.#delivering.add(delivered);
    }
  }

  async #deliver(message: Message): Promise<void> {
    const { directory, slots, random } = this.parts;
    const release = await slots.take();
    try {
      const target = directory.find(this.tenant, this.webhookId);
      if (this.#isClosed || !target?.isOn) return; // open messages are canceled when the webhook ends
      const body = await this.#bodyOf(target, message);
      if (!this.parts.holds()) throw new NotNow('another process delivers');
      const { attempt, isDelivered, isGone } = await tryOnce(this.parts, target, message, body);
      if (!this.#lanes.has(message.counter)) return; // canceled meanwhile
      const after = afterAttempt(message, attempt, isDelivered, random());
      this.#noteHealth(isDelivered);
      const settled = this.#settle(after, message).finally(() => this.#settling.delete(message.counter));
      this.#settling.set(message.counter, settled);
      await settled;
      if (isGone) await this.parts.record(target, this.#disabled);
    } finally {
      release();
    }
  }

  /** Writes the outcome of an attempt to the disk, then into memory. */
  async #settle(after: Message, before: Message): Promise<void> {
    const { store, nowMs } = this.parts;
    await this.#write([...store.entries(this.webhookId, after, before), store.stateEntry(this.webhookId, this.#state)]);
    if (isOpen(after) && !isParked(after)) this.#lanes.again(after, nowMs());
    else this.#lanes.leave(after, nowMs());
  }

  /** The body that is sent for a message. */
  #bodyOf(target: Target, message: Message): Promise<string> {
    const { source } = this.parts;
    return asked(async () => {
      const event = message.sample ?? (await source.find(this.tenant, message.eventId))?.view;
      return bodyOf(this.parts, target, must(event, `the event ${message.eventId} is in the log`));
    });
  }

  #noteHealth(isDelivered: boolean): void {
    this.#failedInRow = isDelivered ? 0 : this.#failedInRow + 1;
    const failingSince = isDelivered ? null : (this.#state.failingSince ?? this.parts.journalMs());
    if (failingSince !== this.#state.failingSince) this.#state = { ...this.#state, failingSince };
  }

  /** Loads parked messages that are due into memory, as far as there is room. */
  #unpark(): void {
    const { store, nowMs } = this.parts;
    const room = Math.min(LIMITS.webhookBatch, LIMITS.webhookWindow - this.#lanes.size);
    if (room <= 0) return;
    for (const message of store.dueParked(this.webhookId, nowMs(), room))
      if (!this.#lanes.has(message.counter)) this.#lanes.addFree(message, nowMs());
  }

  async #cancelOpen(): Promise<void> {
    this.#lanes.clear();
    await cancelOpen(this.parts.store, this.webhookId);
    if (this.#state.failingSince !== null || this.#state.replays.length > 0)
      await this.#saveState({ ...this.#state, failingSince: null, replays: [] });
  }

  async #forgetOld(): Promise<void> {
    const { store, journalMs } = this.parts;
    const { entries, count } = oldMessages(store, { webhookId: this.webhookId, kept: this.#state.kept, journalMs: journalMs() });
    if (count > 0) await this.#write([...entries, this.#counted(-count)]);
  }

  /** Records the health of the receiver, and at intervals the progress. */
  async #report(target: Target): Promise<void> {
    const { journalMs, record, report } = this.parts;
    const { failingSince } = this.#state;
    const failingMs = failingSince === null ? 0 : journalMs() - failingSince;
    if (failingMs >= LIMITS.webhookDisabledAfterMs) {
      await record(target, this.#disabled);
      report('A webhook was disabled: every delivery of three days has failed.', {
        webhookId: this.webhookId,
        companyId: this.tenant.company,
      });
      return;
    }
    if (journalMs() - this.#recordedAt < LIMITS.webhookHealthMs) return;
    const status = failingMs >= LIMITS.webhookHealthMs ? 'failing' : 'healthy';
    if (status === target.webhook.status && this.#settledThrough === this.#state.recorded.through) return;
    await this.#record(target, status === target.webhook.status ? {} : { status });
  }

  /** Companies get no e-mails from their test mode. */
  get #disabled(): WebhookProgressBody {
    return { status: 'disabledByFailures', isNoticeDue: this.tenant.mode === 'live' };
  }

  /** Records one after the other, since each has its number. */
  #record(target: Target, progress: WebhookProgressBody): Promise<number> {
    const recorded = this.#recording.then(() => this.#recordNext(target, progress));
    this.#recording = recorded.catch(() => undefined); // the caller handles the failure
    return recorded;
  }

  /** Writes to the disk before the journal, so that a start after a crash in between goes on from the disk. */
  async #recordNext({ tenant }: Target, progress: WebhookProgressBody): Promise<number> {
    const { directory, journalMs, record } = this.parts;
    const target = must(directory.find(tenant, this.webhookId), 'the webhook still exists');
    const through = this.#settledThrough;
    this.#recordedAt = journalMs();
    await this.#saveState({ ...this.#state, recorded: { number: target.webhook.progress.number + 1, through } });
    return record(target, { ...progress, through });
  }

  async #nextId(target: Target): Promise<number> {
    if (this.#ids.next >= this.#ids.end) {
      const first = await this.#record(target, { ids: LIMITS.webhookIds });
      this.#ids = { next: first, end: first + LIMITS.webhookIds };
    }
    this.#ids.next += 1;
    return this.#ids.next - 1;
  }

  /** The entry of the state with so many more messages in the log. */
  #counted(more: number): Entry {
    this.#state = { ...this.#state, kept: this.#state.kept + more };
    return this.parts.store.stateEntry(this.webhookId, this.#state);
  }

  #saveState(state: EndpointState): Promise<void> {
    this.#state = state;
    return this.#write([this.parts.store.stateEntry(this.webhookId, state)]);
  }

  #write(entries: readonly Entry[]): Promise<void> {
    return this.parts.store.write(entries);
  }

  #interrupted(cause: unknown): void {
    if (this.#isClosed) return;
    if (!(cause instanceof NotNow)) return this.#rest(cause);
    this.#restsUntil = performance.now() + LIMITS.webhookTickMs;
  }

  /** After a failure of the disk or the journal: starts again from the disk after a while. */
  #rest(cause: unknown): void {
    this.parts.failed(cause);
    this.#restsUntil = performance.now() + LIMITS.webhookRestMs;
    this.#isLoaded = false;
  }
}
