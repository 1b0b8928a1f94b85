import { lastContacts } from '../../../contact/index.js';
import { type Day, dayAt, parseDay } from '../../../../engine/index.js';
import { companyOf, zoneOf } from '../../../company/index.js';
import type { DecideEnv, EvolveEnv } from '../../../kernel/actor.js';
import { dateText } from '../../../wire.js';
import type { CaseState, Values } from '../state.js';

type Env = EvolveEnv & Pick<DecideEnv, 'list'>;

type OfCollection = Pick<CaseState, 'tenant' | 'caseType' | 'personId' | 'fields'>;

const FIELDS = { lastOutboundInteractionDate: 'outbound', lastSuccessfulContactDate: 'successful' } as const;

/**
 * The last contacts of a collection case: what somebody wrote down, or what interactions with the borrower tell where that is later. Days
 * are those of the company.
 */
export function contactFields(state: OfCollection, env: Env): Values {
  if (state.caseType !== 'collection') return {};
  const zone = zoneOf(companyOf(env, state.tenant));
  const last = lastContacts(env, state.personId);
  return Object.fromEntries(
    Object.entries(FIELDS).map(([field, which]) => {
      const told = last[which] === null ? null : dayAt(zone, last[which]);
      const day = laterOf(writtenDay(state.fields[field]), told);
      return [field, day === null ? null : dateText(day)];
    }),
  );
}

/** What of it the case does not say yet. */
export function contactNews(state: OfCollection, env: Env): Values | null {
  const news = Object.entries(contactFields(state, env)).filter(([field, date]) => date !== null && date !== (state.fields[field] ?? null));
  return news.length === 0 ? null : Object.fromEntries(news);
}

const writtenDay = (value: unknown): Day | null => (typeof value === 'string' ? (parseDay(value) ?? null) : null);

const laterOf = (one: Day | null, other: Day | null): Day | null => (one === null || (other !== null && other > one) ? other : one);
