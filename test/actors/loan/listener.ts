import { type Harness, itemsOf } from '../harness.js';

type Data = Readonly<Record<string, unknown>>;

interface Event {
  readonly id: string;
  readonly eventType: string;
  readonly isReplay: boolean;
  readonly data: Data;
}

/** Statuses of a draw that its line's leaves alone; a canceled line takes those with it that were to come. */
const OF_ITS_OWN = ['pending', 'originated', 'declined', 'canceled'];
const OVER = ['declined', 'canceled'];

/** Somebody who knows a loan from its events alone: what they come to must be what the loan shows. */
export class Listener {
  #last: string | null = null;
  #status: unknown = null;
  #isOverdue = false;
  readonly #draws = new Map<string, unknown>();

  constructor(
    private readonly h: Harness,
    private readonly loanId: string,
  ) {}

  /** What is wrong with what was told since the last time; `isOneOrder`: of one order alone. */
  async faults(isOneOrder: boolean): Promise<readonly string[]> {
    const faults: string[] = [];
    const events = await this.#news();
    for (const event of events) this.#hear(event, faults);
    const replayed = events.filter(({ eventType, isReplay }) => eventType === 'loan.balance.changed' && isReplay);
    if (isOneOrder && replayed.length > 1) faults.push(`${replayed.length} changes of the balance are told of one order`);
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
    if (eventType === 'loan.overdue.update' && !this.#isOverdue) faults.push('a loan that is current is told to be overdue still');
    if (eventType !== 'loan.statuschanged') return;
    const { oldStatus, newStatus } = data;
    const known = drawId === undefined ? this.#status : (this.#draws.get(String(drawId)) ?? null);
    if (known !== oldStatus)
      faults.push(
        `${String(drawId ?? 'the loan')} is told to become ${String(newStatus)} from ${String(oldStatus)} and was ${String(known)}`,
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
    if (status !== this.#status) faults.push(`it is ${status} and was told to be ${String(this.#status)}`);
    if (current['isOverdue'] !== this.#isOverdue)
      faults.push(`it is ${current['isOverdue'] === true ? 'overdue' : 'current'} and was told otherwise`);
    const [newest] = itemsOf(await h.query('loan.statusHistory', loanId, { limit: 1 })) as readonly Data[];
    if (newest?.['newStatus'] !== status) faults.push(`its history ends with ${String(newest?.['newStatus'])}`);
    if (type !== 'lineOfCredit') return faults;
    for (const draw of itemsOf(await h.query('draw.list', loanId, { limit: 100 })) as readonly Data[]) {
      const told = this.#draws.get(String(draw['id']));
      if (told !== draw['status']) faults.push(`${String(draw['id'])} is ${String(draw['status'])} and was told to be ${String(told)}`);
    }
    return faults;
  }
}
