import type { Day } from '../../../engine/index.js';
import type { LoanStatus } from '../machine.js';
import type { TransactionStatus } from './machine.js';
import type { TransactionRecord } from './record.js';
import { earlierTask, isAwaiting, type Task, taskOf } from './tasks.js';

/**
 * The transactions of a loan, with what every command asks of them kept beside: what waits for a day, which statuses
 * there are, which external ids. Nothing that is asked at each turn looks through all of them. Records are never
 * changed, only replaced; a copy shares them until one of both writes.
 */
export class Transactions {
  private byId = new Map<string, TransactionRecord>();
  /** Those that a day to come may still change. */
  private awaiting = new Map<string, TransactionRecord>();
  private named = new Map<string, TransactionRecord>();
  private readonly counts = new Map<TransactionStatus, number>();
  private newestStamp = 0;
  private isShared = false;
  private earliest: { readonly status: LoanStatus; readonly through: Day; readonly task: Task | null } | null = null;
  private statusList: readonly TransactionStatus[] | null = NONE;

  static of(records: Iterable<TransactionRecord>): Transactions {
    const transactions = new Transactions();
    for (const record of records) transactions.put(record);
    return transactions;
  }

  get size(): number {
    return this.byId.size;
  }

  get(id: string): TransactionRecord | undefined {
    return this.byId.get(id);
  }

  has(id: string): boolean {
    return this.byId.has(id);
  }

  /** In the order of creation. */
  values(): IterableIterator<TransactionRecord> {
    return this.byId.values();
  }

  ofExternalId(externalId: string): TransactionRecord | undefined {
    return this.named.get(externalId);
  }

  /** Those that have an external id. */
  withExternalId(): Iterable<TransactionRecord> {
    return this.named.values();
  }

  /** Stamp of the newest; 0 when there is none. */
  get newestCreatedStamp(): number {
    return this.newestStamp;
  }

  /** The statuses that occur. */
  statuses(): readonly TransactionStatus[] {
    this.statusList ??= [...this.counts.keys()];
    return this.statusList;
  }

  /** What comes next of all that waits, for a loan in that status whose days are done through that day. */
  earliestTask(status: LoanStatus, through: Day): Task | null {
    if (this.awaiting.size === 0) return null;
    const known = this.earliest;
    if (known !== null && known.status === status && known.through === through) return known.task;
    let task: Task | null = null;
    for (const record of this.awaiting.values()) task = earlierTask(task, taskOf(record, status, through));
    this.earliest = { status, through, task };
    return task;
  }

  put(record: TransactionRecord): void {
    if (this.isShared) this.separate();
    const before = this.byId.get(record.id);
    this.byId.set(record.id, record);
    if (isAwaiting(record)) this.awaiting.set(record.id, record);
    else this.awaiting.delete(record.id);
    this.name(before?.externalId ?? null, record);
    this.count(before?.status, record.status);
    if (record.createdStamp > this.newestStamp) this.newestStamp = record.createdStamp;
    this.earliest = null;
  }

  /** For a preview or a pending read. */
  copy(): Transactions {
    const copy = new Transactions();
    copy.byId = this.byId;
    copy.awaiting = this.awaiting;
    copy.named = this.named;
    for (const [status, count] of this.counts) copy.counts.set(status, count);
    copy.newestStamp = this.newestStamp;
    copy.earliest = this.earliest;
    copy.statusList = this.statusList;
    copy.isShared = true;
    this.isShared = true;
    return copy;
  }

  private separate(): void {
    this.byId = new Map(this.byId);
    this.awaiting = new Map(this.awaiting);
    this.named = new Map(this.named);
    this.isShared = false;
  }

  private name(before: string | null, record: TransactionRecord): void {
    if (before !== null && before !== record.externalId) this.named.delete(before);
    if (record.externalId !== null) this.named.set(record.externalId, record);
  }

  private count(before: TransactionStatus | undefined, after: TransactionStatus): void {
    if (before === after) return;
    const had = this.counts.get(after) ?? 0;
    this.counts.set(after, had + 1);
    if (had === 0) this.statusList = null;
    if (before === undefined) return;
    const left = (this.counts.get(before) ?? 0) - 1;
    if (left > 0) this.counts.set(before, left);
    else {
      this.counts.delete(before);
      this.statusList = null;
    }
  }
}

const NONE: readonly TransactionStatus[] = [];
