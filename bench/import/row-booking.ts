import { fieldOf, fieldsOf, textIn, must } from '../../engine/index.js';
import { Big } from 'big.js';
import { setTimeout as pause } from 'node:timers/promises';
import { Decimal, type Engine, type Fault, Refusal, type Tenant } from '../../actors/index.js';
import type { LocalCaller } from '../../gateway/index.js';
import type { CompiledFigure, RowPlan } from './mapping.js';
import type { Row } from './rows.js';
import type { Cells } from './template.js';

/** Every bound of the import, in one place. */
export const LIMITS = {
  /** Rows that are booked at the same time: enough to fill a flush, little enough to stop quickly. */
  rowsInFlight: 256,
  /** Longest row in bytes. */
  rowBytes: 1_000_000,
  /** Lines that a row with line breaks in quoted fields may take: a quote that is open longer was never closed. */
  rowLines: 100,
  /** Bytes that are read from the file at a time. */
  chunkBytes: 262_144,
  /** Largest mapping file in bytes. */
  mappingBytes: 1_000_000,
  /** Nesting of a template. */
  templateDepth: 20,
  /** Texts of dates that are kept with what they mean, a format. */
  keptDates: 10_000,
  /** Faults that one row reports. */
  faultsPerRow: 50,
  /** Differences that the summary names; the count is always whole. */
  namedDifferences: 20,
  /** How long a row waits for a service that cannot write at the moment, in milliseconds. */
  unavailableMs: 60_000,
  /** Milliseconds between two tries of such a row. */
  retryUnavailableMs: 100,
} as const;

export interface Difference {
  readonly loan: string;
  readonly figure: string;
  readonly ours: string;
  readonly theirs: string;
}

export interface FigureSummary {
  readonly figure: string;
  readonly compared: number;
  readonly matched: number;
  /** At most as many as the limit says; `compared - matched` is the whole number. */
  readonly differences: readonly Difference[];
}

/** Compares our figures with those that the lender's file carries, to the last digit that the file gives. */
export class Reconciliation {
  readonly #counts = new Map<string, { compared: number; matched: number; differences: Difference[] }>();

  constructor(private readonly figures: readonly CompiledFigure[]) {
    for (const { name } of figures) this.#counts.set(name, { compared: 0, matched: 0, differences: [] });
  }

  get isWanted(): boolean {
    return this.figures.length > 0;
  }

  /** `view` is the loan as `GET` shows it. A cell that cannot be read is a difference, an empty one is left out. */
  compare(loan: string, cells: Cells, view: unknown): void {
    for (const { name, ours, theirs } of this.figures) {
      const counts = this.#counts.get(name);
      const faults: Fault[] = [];
      const given = theirs(cells, faults);
      if (!counts || (given === undefined && faults.length === 0)) continue;
      const found = propertyOf(view, ours);
      counts.compared += 1;
      if (faults.length === 0 && isSame(found, given)) counts.matched += 1;
      else if (counts.differences.length < LIMITS.namedDifferences) {
        counts.differences.push({ loan, figure: name, ours: textOf(found), theirs: faults[0]?.message ?? textOf(given) });
      }
    }
  }

  summary(): readonly FigureSummary[] {
    return [...this.#counts].map(([figure, counts]) => ({ figure, ...counts }));
  }
}

function propertyOf(view: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => fieldOf(value, name), view);
}

function isSame(ours: unknown, theirs: unknown): boolean {
  const [left, right] = [numberOf(ours), numberOf(theirs)];
  return left && right ? left.eq(right) : textOf(ours) === textOf(theirs);
}

function numberOf(value: unknown): Big | null {
  if (value instanceof Decimal) return new Big(value.text);
  return typeof value === 'number' ? new Big(value) : null;
}

function textOf(value: unknown): string {
  if (value instanceof Decimal) return value.text;
  if (value === undefined || value === null) return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What became of a row. */
export type RowResult =
  | { readonly type: 'booked' | 'alreadyBooked' }
  | { readonly type: 'refused'; readonly externalId: string; readonly faults: readonly Fault[] };

export interface BookingParts {
  readonly engine: Engine;
  readonly local: LocalCaller;
  readonly tenant: Tenant;
  readonly plan: RowPlan;
  readonly loanTypeId: string;
  readonly activates: boolean;
  /** The first characters of the file's digest, part of the request id in every fact of this file. */
  readonly fileId: string;
  readonly reconciliation: Reconciliation;
}

interface Bodies {
  readonly person: Readonly<Record<string, unknown>>;
  readonly loan: Readonly<Record<string, unknown>>;
  readonly activation: unknown;
}

/**
 * Books rows: a borrower, its loan, the activation. The external ids, which the journal keeps for good, show what is booked already:
 * a second run over the same file, after any interruption, books what is missing and no more.
 */
export class RowBooking {
  /** The last row that is under way for a borrower: rows that share a borrower are booked one after the other. */
  readonly #underWay = new Map<string, Promise<RowResult>>();
  /** The line on which each loan of the file stands. */
  readonly #lines = new Map<string, number>();

  constructor(private readonly parts: BookingParts) {}

  /** Throws only where the fault is not in the row: a service that cannot write, or a bug. */
  async book(row: Row): Promise<RowResult> {
    if (row.cells === null) return refused('', [{ path: 'row', expected: 'a row of the file', message: row.fault ?? 'is no row' }]);
    const faults: Fault[] = [];
    const bodies = this.#fill(row.cells, faults);
    const given = bodies.loan['externalId'] ?? '';
    const externalId = typeof given === 'string' ? given : JSON.stringify(given);
    this.#checkOnce(externalId, row.line, faults);
    if (faults.length > 0) return refused(externalId, faults);
    return this.#afterOthers(String(bodies.person['externalId']), () => this.#bookBodies(externalId, bodies, row));
  }

  /** Books when the earlier rows of the borrower are done, whether they were booked or not. */
  async #afterOthers(borrower: string, book: () => Promise<RowResult>): Promise<RowResult> {
    const before = this.#underWay.get(borrower);
    const result = before === undefined ? book() : before.then(book, book);
    this.#underWay.set(borrower, result);
    try {
      return await result;
    } finally {
      if (this.#underWay.get(borrower) === result) this.#underWay.delete(borrower);
    }
  }

  async #bookBodies(externalId: string, bodies: Bodies, row: Row): Promise<RowResult> {
    for (const deadline = Date.now() + LIMITS.unavailableMs; ; ) {
      try {
        return await this.#bookLoan(externalId, bodies, row);
      } catch (cause) {
        if (!(cause instanceof Refusal)) throw cause;
        if (cause.errorType !== 'unavailable') return refused(externalId, faultsOf(cause));
        if (Date.now() > deadline) throw cause;
        await pause(LIMITS.retryUnavailableMs); // what was booked meanwhile is found by its external id
      }
    }
  }

  #fill(cells: NonNullable<Row['cells']>, faults: Fault[]): Bodies {
    const { plan, local, loanTypeId, activates } = this.parts;
    const person = fieldsOf(plan.person(cells, faults));
    const loan: Bodies['loan'] = { ...fieldsOf(plan.loan(cells, faults)), loanTypeId };
    const activation = activates ? plan.activation(cells, faults) : {};
    const reported = new Set(faults.map(({ path }) => path)); // a value that could not be read is missing in the body, too
    const check = (part: string, operation: string, body: unknown): void => {
      for (const fault of local.faultsOf(operation, body)) {
        if (!reported.has(`${part}.${fault.path}`)) faults.push({ ...fault, path: `${part}.${fault.path}` });
      }
    };
    check('person', 'createPerson', person);
    check('loan', 'createLoan', loan);
    if (activates) check('activation', 'activateLoan', activation);
    for (const [part, body] of [
      ['person', person],
      ['loan', loan],
    ] as const) {
      if (typeof body['externalId'] !== 'string') faults.push({ path: `${part}.externalId`, expected: 'an id', message: 'is missing' });
    }
    return { person, loan, activation };
  }

  #checkOnce(externalId: string, line: number, faults: Fault[]): void {
    const first = this.#lines.get(externalId);
    if (first !== undefined)
      faults.push({ path: 'loan.externalId', expected: 'another id in each row', message: `stands on line ${first} already` });
    else if (externalId !== '') this.#lines.set(externalId, line);
  }

  async #bookLoan(externalId: string, bodies: Bodies, row: Row): Promise<RowResult> {
    const { engine, local, tenant, activates, fileId, reconciliation } = this.parts;
    const requestId = `import-${fileId}-${row.line}`;
    const known = engine.world.catalog.findExternal(tenant, 'loan', externalId);
    const borrower = this.#borrowerOf(bodies);
    if (known === undefined) await this.#tryOut(borrower, bodies, requestId);
    else if (borrower === undefined || engine.world.catalog.get(tenant, 'loan', known)?.parentId !== borrower)
      return refused(externalId, [NOT_THEIRS]);
    const personId = borrower ?? idOf((await local.call('createPerson', { body: bodies.person, requestId })).data);
    const loanId = known ?? idOf((await local.call('createLoan', { params: { personId }, body: bodies.loan, requestId })).data);
    const params = { personId, loanId };
    const isPending = engine.world.catalog.get(tenant, 'loan', loanId)?.fields['status'] === 'originated';
    if (activates && isPending) await local.call('activateLoan', { params, body: bodies.activation, requestId });
    if (reconciliation.isWanted) {
      const { data } = await local.call('getLoan', { params, requestId });
      reconciliation.compare(externalId, row.cells ?? {}, data);
    }
    return { type: known !== undefined && !(activates && isPending) ? 'alreadyBooked' : 'booked' };
  }

  #borrowerOf({ person }: Bodies): string | undefined {
    const { engine, tenant } = this.parts;
    return engine.world.catalog.findExternal(tenant, 'person', String(person['externalId']));
  }

  /**
   * Runs all commands of the row on copies first, so that a refused row leaves neither a borrower nor a loan that is not activated.
   */
  async #tryOut(borrower: string | undefined, { person, loan, activation }: Bodies, requestId: string): Promise<void> {
    const { engine, activates } = this.parts;
    const local = this.parts.local.at(engine.trial());
    try {
      const personId = borrower ?? idOf((await local.call('createPerson', { body: person, requestId })).data);
      const loanId = idOf((await local.call('createLoan', { params: { personId }, body: loan, requestId })).data);
      const isOriginated = loan['status'] === 'originated';
      if (activates && isOriginated) await local.call('activateLoan', { params: { personId, loanId }, body: activation, requestId });
    } catch (cause) {
      if (cause instanceof Refusal) throw cause;
      // Nothing has changed, so the next rows can be booked: this one is reported as refused.
      throw new Refusal('internalError', `The service cannot compute this row: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      });
    }
  }
}

const NOT_THEIRS: Fault = {
  path: 'loan.externalId',
  expected: 'an id that no loan of another borrower has',
  message: 'is the id of a loan of another borrower',
};

const refused = (externalId: string, faults: readonly Fault[]): RowResult => ({
  type: 'refused',
  externalId,
  faults: faults.slice(0, LIMITS.faultsPerRow),
});

const faultsOf = (refusal: Refusal): readonly Fault[] =>
  refusal.errors.length > 0 ? refusal.errors : [{ path: '', expected: '', message: refusal.message }];

const idOf = (data: unknown): string => must(textIn(data, 'id'), 'a reply about an object has its id');
