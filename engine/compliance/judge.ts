import { addDays, dayAt, instantAt, parseDay, startOfDay } from '../calendar/index.js';
import { judgedBusinessRule } from './business-rule.js';
import { type Considered, consider } from './considered.js';
import { earliestOpen, NEVER, type Opening } from './openings.js';
import type { ContactPlan } from './plan.js';
import { isConcerned, type JudgedRule, REASONS } from './rule.js';
import { DECEASED_RULE, SEED_RULES } from './rules/index.js';
import type { Situation } from './situation.js';
import { isExempt, STEPS } from './steps.js';
import type { Stop } from './stop.js';
import type { RuleOutcome, GuardVerdict } from './verdict.js';

const ALLOWED: GuardVerdict = {
  result: true,
  blockReason: null,
  ruleId: null,
  ruleCode: null,
  doNotInteractId: null,
  description: null,
  sendAt: null,
  warnings: [],
  rules: [],
};

/**
 * Whether a contact may be made at the moment that it is planned for. The first thing that stands against it, by
 * the order of decision, is what is answered; when all of them are matters of time, with the earliest moment at which none does.
 * Pure: asked twice it says the same, and nothing is counted by asking.
 */
export function judge(plan: ContactPlan, situation: Situation): GuardVerdict {
  const considered = consider(plan, situation);
  if (isExempt(considered)) return ALLOWED;
  const rules = rulesAbout(considered);
  const stops = [...STEPS.flatMap(({ stops: found }) => found(considered)), ...rules.map(({ stop }) => stop)];
  const first = stops.find((stop) => !isOpen(stop, considered));
  const found: Pick<GuardVerdict, 'rules' | 'warnings'> = {
    rules: rules.map(({ outcome }) => outcome),
    warnings: warningsOf(considered, rules),
  };
  if (first === undefined) return { ...ALLOWED, ...found };
  const { reason, description, ruleId = null, ruleCode = null, doNotInteractId = null } = first.objection;
  return {
    result: false,
    blockReason: reason,
    ruleId,
    ruleCode,
    doNotInteractId,
    description,
    sendAt: sendAtOf(stops, considered),
    ...found,
  };
}

interface RuleFound {
  readonly rule: JudgedRule;
  readonly stop: Stop;
  readonly outcome: RuleOutcome;
}

/** The rules about a contact, in their order. The one about the dead is a step of its own. */
function rulesAbout(considered: Considered): readonly RuleFound[] {
  const { situation } = considered;
  const all = [...SEED_RULES, ...situation.businessRules.map(judgedBusinessRule)];
  return all
    .filter((rule) => rule.code !== DECEASED_RULE && isConcerned(rule, considered))
    .map((rule) => {
      const mutedUntil = rule.mutable ? (situation.mutes.get(rule.id) ?? null) : null;
      const openings = openingsOf(rule, considered).map((opening) => inEffect(rule, situation.companyZone, opening));
      const objection = { reason: REASONS[rule.kind], description: rule.description, ruleId: rule.id, ruleCode: rule.code };
      const stop = { objection, openings: mutedUntil === null ? openings : openings.map((opening) => muted(opening, mutedUntil)) };
      const blocks = !isOpen({ objection, openings }, considered);
      return { rule, stop, outcome: { ruleId: rule.id, code: rule.code, blocks, muted: blocks && isOpen(stop, considered) } };
    });
}

function openingsOf({ test }: JudgedRule, considered: Considered): readonly Opening[] {
  if (test.type === 'opens') return test.openings(considered);
  return test.bars(considered) ? [NEVER] : [];
}

/** A muted rule counts again once its time is up. */
const muted = ({ type, opensAt }: Opening, until: number): Opening => ({ type, opensAt: (at) => (at < until ? at : opensAt(at)) });

/** Before its first day and after its last a rule asks for nothing. */
function inEffect({ effectiveFrom, effectiveTo }: JudgedRule, zone: string, opening: Opening): Opening {
  if (effectiveFrom === null && effectiveTo === null) return opening;
  const first = parseDay(effectiveFrom ?? '');
  const last = parseDay(effectiveTo ?? '');
  const from = first === undefined ? -Infinity : startOfDay(zone, first);
  const to = last === undefined ? Infinity : startOfDay(zone, addDays(last, 1));
  return {
    type: opening.type,
    opensAt(at) {
      if (at < from || at >= to) return at;
      const open = opening.opensAt(at);
      return to !== Infinity && (open === null || open > to) ? to : open;
    },
  };
}

const isOpen = ({ openings }: Stop, { plan, situation }: Considered): boolean =>
  openings.every(({ type, opensAt }) => {
    const at = type === 'hours' && plan.checkAtCompanyNoon ? noonOf(plan.at, situation.companyZone) : plan.at;
    return opensAt(at) === at;
  });

const noonOf = (at: number, zone: string): number => instantAt(zone, dayAt(zone, at), { hour: 12, minute: 0, second: 0 });

/** The moment is judged again as one: what it is not about the clock may stand otherwise by then. */
function sendAtOf(stops: readonly Stop[], { plan, situation }: Considered): number | null {
  const found = earliestOpen(
    stops.flatMap(({ openings }) => openings),
    plan.at,
  );
  if (found === null || found === plan.at) return found;
  const then = consider({ ...plan, at: found, checkAtCompanyNoon: false }, situation);
  const isClear = [...STEPS.flatMap(({ stops: stopsThen }) => stopsThen(then)), ...rulesAbout(then).map(({ stop }) => stop)].every((stop) =>
    isOpen(stop, then),
  );
  return isClear ? found : null;
}

function warningsOf({ situation, plan, loans }: Considered, rules: readonly RuleFound[]): readonly string[] {
  const { home } = situation.person;
  return [
    ...rules.filter(({ outcome }) => outcome.muted).map(({ rule }) => `The muted rule ${rule.code} stands against it.`),
    ...(home === null ? ['The home of the borrower is not known: the rules of all states were asked.'] : []),
    ...(home !== null && home.zones.length > 1 ? ['The home may lie in several time zones: the hours had to suit all.'] : []),
    ...(plan.loanIds.length === 0 && loans.length > 1 ? ['No loan is named: limits were counted for each.'] : []),
  ];
}
