import {
  addDays,
  addBusinessDays,
  type Cents,
  cents,
  type Day,
  type ExpectedMoney,
  formatDay,
  parseCents,
  parseDay,
  readAchInSteps,
  settlementDayOf,
  transactionCode,
} from '../../../engine/index.js';
import { type FundingInstrument, isByFiles, type ProcessorRecord, type SettlementTransfer } from '../../company/index.js';
import { inSteps } from '../../kernel/jobs/in-steps.js';
import { type OutgoingEntry, unpackIncoming, unpackOutgoing } from '../ach/entries.js';
import type { AchFileWork, AchMovement } from '../ach/view.js';
import type { CardResultsQuery, KeptCardResults } from '../reconciliation/index.js';
import { type MatchTarget, NO_TARGET } from './entries.js';
import type { StatementWorkParts } from './ports.js';

/** Business days behind its due day after which money is missing. A check takes longer than a file. */
const PATIENCE = { file: 1, settlement: 3, outside: 5 } as const;
/** Calendar days before a statement whose money may still come with it. */
export const EARLIER_DAYS = 45;
/** Entries of files that are looked for one by one: those of larger files, and of files due long before or after, by their sums alone. */
const MAX_PARTS = 50_000;
const PARTS_DAYS = 14;
/** Payments outside of the service that are asked for. */
const MAX_OUTSIDE = 20_000;

/** Expected money, and what it is. */
export interface Expected {
  readonly money: readonly ExpectedMoney[];
  readonly targets: ReadonlyMap<string, MatchTarget>;
  /** Keys of what this account alone can receive or pay: it is missing where it does not come. */
  readonly demanded: ReadonlySet<string>;
}

interface Account {
  readonly processor: ProcessorRecord;
  readonly instrument: FundingInstrument;
  /** Whether another account of the processor has the same purpose. */
  readonly isAlone: boolean;
}

interface Span {
  readonly from: Day;
  readonly through: Day;
}

/** What other statements have found: those that end no later, and those that end later. */
export interface FoundByOthers {
  readonly moneyKeys: ReadonlySet<string>;
  readonly laterKeys: ReadonlySet<string>;
}

/** How many parts of each file were found. */
interface FoundParts {
  readonly withParts: boolean;
  readonly ofEarlier: ReadonlyMap<string, number>;
  readonly ofLater: ReadonlyMap<string, number>;
}

function partsByFile(keys: ReadonlySet<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) {
    const [file = '', part = ''] = key.split('/');
    if (part !== '' && part !== 'debit' && part !== 'credit') counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return counts;
}

const SIDES = ['debit', 'credit'] as const;
type Side = (typeof SIDES)[number];

/** What an account shall receive and pay: files, their returns, days of a processor of cards, settlements, payments from outside. */
export class ExpectedOfAccount {
  readonly #targets = new Map<string, MatchTarget>();
  readonly #demanded = new Set<string>();
  #partsLeft = 0;

  constructor(
    private readonly parts: StatementWorkParts,
    private readonly account: Account,
    private readonly span: Span,
  ) {}

  /** `withParts`: sums of files that were not found are divided into batches and entries, which are read for it. */
  async find({ withParts, found }: { readonly withParts: boolean; readonly found: FoundByOthers }): Promise<Expected> {
    this.#targets.clear();
    this.#demanded.clear();
    this.#partsLeft = MAX_PARTS;
    const parts: FoundParts = { withParts, ofEarlier: partsByFile(found.moneyKeys), ofLater: partsByFile(found.laterKeys) };
    const { processor } = this.account;
    const from = addDays(this.span.from, -EARLIER_DAYS);
    const movements = await this.parts.calls.query<readonly AchMovement[]>('achFile.movements', null, { processorId: processor.id, from });
    const money: ExpectedMoney[] = [];
    for (const movement of movements) money.push(...(await this.#ofFile(movement, parts)));
    money.push(...(await this.#cardFundings(from)));
    if (isByFiles(processor.stored) && processor.stored.isDefault)
      money.push(...(await this.#settlements(from)), ...(await this.#outside()));
    const isDue = money.filter(({ dueDay }) => dueDay >= from && dueDay <= addDays(this.span.through, EARLIER_DAYS));
    return { money: isDue, targets: this.#targets, demanded: this.#demanded };
  }

  /** Debits of borrowers are collected, credits to them disbursed. A return goes the other way by the same account. */
  #isOurs(side: Side): boolean {
    const { purpose } = this.account.instrument;
    return purpose === 'both' || purpose === (side === 'debit' ? 'collection' : 'disbursement');
  }

  async #ofFile(file: AchMovement, found: FoundParts): Promise<readonly ExpectedMoney[]> {
    const isOutgoing = file.direction === 'outgoing';
    const dueDay = isOutgoing ? settlementDayOf(file.effectiveDay, file.fileDay, this.parts.calendar) : file.fileDay;
    const sides = SIDES.filter((side) => this.#isOurs(side) && sumOf(file, side) !== 0);
    if (sides.length === 0) return [];
    // A file that is booked entry by entry is looked at until all its entries are found, and never again as a sum.
    const ofEarlier = found.ofEarlier.get(file.id) ?? 0;
    if (ofEarlier >= file.entryCount) return [];
    const isBegun = ofEarlier + (found.ofLater.get(file.id) ?? 0) > 0;
    const isNear = dueDay >= addDays(this.span.from, -PARTS_DAYS) && dueDay <= addDays(this.span.through, PARTS_DAYS);
    const isDivided = (isBegun || (found.withParts && isNear)) && file.entryCount <= this.#partsLeft;
    if (isBegun && !isDivided) return [];
    if (isDivided) this.#partsLeft -= file.entryCount;
    const parts = isDivided ? await this.#partsOf(file, dueDay) : NO_PARTS;
    return sides.map((side) => {
      const sign = (side === 'debit') === isOutgoing ? 1 : -1;
      const money = this.#money({
        key: `${file.id}/${side}`,
        amountCents: cents(sign * sumOf(file, side)),
        dueDay,
        patience: PATIENCE.file,
        references: [file.id, ...file.fileNames, ...file.fileNames.map((name) => name.replace(/\.[^.]*$/, ''))],
        target: { ...NO_TARGET, achFileId: file.id },
        parts: parts[side],
      });
      if (this.account.isAlone) this.#demanded.add(money.key);
      return money;
    });
  }

  async #partsOf({ id, direction }: AchMovement, dueDay: Day): Promise<Readonly<Record<Side, readonly ExpectedMoney[]>>> {
    const { calls, contents } = this.parts;
    const { content, entries } = await calls.query<AchFileWork>('achFile.work', id);
    if (entries === null) return NO_PARTS;
    const bytes = await contents.get(entries);
    if (direction === 'return') {
      const returned = unpackIncoming(bytes).filter(({ code, amountCents }) => code.startsWith('R') && amountCents > 0);
      const singles = returned.map((entry, at) => ({
        side: entry.direction,
        money: this.#single(`${id}/${at + 1}`, {
          ...entry,
          personId: entry.personId,
          sign: entry.direction === 'debit' ? -1 : 1,
          id,
          dueDay,
        }),
      }));
      return bySide(singles);
    }
    const outgoing = unpackOutgoing(bytes).filter(({ amountCents }) => amountCents > 0);
    const batchOf = content === null ? NO_BATCHES : await batchesIn(Buffer.from(await contents.get(content)).toString('latin1'));
    const singleOf = (entry: OutgoingEntry): ExpectedMoney =>
      this.#single(`${id}/${entry.trace}`, { ...entry, sign: entry.direction === 'debit' ? 1 : -1, id, dueDay });
    const groups = new Map<string, OutgoingEntry[]>();
    for (const entry of outgoing) {
      const group = `${entry.direction}/${batchOf.get(entry.trace) ?? ''}`;
      const known = groups.get(group);
      if (known === undefined) groups.set(group, [entry]);
      else known.push(entry);
    }
    const made = [...groups].flatMap(([group, own]) => {
      const side: Side = group.startsWith('debit/') ? 'debit' : 'credit';
      const singles = own.map(singleOf);
      // A batch that is all of its side is the sum of the file itself.
      const isAll = [...groups.keys()].filter((each) => each.startsWith(`${side}/`)).length === 1;
      if (isAll) return singles.map((money) => ({ side, money }));
      const amountCents = cents(singles.reduce((sum, each) => sum + each.amountCents, 0));
      const target = { ...NO_TARGET, achFileId: id };
      const batch = this.#money({
        key: `${id}/batch/${group}`,
        amountCents,
        dueDay,
        patience: PATIENCE.file,
        references: [],
        target,
        parts: singles,
      });
      return [{ side, money: batch }];
    });
    return bySide(made);
  }

  #single(
    key: string,
    entry: Pick<OutgoingEntry, 'trace' | 'amountCents' | 'payment'> & {
      readonly personId: string | null;
      readonly sign: 1 | -1;
      readonly id: string;
      readonly dueDay: Day;
    },
  ): ExpectedMoney {
    const { trace, amountCents, payment, personId, sign, id, dueDay } = entry;
    return this.#money({
      key,
      amountCents: cents(sign * amountCents),
      dueDay,
      patience: PATIENCE.file,
      references: [trace, ...(payment === null ? [] : [payment.transactionId])],
      target: {
        ...NO_TARGET,
        achFileId: id,
        transactionId: payment?.transactionId ?? null,
        loanId: payment?.loanId ?? null,
        personId,
        trace,
      },
      parts: [],
    });
  }

  /** What a processor of cards pays for its days, or takes. */
  async #cardFundings(from: Day): Promise<readonly ExpectedMoney[]> {
    const { processor, isAlone } = this.account;
    if (isByFiles(processor.stored) || !this.#isOurs('debit')) return [];
    // A day is paid some days after its end.
    const query: CardResultsQuery = { processorId: processor.id, from: addDays(from, -EARLIER_DAYS) };
    const days = await this.parts.calls.query<readonly KeptCardResults[]>('reconciliation.cardResults', null, query);
    return days
      .filter(({ funding }) => funding.amountCents !== 0)
      .map(({ id, funding }) => {
        if (isAlone) this.#demanded.add(id);
        return this.#money({
          key: id,
          amountCents: funding.amountCents,
          dueDay: funding.day,
          patience: PATIENCE.settlement,
          references: [funding.reference, id],
          target: NO_TARGET,
          parts: [],
        });
      });
  }

  async #settlements(from: Day): Promise<readonly ExpectedMoney[]> {
    if (!this.#isOurs('credit')) return [];
    const transfers = await this.parts.calls.query<readonly SettlementTransfer[]>('settlement.transfers', null, { from });
    return transfers.map(({ id, day, netCents, fileName }) => {
      const key = id;
      if (this.account.isAlone) this.#demanded.add(key);
      return this.#money({
        key,
        amountCents: cents(-netCents),
        dueDay: day,
        patience: PATIENCE.settlement,
        references: [id, ...(fileName === null ? [] : [fileName, fileName.replace(/\.[^.]*$/, '')])],
        target: { ...NO_TARGET, settlementId: id },
        parts: [],
      });
    });
  }

  /** Checks, wires and money orders that were recorded as paid: others have moved the money, into this account or from it. */
  async #outside(): Promise<readonly ExpectedMoney[]> {
    const { calendar, tenant, questions } = this.parts;
    const from = addBusinessDays(this.span.from, -PATIENCE.outside - 1, calendar);
    const { rows } = await questions.ask(tenant, { sql: outsideSql(from, this.span.through), seesPersonalData: false });
    return rows.flatMap((row) => {
      const [transactionId, loanId, personId, type, amountText, dateText, externalId, processorId] = row.map((cell) =>
        cell === null ? null : String(cell),
      );
      const amountCents = parseCents(amountText ?? '');
      const dueDay = parseDay((dateText ?? '').slice(0, 10));
      if (transactionId == null || amountCents === undefined || dueDay === undefined) return [];
      const isOut = PAID_OUT.has(type ?? '');
      if (!this.#isOurs(isOut ? 'credit' : 'debit')) return [];
      if (this.account.isAlone) this.#demanded.add(transactionId);
      return [
        this.#money({
          key: transactionId,
          amountCents: cents(isOut ? -amountCents : amountCents),
          dueDay,
          patience: PATIENCE.outside,
          references: [transactionId, externalId, processorId].filter((each) => each != null),
          target: { ...NO_TARGET, transactionId, loanId: loanId ?? null, personId: personId ?? null },
          parts: [],
        }),
      ];
    });
  }

  #money({ target, ...money }: ExpectedMoney & { readonly target: MatchTarget }): ExpectedMoney {
    this.#targets.set(money.key, target);
    return money;
  }
}

const NO_PARTS: Readonly<Record<Side, readonly ExpectedMoney[]>> = { debit: [], credit: [] };
const NO_BATCHES: ReadonlyMap<string, string> = new Map();

const sumOf = ({ debitCents, creditCents }: AchMovement, side: Side): Cents => (side === 'debit' ? debitCents : creditCents);

function bySide(made: readonly { readonly side: Side; readonly money: ExpectedMoney }[]): Readonly<Record<Side, readonly ExpectedMoney[]>> {
  const of = (wanted: Side): readonly ExpectedMoney[] => made.filter(({ side }) => side === wanted).map(({ money }) => money);
  return { debit: of('debit'), credit: of('credit') };
}

/** The batch of each entry, by trace number. */
async function batchesIn(text: string): Promise<ReadonlyMap<string, string>> {
  const { batches } = await inSteps(readAchInSteps(text));
  return new Map(
    batches.flatMap(({ header, entries }) =>
      entries
        .filter(({ transactionCode: code }) => transactionCode(code) !== undefined)
        .map(({ trace }): readonly [string, string] => [trace, String(header.batchNumber)]),
    ),
  );
}

/** Money that returns to borrowers. */
const PAID_OUT: ReadonlySet<string> = new Set(['reversal', 'reimbursement', 'refund', 'chargeback']);

const outsideSql = (from: Day, through: Day): string => `
SELECT transaction_id, loan_id, person_id, type, CAST(coalesce(actual_amount, scheduled_amount) AS VARCHAR),
       CAST(effective_date AS VARCHAR), external_id, processor_transaction_id
FROM v_transactions
WHERE is_external AND status = 'succeeded' AND instrument_type IN ('check', 'wire', 'moneyOrder')
  AND effective_date BETWEEN DATE '${formatDay(from)}' AND DATE '${formatDay(through)}'
ORDER BY effective_date, transaction_id LIMIT ${MAX_OUTSIDE}`;
