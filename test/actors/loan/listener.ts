import { type Harness, itemsOf } from '../harness.js';

type Data = Readonly<Record<string, unknown>>;

interface Event {
  readonly id: string;
  readonly eventType: string;
  readonly isReplay: boolean;
  readonly data: Data;
}

/** Statuses of a draw that do not follow its line; a canceled line also cancels pending and originated draws. */
const OF_ITS_OWN = ['pending', 'originated', 'declined', 'canceled'];
const OVER = ['declined', 'canceled'];

/** Follows a loan by its events alone, and compares the result with the loan. */
export class Listener {
  #last: string | null = null;
  #status: unknown = null;
  #isOverdue = false;
  readonly #draws = new Map<string, unknown>();

  constructor(
    private readonly h: Harness,
    private readonly loanId: string,
  ) {}

  /** Faults of the events since the last time. `isOneOrder`: all of them are of one order. */
  async faults(isOneOrder: boolean): Promise<readonly string[]> {
    const faults: string[] = [];
    const events = await this.#news();
    for (const event of events) this.#hear(event, faults);
    const replayed = events.filter(({ eventType, isReplay }) => eventType === 'loan.balance.changed' && isReplay);
    if (isOneOrder && replayed.length > 1) faults.push(`one order published ${replayed.length} changes of the balance`);
    return [...faults, ...(await this.#unlikeShown())];
  }

  async #news(): Promise<readonly Event[]> {
    const query = { loanId: this.loanId, order: 'asc', limit: 100, ...(this.#last === null ? {} : { startingAfter: this.#last }) };
    const events = itemsOf(await this.h.query('event.list', null, query)) as unknown as readonly Event[];
    this.#last = events.at(-1)?.id ?? this.#last;
    return events.length < 100 ? events : [...events, ...(await this.#news())];
  }

  #hear({ eventType, data }: Event, faults: string[]): void {
    const { drawId } = data;
    if (eventType === 'loan.created') this.#status = data['status'];
    if (eventType === 'loan.overdue' || eventType === 'loan.current') this.#isOverdue = eventType === 'loan.overdue';
    if (eventType === 'loan.overdue.update' && !this.#isOverdue) faults.push('events say that a current loan is still overdue');
    if (eventType !== 'loan.statuschanged') return;
    const { oldStatus, newStatus } = data;
    const known = drawId === undefined ? this.#status : (this.#draws.get(String(drawId)) ?? null);
    if (known !== oldStatus)
      faults.push(
        `${String(drawId ?? 'the loan')} becomes ${String(newStatus)} from ${String(oldStatus)} by its event and was ${String(known)}`,
      );
    if (drawId !== undefined) {
      this.#draws.set(String(drawId), newStatus);
      return;
    }
    this.#status = newStatus;
    const left = newStatus === 'canceled' ? OVER : OF_ITS_OWN;
    for (const [draw, status] of this.#draws) if (!left.includes(String(status))) this.#draws.set(draw, newStatus);
  }

  async #unlikeShown(): Promise<readonly string[]> {
    const { h, loanId } = this;
    const { status, current, type } = (await h.query('loan.get', loanId)) as unknown as {
      readonly status: string;
      readonly current: Data;
      readonly type: string;
    };
    const faults: string[] = [];
    if (status !== this.#status) faults.push(`it is ${status} and ${String(this.#status)} by its events`);
    if (current['isOverdue'] !== this.#isOverdue)
      faults.push(`it is ${current['isOverdue'] === true ? 'overdue' : 'current'}, and its events say the opposite`);
    const [newest] = itemsOf(await h.query('loan.statusHistory', loanId, { limit: 1 })) as readonly Data[];
    if (newest?.['newStatus'] !== status) faults.push(`its history ends with ${String(newest?.['newStatus'])}`);
    if (type !== 'lineOfCredit') return faults;
    for (const draw of itemsOf(await h.query('draw.list', loanId, { limit: 100 })) as readonly Data[]) {
      const known = this.#draws.get(String(draw['id']));
      if (known !== draw['status']) faults.push(`${String(draw['id'])} is ${String(draw['status'])} and ${String(known)} by its events`);
    }
    return faults;
  }
}
