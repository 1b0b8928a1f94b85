import { addDays, type Day, FIRST_DAY, type LateFeeTerms, type LedgerSettings, must, type Since } from '../../../engine/index.js';
import { type LoanType, type LoanTypeSettings, settingsAt, settingsTimeline } from '../../company/index.js';
import { firstLateFees, lateFeesAt, type LateFeeTimeline, withLateFees } from '../fees/late.js';

/** The parts of a loan's past that decide the settings of its ledger. */
export interface SettingsSources {
  readonly lateFees: LateFeeTimeline;
  /** Ids of all late-fee types that the loan ever adopted, in that order: the ids of their fees follow from the index. */
  readonly lateFeeTypes: readonly string[];
  /** In the order of recording; the last one that covers a day counts. */
  readonly rebases: readonly Rebase[];
  /** Versions of the ledger's rules, each from the day on which the loan adopted it. */
  readonly rules: readonly Since<number>[];
}

/** A replay: the days `from` to `through` are computed under the version of a later day. */
export interface Rebase {
  readonly from: Day;
  readonly through: Day;
  readonly version: number;
  /** The version of the ledger's rules. */
  readonly rules: number;
}

/** Earlier sources, and until when they were in force. */
export interface PastSources {
  readonly until: number;
  readonly sources: SettingsSources;
}

interface Configured {
  sources: SettingsSources;
  /** In the order of recording. */
  sourcesBefore: readonly PastSources[];
}

/** Replaces the sources. The earlier ones stay readable, as what was known until then. */
export function changeSources(of: Configured, sources: SettingsSources, knownAt: number): void {
  const until = Math.max(knownAt, of.sourcesBefore.at(-1)?.until ?? knownAt);
  of.sourcesBefore = [...of.sourcesBefore, { until, sources: of.sources }];
  of.sources = sources;
}

export interface Configuration {
  readonly loanType: LoanType;
  readonly sources: SettingsSources;
}

/** The product and the sources as known at a moment; null: as known now. */
export function configurationAt(
  loanType: LoanType,
  { sources, sourcesBefore }: Readonly<Configured>,
  knownAt: number | null,
): Configuration {
  if (knownAt === null) return { loanType, sources };
  return { loanType: loanTypeKnown(loanType, knownAt), sources: sourcesKnown({ sources, sourcesBefore }, knownAt) };
}

/** The product as known at a moment: the same object where nothing was recorded since. */
export function loanTypeKnown(loanType: LoanType, knownAt: number): LoanType {
  const versions = loanType.versions.filter(({ recordedAt }, position) => position === 0 || recordedAt <= knownAt);
  return versions.length === loanType.versions.length ? loanType : { ...loanType, versions };
}

/** The sources as known at a moment. */
export const sourcesKnown = ({ sources, sourcesBefore }: Readonly<Configured>, knownAt: number): SettingsSources =>
  sourcesBefore.find(({ until }) => knownAt < until)?.sources ?? sources;

export const firstSources = (lateFees: readonly LateFeeTerms[], rules: number): SettingsSources =>
  internSources({
    lateFees: firstLateFees(lateFees),
    lateFeeTypes: lateFees.map((fee) => fee.feeTypeId),
    rebases: [],
    rules: [{ from: FIRST_DAY, value: rules }],
  });

/** The sources with rules that hold from a day on; null if the loan has adopted these or later ones already. */
export function withRules(sources: SettingsSources, from: Day, version: number): SettingsSources | null {
  const newest = must(sources.rules.at(-1), 'a loan has rules').value;
  return version <= newest ? null : internSources({ ...sources, rules: [...sources.rules, { from, value: version }] });
}

/** The sources with late fees that hold from a day on, and with a replay. */
export function nextSources(
  { lateFees: timeline, lateFeeTypes, rebases, rules }: SettingsSources,
  from: Day,
  lateFees: readonly LateFeeTerms[],
  rebase: Rebase | null = null,
): SettingsSources {
  return internSources({
    lateFees: withLateFees(timeline, from, lateFees),
    lateFeeTypes: [...new Set([...lateFeeTypes, ...lateFees.map((fee) => fee.feeTypeId)])],
    rebases: rebase === null ? rebases : [...rebases, rebase],
    rules,
  });
}

/** Most loans of a product have equal sources: they share one object, so that sources can be compared by identity. */
export function internSources(value: SettingsSources): SettingsSources {
  const key = JSON.stringify(value);
  const known = interned.get(key);
  if (known !== undefined) return known;
  if (interned.size >= MAX_INTERNED) interned.clear();
  interned.set(key, value);
  return value;
}

const MAX_INTERNED = 4_096;
const interned = new Map<string, SettingsSources>();

/**
 * The product's settings for the ledger: the versions of the loan type, each from its day, with the late fees that the loan has adopted and
 * with its replays. A new version always begins after today, so the newest timeline changes no past day.
 */
export function ledgerSettings(loanType: LoanType, sources: SettingsSources): readonly Since<LedgerSettings>[] {
  const bySources = cache.get(loanType) ?? new WeakMap<SettingsSources, readonly Since<LedgerSettings>[]>();
  const known = bySources.get(sources);
  if (known !== undefined) return known;
  const made = timelineBySources(loanType, sources, (settings, from, rules) => ({
    ...ledgerSettingsOn(settings, lateFeesAt(sources.lateFees, from)),
    rules,
  }));
  cache.set(loanType, bySources.set(sources, made));
  return made;
}

/** Loan types and sources are replaced, never changed: their identity is their version. */
const cache = new WeakMap<LoanType, WeakMap<SettingsSources, readonly Since<LedgerSettings>[]>>();

/** The settings of each range of days, as `settingsOn` makes them. */
export function timelineBySources<Settings>(
  loanType: LoanType,
  { lateFees, rebases, rules }: SettingsSources,
  settingsOn: (settings: LoanTypeSettings, from: Day, rules: number) => Settings,
): readonly Since<Settings>[] {
  const versions = settingsTimeline(loanType.versions);
  const starts = new Set<Day>([FIRST_DAY]);
  for (const version of versions.slice(1)) starts.add(version.from);
  for (const taken of lateFees.slice(1)) starts.add(taken.from);
  for (const adopted of rules.slice(1)) starts.add(adopted.from);
  for (const rebase of rebases) starts.add(rebase.from).add(addDays(rebase.through, 1));
  const rebaseOn = (day: Day): Rebase | undefined => rebases.findLast((candidate) => candidate.from <= day && day <= candidate.through);
  const on = (day: Day): LoanTypeSettings => {
    const rebase = rebaseOn(day);
    const version = loanType.versions.find((candidate) => candidate.version === rebase?.version);
    return version?.settings ?? settingsAt(versions, day);
  };
  const rulesOn = (day: Day): number =>
    rebaseOn(day)?.rules ??
    must(
      rules.findLast(({ from }) => from <= day),
      'rules from the first day on',
    ).value;
  return [...starts].sort((a, b) => a - b).map((from) => ({ from, value: settingsOn(on(from), from, rulesOn(from)) }));
}

export function ledgerSettingsOn(settings: LoanTypeSettings, lateFees: readonly LateFeeTerms[]): LedgerSettings {
  return {
    isAccruingOnOverdue: settings.interest.accrueOnOverdue,
    capitalization: settings.interest.capitalization,
    isPrepaymentEnabled: settings.payments.enablePrepayments,
    paymentWaterfall: settings.paymentWaterfall,
    creditWaterfall: settings.creditWaterfall,
    acceleratedWaterfall: settings.acceleratedWaterfall,
    chargedOffWaterfall: settings.chargedOffWaterfall,
    overdueToleranceCents: settings.delinquency.overdueToleranceAmount,
    smallBalanceCents: settings.smallBalanceForgivenessAmount,
    accelerationDueWithin: settings.accelerationDueWithin,
    chargeOffDueWithin: settings.chargeOffDueWithin,
    lateFees,
    lateFeePyramiding: settings.lateFee.pyramidingProtection,
    statementOffsetDays: settings.schedule.statementOffsetDays,
  };
}
