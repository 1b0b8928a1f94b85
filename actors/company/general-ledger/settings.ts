import type { tags } from 'typia';
import { type Day, generalLedger } from '../../../engine/index.js';
import { refuse, refuseProperty, Refusal } from '../../errors.js';
import type { CommandRequest, CommandSpec, QuerySpec } from '../../kernel/actor.js';
import type { Agent } from '../../kernel/fact.js';
import { recordsOf, type ResourceCreated, type ResourceHost } from '../../kernel/resources/index.js';
import { type AnyId, type DateText, dateText, type DateTimeText, dayOfText, millisecondsOf } from '../../wire.js';
import type { CompanyState } from '../state.js';
import { investorOf } from '../parties/investors.js';
import { firstOpenDay } from './closed-days.js';
import { type FromDay, inForceOn, timelineOf } from './timeline.js';

type GeneralLedgerSettings = generalLedger.GeneralLedgerSettings;

const { DEFAULT_GENERAL_LEDGER_SETTINGS } = generalLedger;

const GENERAL_LEDGER_SETTINGS = 'generalLedgerSettings';

interface Edition extends FromDay {
  readonly settings: GeneralLedgerSettings;
  readonly adoptedBy: Agent;
}

export interface GeneralLedgerSettingsBody extends Partial<Omit<GeneralLedgerSettings, 'nonaccrualAfterDays'>> {
  /** Days overdue from which the interest of a loan is a memorandum; null: it stays on the books until the charge-off. */
  readonly nonaccrualAfterDays?: (number & tags.Type<'uint32'> & tags.Minimum<1> & tags.Maximum<3650>) | null;
  /** The day from which they hold; default the first day that is open. */
  readonly fromDate?: DateText;
  /** The investor that is the lender itself, for books of its own share; null: it owns no shares beside others. */
  readonly lenderInvestorId?: AnyId | null;
}

export interface GeneralLedgerSettingsQuery {
  /** Only what was adopted at or before this moment. */
  readonly recordedAsOf?: DateTimeText;
}

export interface AdoptSettingsQuery {
  readonly previewMode?: boolean;
}

/** Whether a command computes and records nothing. */
export const isPreview = ({ query }: CommandRequest): boolean =>
  typeof query === 'object' && query !== null && 'previewMode' in query && query.previewMode === true;

export interface GeneralLedgerSettingsView {
  readonly object: 'generalLedgerSettings';
  readonly companyId: string;
  /** In force on the first day that is open. */
  readonly settings: GeneralLedgerSettings;
  /** By setting, the day on which its value has begun; null: it is the default. */
  readonly begins: Readonly<Record<string, DateText | null>>;
  /** Adopted, and not in force yet. */
  readonly coming: readonly { readonly fromDate: DateText; readonly settings: GeneralLedgerSettings }[];
}

function editionsOf(host: ResourceHost, knownAt: number): readonly Edition[] {
  const known = [...recordsOf<Edition>(host, GENERAL_LEDGER_SETTINGS).values()].filter(({ createdAt }) => createdAt <= knownAt);
  return timelineOf(known.map(({ stored }) => stored));
}

/** Each edition of an earlier release as it is booked. */
const booked = new WeakMap<GeneralLedgerSettings, GeneralLedgerSettings>();

/**
 * Earlier releases knew no investor that is the lender. They wrote `ownShare` into every edition, could keep no other value, and booked the
 * whole loan all the same: what they kept is `gross`.
 */
function asBooked(settings: GeneralLedgerSettings): GeneralLedgerSettings {
  if ('lenderInvestorId' in settings) return settings;
  const known = booked.get(settings);
  if (known !== undefined) return known;
  const made: GeneralLedgerSettings = { ...(settings as GeneralLedgerSettings), ownerBooks: 'gross', lenderInvestorId: null };
  booked.set(settings, made);
  return made;
}

/** What the lender has decided about its books on a day. */
export function generalLedgerSettingsOn(host: ResourceHost, day: Day): GeneralLedgerSettings {
  const edition = inForceOn(editionsOf(host, Infinity), day);
  return edition === undefined ? DEFAULT_GENERAL_LEDGER_SETTINGS : asBooked(edition.settings);
}

/** The days from which settings hold, with those before: what is in force on a day does not depend on what was adopted for later ones. */
export function generalLedgerEditions(
  host: ResourceHost,
): readonly { readonly from: Day; readonly before: GeneralLedgerSettings; readonly settings: GeneralLedgerSettings }[] {
  const editions = editionsOf(host, Infinity).map(({ from, settings }) => ({ from, settings: asBooked(settings) }));
  return editions.map(({ from, settings }, at) => ({
    from,
    before: editions[at - 1]?.settings ?? DEFAULT_GENERAL_LEDGER_SETTINGS,
    settings,
  }));
}

/** From how many days overdue the interest of a loan is not recognized, by day; null: the lender has never set it. */
export function nonaccrualAfterOf(host: ResourceHost): generalLedger.NonaccrualAfter | null {
  const editions = editionsOf(host, Infinity);
  if (editions.every(({ settings }) => settings.nonaccrualAfterDays === null)) return null;
  return (day) => inForceOn(editions, day)?.settings.nonaccrualAfterDays ?? null;
}

const valueOf = (settings: GeneralLedgerSettings, name: string): string =>
  JSON.stringify(Object.entries(settings).find(([each]) => each === name)?.[1]);

function settingsView(company: CompanyState, openDay: Day, knownAt: number): GeneralLedgerSettingsView {
  const editions = editionsOf(company, knownAt).map((edition) => ({ ...edition, settings: asBooked(edition.settings) }));
  const past = editions.filter(({ from }) => from <= openDay);
  const settings = past.at(-1)?.settings ?? DEFAULT_GENERAL_LEDGER_SETTINGS;
  const beginOf = (name: string): DateText | null => {
    let begin: Day | null = null;
    let value = valueOf(DEFAULT_GENERAL_LEDGER_SETTINGS, name);
    for (const edition of past) {
      const next = valueOf(edition.settings, name);
      if (next === value) continue;
      value = next;
      begin = edition.from;
    }
    return begin === null ? null : dateText(begin);
  };
  return {
    object: 'generalLedgerSettings',
    companyId: company.id,
    settings,
    begins: Object.fromEntries(Object.keys(DEFAULT_GENERAL_LEDGER_SETTINGS).map((name) => [name, beginOf(name)])),
    coming: editions
      .filter(({ from }) => from > openDay)
      .map((edition) => ({ fromDate: dateText(edition.from), settings: edition.settings })),
  };
}

export const settingsQuery: QuerySpec<CompanyState, GeneralLedgerSettingsQuery> = {
  kind: 'company',
  type: 'generalLedgerSettings.get',
  on: 'target',
  read({ state, env, query }) {
    const { recordedAsOf } = query;
    const knownAt = recordedAsOf === undefined ? Infinity : millisecondsOf(recordedAsOf);
    if (knownAt !== Infinity && knownAt > env.now)
      refuse('badRequest', 'The moment is to come.', {
        errors: [{ path: 'recordedAsOf', expected: 'a moment that has passed', message: 'is to come' }],
      });
    return settingsView(state, firstOpenDay(state, env), knownAt);
  },
};

/** Settings that no entry depends on yet: a change of them is refused, so that nobody relies on it. */
const NOT_FOLLOWED: readonly (keyof GeneralLedgerSettings)[] = [
  'chargeOffReversal',
  'scheduleChangeYield',
  'atPayoff',
  'membershipFee',
  'waivers',
  'deferredInterestPromo',
  'saleTreatment',
  'priorYearInterest',
];

/** Books of each owner have rules, and no loan is booked by them. */
const FOLLOWED_OWNERS: ReadonlySet<GeneralLedgerSettings['ownerBooks']> = new Set(['gross', 'ownShare']);

function refuseNotFollowed(settings: GeneralLedgerSettings): void {
  const changed = NOT_FOLLOWED.filter((name) => valueOf(settings, name) !== valueOf(DEFAULT_GENERAL_LEDGER_SETTINGS, name));
  const expected = new Map(changed.map((name) => [name, valueOf(DEFAULT_GENERAL_LEDGER_SETTINGS, name)]));
  if (!FOLLOWED_OWNERS.has(settings.ownerBooks)) expected.set('ownerBooks', [...FOLLOWED_OWNERS].map((value) => `"${value}"`).join(' or '));
  // What is not recognized of a loan is not divided among its owners.
  if (settings.ownerBooks === 'ownShare' && settings.nonaccrualAfterDays !== null)
    expected.set('nonaccrualAfterDays', 'null, beside ownerBooks "ownShare"');
  if (expected.size === 0) return;
  throw new Refusal('ruleViolation', `The books of this release do not follow ${[...expected.keys()].join(', ')}.`, {
    errors: [...expected].map(([path, value]) => ({ path, expected: value, message: 'cannot be changed in this release' })),
  });
}

/** The service id of the investor that is the lender. */
function lenderOf(company: CompanyState, anyId: string | null): string | null {
  if (anyId === null) return null;
  const investor = investorOf(company, anyId);
  return investor === undefined ? refuseProperty('lenderInvestorId', 'an investor', `There is no investor ${anyId}.`) : investor.id;
}

export const adoptSettings: CommandSpec<CompanyState, GeneralLedgerSettingsBody> = {
  kind: 'company',
  type: 'generalLedgerSettings.adopt',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, env, command, body }) {
    const { fromDate, ...changes } = body;
    const open = firstOpenDay(state, env);
    const from = fromDate === undefined ? open : dayOfText(fromDate);
    refuseClosed(from, open);
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
    const changed: GeneralLedgerSettings = { ...generalLedgerSettingsOn(state, from), ...given };
    const settings: GeneralLedgerSettings = { ...changed, lenderInvestorId: lenderOf(state, changed.lenderInvestorId) };
    refuseNotFollowed(settings);
    const stored: Edition = { from, settings, adoptedBy: command.actor };
    const made: ResourceCreated = { resource: GENERAL_LEDGER_SETTINGS, id: env.newId('GS'), parentId: null, stored };
    return {
      facts: [{ type: 'ResourceCreated', body: made }],
      preview: isPreview(command),
      reply: (after) => ({ data: settingsView(after, open, Infinity) }),
    };
  },
};

/** Refuses what would hold on a day whose books are closed. */
export function refuseClosed(from: Day, open: Day): void {
  if (from < open)
    refuse('invalidState', `The books of ${dateText(from)} are closed. The first day that is open is ${dateText(open)}.`, {
      errors: [{ path: 'fromDate', expected: `${dateText(open)} or later`, message: 'is closed' }],
    });
}
