import { must, stateNamed } from '../../../../engine/index.js';
import { type Address, homeAddressOf, isOfUnitedStates, type PersonState } from '../../../borrower/index.js';
import type { CommandSpec, DecideEnv } from '../../../kernel/actor.js';
import type { FactDraft } from '../../../kernel/fact.js';
import type { LoanState } from '../../../loan/index.js';
import { isClosed, servicedLoans } from '../../cases/index.js';
import type { MemberFacts } from '../member.js';
import { pairOf } from '../member-pairs.js';
import { isReachable, type SupercaseState } from '../state.js';
import { gatheringOf, isMonitored, isPolicyOn, MATCH_BORROWER, type MatchBorrower } from './gathering.js';

/** Who is compared, by which home, and the loans that are being serviced. */
export interface Candidate {
  readonly personId: string;
  readonly home: Address;
  readonly loanIds: readonly string[];
}

const areasOf = ({ femaDisasterDetails }: SupercaseState): readonly Place[] =>
  (femaDisasterDetails?.['impactedAreas'] ?? []) as readonly Place[];

/** Each loan of a borrower who lives in a declared area, as a member of the draft that gathers; pairs that are there already stay. */
function membersOf(env: DecideEnv, supercase: SupercaseState, { personId, loanIds }: Candidate): readonly FactDraft[] {
  const population = gatheringOf(supercase);
  if (population === undefined) return [];
  return loanIds
    .filter((loanId) => pairOf(env, { supercaseId: supercase.id, personId, loanId }) === undefined)
    .map((loanId) => {
      const body: MemberFacts['MemberAdded'] = { supercaseId: supercase.id, populationId: population.id, personId, loanId };
      return { type: 'MemberAdded', body, target: { kind: 'supercaseMember', id: env.newId('MB') } };
    });
}

/** Somebody may have stopped the monitoring of a borrower for disasters; who has never been looked at is not left out for that. */
export const isWatched = ({ monitoring }: PersonState): boolean =>
  !monitoring.some(({ kind, status }) => kind === 'disaster' && status === 'stopped');

/** Loans that are serviced and whose main borrower this is: what other people of a loan owe is known where that borrower lies. */
export const loansToMatch = (env: DecideEnv, personId: string): readonly string[] =>
  servicedLoans(env, personId).filter((id) => env.read<LoanState>('loan', id)?.record?.personId === personId);

/** The same for all disasters that are being monitored, as a consequence of what has become of a borrower. */
export function matchedNow(env: DecideEnv, candidate: Candidate): readonly FactDraft[] {
  const { rows } = env.list('supercase', {
    matches: ({ fields }) => fields['supercaseType'] === 'federalEmergency',
    limit: Number.MAX_SAFE_INTEGER,
  });
  const open = rows
    .map(({ id }) => must(env.read<SupercaseState>('supercase', id), `the listed ${id}`))
    .filter((state) => isMonitored(state, env));
  return open
    .filter((state) => standingOf(candidate.home, areasOf(state)) === 'inside')
    .flatMap((state) => membersOf(env, state, candidate));
}

/** Of each borrower, once for a declaration. One whose county is not known is named by the operation, for somebody to look at. */
export const matchBorrower: CommandSpec<PersonState> = {
  kind: 'person',
  type: MATCH_BORROWER,
  place: { on: 'target' },
  catchUpFirst: false,
  decide({ id: personId, state, body, env }) {
    const supercase = env.read<SupercaseState>('supercase', (body as MatchBorrower).supercaseId);
    const isOpen = supercase !== undefined && isReachable(supercase) && !isClosed(supercase.status) && isPolicyOn(env);
    const loanIds = isOpen && isWatched(state) ? loansToMatch(env, personId) : [];
    const home = loanIds.length === 0 ? null : homeAddressOf(env, state);
    const standing: Standing = supercase && home ? standingOf(home, areasOf(supercase)) : 'outside';
    const facts = supercase && home && standing === 'inside' ? membersOf(env, supercase, { personId, home, loanIds }) : [];
    return { facts, ...(standing === 'unknown' ? { failure: NO_COUNTY } : {}), reply: () => ({ data: undefined }) };
  },
};

const NO_COUNTY = {
  errorType: 'ruleViolation',
  message: 'The home address names no county, and only some of its state are declared: add the member by hand if it is affected.',
} as const;

/** Where an address lies, or what a declaration names: a state, and a county in it where one is known. */
export interface Place {
  readonly state: string;
  readonly county: string | null;
}

/** `unknown`: the state is declared in part, and the address does not say in which county it lies. */
export type Standing = 'inside' | 'outside' | 'unknown';

/**
 * Words for a county that one source writes and another leaves out. A city that is a county of its own keeps its word: Baltimore has both.
 */
const SUFFIX = /\s*\(?\b(county|co|parish|borough|census area|municipio|municipality)\b\.?\)?$/;

/** The county as both sides write it; null where none is said, or all of the state is meant. */
export function countyKey(text: string | null): string | null {
  const plain = (text ?? '').normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
  const key = plain
    .replace(SUFFIX, '')
    .replace(/^(saint|st\.?)\s+/, 'st')
    .replace(/^(sainte|ste\.?)\s+/, 'ste')
    .replace(/[^\p{L}\p{N}]/gu, '');
  return key === '' || key === 'statewide' ? null : key;
}

/** Places are compared by the names of state and county: no source tells the FIPS code of an address. */
export function standingOf(address: Address, areas: readonly Place[]): Standing {
  const state = isOfUnitedStates(address) ? stateNamed(address.state) : null;
  const declared = areas.filter((area) => area.state === state).map(({ county }) => countyKey(county));
  if (declared.length === 0) return 'outside';
  if (declared.includes(null)) return 'inside';
  const county = countyKey(address.countyOrRegion);
  return county === null ? 'unknown' : declared.includes(county) ? 'inside' : 'outside';
}
