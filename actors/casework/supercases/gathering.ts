import { formatDay } from '../../../engine/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { MassOrder } from '../../kernel/jobs/mass-works.js';
import { isClosed } from '../cases/index.js';
import { fact, isReachable, type Population, type SupercaseState } from './state.js';

/** What a mass command is told: whose borrowers are to be looked for. */
export interface MatchBorrower {
  readonly supercaseId: string;
}

export const MATCH_BORROWER = 'supercaseMember.match';

/** The draft that takes in those who are matched; a supercase that somebody made has none. */
export const gatheringOf = ({ populations }: SupercaseState): Population | undefined =>
  populations.findLast(({ isDraft, gathersMatches }) => isDraft && gathersMatches === true);

/** Whether those who come to match today are added: through that day, while it is open. */
export function isMonitored(state: SupercaseState, env: DecideEnv): boolean {
  const { autoCreated, status, femaMonitoringEndDate: end } = state;
  if (!autoCreated || !isReachable(state) || isClosed(status)) return false;
  return end === null || formatDay(env.today(zoneOf(companyOf(env, env.tenant)))) <= end;
}

export const isPolicyOn = (env: DecideEnv): boolean => companyOf(env, env.tenant).profile?.femaPolicy === true;

/** An empty draft for matches. `count`: how many populations there are already. */
export const drafted = (env: DecideEnv, count: number): FactDraft =>
  fact('PopulationDrafted', {
    id: env.newId('SP'),
    name: count === 0 ? 'Matched borrowers' : `Matched borrowers ${count + 1}`,
    gathersMatches: true,
  });

/** One that gathered is committed or deleted: the next one takes in who is matched from now on. */
export const gatheredOn = (state: SupercaseState, { gathersMatches }: Population, env: DecideEnv): readonly FactDraft[] =>
  gathersMatches === true && isMonitored(state, env) ? [drafted(env, state.populations.length)] : [];

/** Monitoring goes on where it had ended, or was not: all borrowers are looked at again, since they may have moved meanwhile. */
export function watchedAgain(before: SupercaseState, after: SupercaseState, env: DecideEnv): readonly FactDraft[] {
  if (!isPolicyOn(env) || isMonitored(before, env) || !isMonitored(after, env)) return [];
  return [...(gatheringOf(before) ? [] : [drafted(env, before.populations.length)]), matchingOrdered(before.id)];
}

/** All borrowers of the company are compared: mass work, whose operation counts whom it has added and names whom it could not place. */
export function matchingOrdered(supercaseId: string): FactDraft {
  const body: MassOrder = {
    kind: 'supercase.match',
    resultObjectId: supercaseId,
    isDryRun: false,
    isHeld: false,
    supposing: [],
    task: {
      type: 'command',
      command: MATCH_BORROWER,
      selection: { kind: 'person', filter: {} },
      body: { supercaseId } satisfies MatchBorrower,
    },
  };
  return { type: 'MassOrdered', body };
}
