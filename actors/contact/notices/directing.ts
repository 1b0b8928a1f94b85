import { ownJson } from '../../../engine/index.js';
import { contactOf, contactValueOf, type PersonState } from '../../borrower/index.js';
import { type ActorModule, actorModule, type CommandSpec, type QueryEnv, type QuerySpec } from '../../kernel/actor.js';
import { wholeList } from '../../list-order.js';
import type { LoanState } from '../../loan/index.js';
import type { ListResult } from '../../wire.js';
import {
  DIRECTED_NOTICE,
  type DirectedFields,
  directedNoticeDefinition,
  type DirectedNoticeState,
  type DirectedText,
  sealedAs,
} from './directed.js';
import { isSilent, type Notice, noticePlanned } from './plan.js';
import { isStillDue } from './reminders.js';
import { asChosenBy } from './statements.js';

/** A notice whose moment has come, in clear: on its way to the shards of its borrowers. */
export interface DirectedItem {
  readonly id: string;
  readonly sendAt: number;
  readonly ownerId: string;
  readonly personId: string | null;
  /** The value of the contact by which its borrowers are found; null where it names its borrower. */
  readonly holdersOf: { readonly email: string } | { readonly phone: string } | null;
  readonly origin: DirectedFields['origin'];
  /** Null: nobody is to get it any more. */
  readonly notice: DirectedText | null;
}

interface DirectedQuery {
  readonly limit: number;
}

/** What the director asks of each engine. */
const dueNotices: QuerySpec<DirectedNoticeState, DirectedQuery> = {
  kind: DIRECTED_NOTICE,
  type: 'directedNotice.due',
  on: 'tenant',
  read({ query, env }): ListResult {
    const { rows } = env.list(DIRECTED_NOTICE, { limit: query.limit, matches: ({ fields }) => Number(fields['sendAt']) <= env.now });
    const items = rows.flatMap(({ id }): readonly DirectedItem[] => {
      const item = itemOf(env, id);
      return item === null ? [] : [item];
    });
    return wholeList(items, ({ sendAt, id }) => [sendAt, id], 2);
  },
};

function itemOf(env: QueryEnv, id: string): DirectedItem | null {
  const { fields } = env.stateOf<DirectedNoticeState>(DIRECTED_NOTICE, id) ?? { fields: null };
  if (fields === null) return null;
  const { ownerId, personId, contactId, origin, sendAt } = fields;
  const holdersOf = contactId === null ? null : valueOf(env, ownerId, contactId);
  const isNobodys = contactId !== null && holdersOf === null;
  const text = isNobodys ? undefined : env.open(ownerId, fields.text, sealedAs(id));
  const notice = text === undefined ? null : ownJson<DirectedText>(text);
  return { id, sendAt, ownerId, personId, holdersOf, origin, notice: notice === null || isOver(env, fields, notice) ? null : notice };
}

/** The borrower has paid since the morning's reminders were ordered, or the loan's notices were muted. */
function isOver(env: QueryEnv, { loanId, reminder }: DirectedFields, { subject }: DirectedText): boolean {
  const loan = loanId === null ? undefined : env.read<LoanState>('loan', loanId);
  if (loan?.record != null && isSilent(loan, subject)) return true;
  return reminder !== null && (loanId === null || !isStillDue(env, loanId, reminder));
}

function valueOf(env: QueryEnv, personId: string, contactId: string): DirectedItem['holdersOf'] {
  const person = env.read<PersonState>('person', personId);
  const contact = person && contactOf(person, contactId);
  const value = person && contact && contactValueOf(env, person, contact);
  if (value == null || contact?.status === 'archived') return null;
  return contact?.contactType === 'phone' ? { phone: value } : { email: value };
}

const endNotice: CommandSpec<DirectedNoticeState> = {
  kind: DIRECTED_NOTICE,
  type: 'directedNotice.end',
  place: { on: 'target' },
  catchesUp: false,
  decide: ({ state }) => ({
    facts: state.fields === null ? [] : [{ type: 'DirectedNoticeEnded', body: {} }],
    reply: () => ({ data: undefined }),
  }),
};

/** What a borrower's shard gets. */
export interface PlanNoticeBody {
  readonly notice: DirectedText & Pick<Notice, 'notAt'>;
  readonly origin: DirectedFields['origin'];
}

/** Plans a notice with the borrower that it goes to. A command that no route leads to. */
export const planNotice: CommandSpec<PersonState, PlanNoticeBody> = {
  kind: 'person',
  type: 'person.planNotice',
  place: { on: 'target' },
  catchesUp: false,
  decide: ({ env, state, body: { notice, origin } }) => ({
    facts: noticePlanned(env, state, asChosenBy(state, notice), origin),
    reply: () => ({ data: undefined }),
  }),
};

export const directedNoticeModule: ActorModule = actorModule<DirectedNoticeState>({
  definition: directedNoticeDefinition,
  commands: [endNotice],
  queries: [dueNotices],
});
