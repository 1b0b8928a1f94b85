import { namesOf, tableOf } from '../records.js';
import { fixed, number, type RecordOf, reserved } from './fields.js';
import { layout } from './layout.js';
import { type AccountRecord, RECORD_LENGTH } from './records.js';

export const TRAILER = layout(RECORD_LENGTH, [
  number('recordLength', 4),
  fixed('TRAILER'),
  number('totalBaseRecords', 9),
  reserved(9),
  number('totalStatusDF', 9),
  number('totalJ1', 9),
  number('totalJ2', 9),
  number('blockCount', 9),
  number('totalStatusDA', 9),
  number('totalStatus05', 9),
  number('totalStatus11', 9),
  number('totalStatus13', 9),
  number('totalStatus61', 9),
  number('totalStatus62', 9),
  number('totalStatus63', 9),
  number('totalStatus64', 9),
  number('totalStatus65', 9),
  number('totalStatus71', 9),
  number('totalStatus78', 9),
  number('totalStatus80', 9),
  number('totalStatus82', 9),
  number('totalStatus83', 9),
  number('totalStatus84', 9),
  number('totalStatus88', 9),
  number('totalStatus89', 9),
  number('totalStatus93', 9),
  number('totalStatus94', 9),
  number('totalStatus95', 9),
  number('totalStatus96', 9),
  number('totalStatus97', 9),
  number('totalEcoaZ', 9),
  number('totalN1', 9),
  number('totalK1', 9),
  number('totalK2', 9),
  number('totalK3', 9),
  number('totalK4', 9),
  number('totalL1', 9),
  number('totalSsnAll', 9),
  number('totalSsnBase', 9),
  number('totalSsnJ1', 9),
  number('totalSsnJ2', 9),
  number('totalBirthAll', 9),
  number('totalBirthBase', 9),
  number('totalBirthJ1', 9),
  number('totalBirthJ2', 9),
  number('totalPhoneAll', 9),
  reserved(19),
] as const);

export type Trailer = RecordOf<typeof TRAILER.fields>;

type Counter = Exclude<keyof Trailer, 'recordLength' | 'blockCount'>;

const STATUSES = ['DF', 'DA', '05', '11', '13', '61', '62', '63', '64', '65', '71', '78', '80', '82', '83', '84', '88', '89'] as const;
const LATER_STATUSES = ['93', '94', '95', '96', '97'] as const;

type CountedStatus = (typeof STATUSES)[number] | (typeof LATER_STATUSES)[number];

const COUNTED: ReadonlySet<string | null> = new Set<CountedStatus>([...STATUSES, ...LATER_STATUSES]);

const isCounted = (status: string | null): status is CountedStatus => COUNTED.has(status);

const COUNTERS: readonly Counter[] = TRAILER.fields.flatMap(({ name }) =>
  name === null || name === 'recordLength' || name === 'blockCount' ? [] : [name],
);

const KNOWN: ReadonlySet<string> = new Set(COUNTERS);

const isCounter = (name: string): name is Counter => KNOWN.has(name);

/** The counters of a file, of records that are added one by one. */
export class TrailerCount {
  readonly #counters = new Map<Counter, number>();

  add({ base, J1, J2, K1, K2, K3, K4, L1, N1 }: AccountRecord): void {
    this.#count('totalBaseRecords');
    if (isCounted(base.accountStatus)) this.#count(`totalStatus${base.accountStatus}`);
    for (const [name, consumers] of [
      ['Base', [base]],
      ['J1', J1],
      ['J2', J2],
    ] as const) {
      if (name !== 'Base') this.#count(`total${name}`, consumers.length);
      for (const { ssn, birthDate, phone, ecoaCode } of consumers) {
        if (ssn !== null) this.#count(`totalSsn${name}`).#count('totalSsnAll');
        if (birthDate !== null) this.#count(`totalBirth${name}`).#count('totalBirthAll');
        if (phone !== null) this.#count('totalPhoneAll');
        if (ecoaCode === 'Z') this.#count('totalEcoaZ');
      }
    }
    const appended = { K1, K2, K3, K4, L1, N1 };
    for (const name of namesOf(appended)) if (appended[name] !== null) this.#count(`total${name}`);
  }

  /** Adds an account that was written, by what `countersOfLine` finds in it. */
  addCounted(counters: readonly string[]): void {
    for (const name of counters) if (isCounter(name)) this.#count(name);
  }

  /** For a count that goes on later. */
  totals(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counters);
  }

  static of(totals: Readonly<Record<string, number>>): TrailerCount {
    const count = new TrailerCount();
    for (const [name, total] of Object.entries(totals)) if (isCounter(name)) count.#counters.set(name, total);
    return count;
  }

  /** Blocks: a record is a block of its own, header and trailer too. */
  trailer(): Trailer {
    const counters = tableOf(COUNTERS, (name) => this.#counters.get(name) ?? 0);
    return { ...counters, recordLength: RECORD_LENGTH, blockCount: counters.totalBaseRecords + 2 };
  }

  #count(name: Counter, more = 1): this {
    this.#counters.set(name, (this.#counters.get(name) ?? 0) + more);
    return this;
  }
}
