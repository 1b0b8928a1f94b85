import {
  addDays,
  type Day,
  dayAt,
  type EntrySource,
  generalLedger,
  LAST_DAY,
  type LedgerFact,
  type LedgerTerms,
  startOfDay,
} from '../../../engine/index.js';
import { generalLedgerSettingsOn } from '../../company/index.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { Agent } from '../../kernel/fact.js';
import { loanTypeOf, recordOf } from '../context.js';
import { termsOf } from '../ledger/installment.js';
import type { LoanState, Servicing, StoredLedgerFact } from '../state.js';

interface OfBasis {
  readonly basis: generalLedger.Basis;
  /** Accounting days. */
  readonly from: Day;
  readonly through: Day;
}

/**
 * What the books of a company take of a loan on the days of a span, computed from its facts: the same facts give the same entries for ever.
 * Lines of credit have none yet.
 */
export function accountingEntries(state: LoanState, env: EvolveEnv, span: OfBasis): readonly generalLedger.Entry[] {
  return state.servicing === null ? [] : new BookedInstallment(state, env, state.servicing).entries(span);
}

/** Statuses in which no day brings anything by itself. */
const ENDED: ReadonlySet<string> = new Set(['paidOff', 'canceled', 'closed']);

/** Known results of one computation of the loan; older ones are dropped. */
const MOST_KNOWN = 8;

class BookedInstallment {
  readonly #zone: string;
  /** The day on which the activation was recorded: nothing is known of the loan before. */
  readonly #begin: Day;
  readonly #stored: readonly StoredLedgerFact[];
  readonly #facts: readonly LedgerFact[];
  readonly #terms = new Map<Day, LedgerTerms>();
  readonly #known = new Map<string, readonly generalLedger.Believed[]>();
  readonly #settingsIds = new Map<unknown, number>();

  constructor(
    private readonly state: LoanState,
    private readonly env: EvolveEnv,
    private readonly servicing: Servicing,
  ) {
    this.#zone = recordOf(state).zone;
    this.#begin = dayAt(this.#zone, servicing.recordedAt);
    this.#stored = servicing.facts.all();
    this.#facts = this.#stored.map(({ fact }) => fact);
  }

  entries({ basis, from, through }: OfBasis): readonly generalLedger.Entry[] {
    const { tenant, id } = this.state;
    const entries: generalLedger.Entry[] = [];
    const last = this.#lastDay();
    for (let day = from > this.#begin ? from : this.#begin; day <= through && day <= last; day = addDays(day, 1)) {
      const { settings, dimensions } = this.#onDay(day);
      const books = { basis, settings };
      const loan: generalLedger.BookedFacts<LedgerFact> = {
        book: `${tenant.company}/${tenant.mode}`,
        basis,
        loanId: id,
        facts: this.#facts,
        causeOf: ({ sequence }) => this.#causeOf({ type: 'fact', sequence }, day),
        dayCause: (its) => this.#causeOf({ type: its === this.#begin ? 'activation' : 'dailyJob' }, its),
        believe: (facts, until, knownThrough) => this.#believed(books, { facts, until, knownThrough }),
      };
      for (const entry of generalLedger.entriesOn(loan, day))
        entries.push({ ...entry, lines: entry.lines.map((line) => ({ ...line, dimensions: { ...dimensions, ...line.dimensions } })) });
    }
    return entries;
  }

  /** Behind it nothing is booked any more. */
  #lastDay(): Day {
    const { summary } = this.servicing;
    if (!ENDED.has(summary.status)) return LAST_DAY;
    const recorded = this.#facts.reduce((latest, { recordedDay }) => (recordedDay > latest ? recordedDay : latest), this.#begin);
    const changed = this.state.statusHistory.reduce((latest, { recordedAt }) => Math.max(latest, recordedAt), 0);
    const moved = dayAt(this.#zone, changed);
    return addDays(moved > recorded ? moved : recorded, 1);
  }

  #onDay(day: Day): { readonly settings: generalLedger.GeneralLedgerSettings; readonly dimensions: generalLedger.Dimensions } {
    const company = this.env.read<Parameters<typeof generalLedgerSettingsOn>[0]>('company', this.state.tenant.company);
    const { id: loanTypeId, currency } = loanTypeOf(this.env, this.state);
    return {
      settings: company === undefined ? generalLedger.DEFAULT_GENERAL_LEDGER_SETTINGS : generalLedgerSettingsOn(company, day),
      dimensions: { loanTypeId, currency },
    };
  }

  #believed(
    books: { readonly basis: generalLedger.Basis; readonly settings: generalLedger.GeneralLedgerSettings },
    { facts, until, knownThrough }: { readonly facts: readonly LedgerFact[]; readonly until: Day; readonly knownThrough: Day },
  ): readonly generalLedger.Believed[] {
    if (until < this.#begin) return [];
    const terms = this.#termsKnown(knownThrough > this.#begin ? knownThrough : this.#begin);
    // Facts are those that were recorded first: their number says which.
    const key = `${books.basis}/${this.#idOf(books.settings)}/${facts.length}/${until}/${this.#idOf(terms.settings)}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const believed = generalLedger.believedInstallment({ terms, facts, details: this.#details }, books, until);
    this.#known.set(key, believed);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    return believed;
  }

  /** The terms with the settings of the product as they were known at the end of a day. */
  #termsKnown(day: Day): LedgerTerms {
    const known = this.#terms.get(day);
    if (known !== undefined) return known;
    const terms = termsOf(this.state, this.env, startOfDay(this.#zone, addDays(day, 1)) - 1);
    this.#terms.set(day, terms);
    return terms;
  }

  #idOf(settings: unknown): number {
    const id = this.#settingsIds.get(settings) ?? this.#settingsIds.size;
    this.#settingsIds.set(settings, id);
    return id;
  }

  readonly #details: generalLedger.LoanDetails = {
    causeOf: (source, day) => this.#causeOf(source, day),
    creditOf: (transaction) => this.#creditOf(transaction),
    atFaultOf: (transaction) =>
      AT_FAULT[this.state.refunds.find((refund) => refund.transaction === transaction)?.atFaultParty ?? 'loanOwner'],
    payableOf: () => ({ role: 'networkPayable' }),
    drawIdOf: String,
    get isMigrated() {
      return false;
    },
  };

  #creditOf(transaction: number): { readonly creditType: string; readonly sponsor: generalLedger.CreditSponsor } {
    for (const { payment, serviceCredit } of this.state.transactions.among(() => true))
      if (payment === transaction && serviceCredit !== null)
        return { creditType: serviceCredit.type, sponsor: SPONSORS[serviceCredit.sponsor ?? ''] ?? 'lender' };
    return { creditType: 'other', sponsor: 'lender' };
  }

  #causeOf(source: EntrySource, day: Day): generalLedger.Cause {
    const { id } = this.state;
    if (source.type === 'activation') return { factId: `${id}/activation`, factType: 'activation', recordedAt: this.servicing.recordedAt };
    const stored = source.type === 'fact' ? this.#stored[source.sequence - 1] : undefined;
    if (stored === undefined) {
      const end = addDays(day, 1);
      return { factId: `${id}/day/${day}`, factType: 'dayClosed', recordedAt: startOfDay(this.#zone, end) };
    }
    const { fact, recordedAt, by, caseId } = stored;
    return {
      factId: `${id}/${fact.sequence}`,
      factType: fact.type,
      recordedAt,
      actor: agentText(by),
      ...(caseId === null ? {} : { caseId }),
    };
  }
}

const agentText = ({ type, id, userId }: Agent): string => (type === 'system' ? 'service' : (userId ?? id));

const AT_FAULT = { loanOwner: 'loanOwner', loanServicer: 'serviceOperator', merchant: 'merchant' } as const;

const SPONSORS: Readonly<Record<string, generalLedger.CreditSponsor | undefined>> = {
  lender: 'lender',
  merchant: 'merchant',
  investor: 'investor',
  serviceOperator: 'serviceOperator',
};
