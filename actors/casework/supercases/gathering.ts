import { formatDay } from '../../../engine/index.js';
import { companyOf, zoneOf } from '../../company/index.js';
import type { DecideEnv } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { MassOrder } from '../../kernel/jobs/mass-works.js';
import { isClosed } from '../cases/index.js';
import { fact, isReachable, type Population, type SupercaseState } from './state.js';

/** The body of the mass command: the supercase to be matched. */
export interface MatchBorrower {
  readonly supercaseId: string;
}

export const MATCH_BORROWER = 'supercaseMember.match';

/** The draft population that collects matched borrowers. A supercase that a user created has none. */
export const gatheringOf = ({ populations }: SupercaseState): Population | undefined =>
  populations.findLast(({ isDraft, gathersMatches }) => isDraft && gathersMatches === true);

/** Whether borrowers who match today are added: the supercase is open and its monitoring has not ended. */
export function isMonitored(state: SupercaseState, env: DecideEnv): boolean {
  const { autoCreated, status, femaMonitoringEndDate: end } = state;
  if (!autoCreated || !isReachable(state) || isClosed(status)) return false;
  return end === null || formatDay(env.today(zoneOf(companyOf(env, env.tenant)))) <= end;
}

export const isPolicyOn = (env: DecideEnv): boolean => companyOf(env, env.tenant).profile?.femaPolicy === true;

/** The fact of an empty draft for matches. `count`: the number of existing populations. */
export const drafted = (env: DecideEnv, count: number): FactDraft =>
  fact('PopulationDrafted', {
    id: env.newId('SP'),
    name: count === 0 ? 'Matched borrowers' : `Matched borrowers ${count + 1}`,
    gathersMatches: true,
  });

/** After the gathering draft was committed or deleted, a new one collects further matches. */
export const gatheredOn = (state: SupercaseState, { gathersMatches }: Population, env: DecideEnv): readonly FactDraft[] =>
  gathersMatches === true && isMonitored(state, env) ? [drafted(env, state.populations.length)] : [];

/** If a change starts monitoring or starts it again, all borrowers are matched again, since they may have moved meanwhile. */
export function watchedAgain(before: SupercaseState, after: SupercaseState, env: DecideEnv): readonly FactDraft[] {
  if (!isPolicyOn(env) || isMonitored(before, env) || !isMonitored(after, env)) return [];
  return [...(gatheringOf(before) ? [] : [drafted(env, before.populations.length)]), matchingOrdered(before.id)];
}

/** Orders mass work that matches all borrowers. Its operation counts the added borrowers and lists those with an unknown county. */
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
