import { test } from 'tap';
import type { QueryEnv } from '../../../../actors/index.js';
import {
  COMPLIANCE_DECISION,
  decisionQueries,
  type DecisionState,
  LOOKED_AT,
  newDecision,
} from '../../../../actors/contact/guard/state.js';
import { must } from '../../../../engine/index.js';
import { refusalOf } from '../../../gateway/harness.js';

const TENANT = { company: 'CP-AAAA-1111', mode: 'test' } as const;
const PERSON = 'BO-AAAA-1111';
const idOf = (number: number): string => `CG-${number}`;

/** A borrower with so many verdicts, numbered from the oldest: the newest three are in the list index, all others on the shelf. */
function logOf(count: number, isBlocked: (number: number) => boolean): QueryEnv {
  const shelved = count - 3;
  const states = new Map<string, DecisionState>();
  for (let number = 1; number <= count; number += 1) {
    const state = newDecision(idOf(number), TENANT);
    const said = { personId: PERSON, result: !isBlocked(number), rules: [], ruleId: null, sendAt: null, judgedAt: number };
    Object.assign(state, { said, createdAt: number, createdStamp: number });
    if (number <= shelved) state.shelved = { previousId: number === 1 ? null : idOf(number - 1) };
    else Object.assign(said, { shelf: { headId: idOf(shelved), count: shelved } });
    states.set(state.id, state);
  }
  const rows = [count, count - 1, count - 2].map((number) => ({ id: idOf(number) }));
  return {
    tenant: TENANT,
    list: () => ({ rows, total: rows.length }),
    stateOf: (kind: string, id: string) => (kind === COMPLIANCE_DECISION ? states.get(id) : undefined),
  } as unknown as QueryEnv;
}

interface Read {
  readonly items: readonly { readonly id: string }[];
  readonly hasMore: boolean;
}

const reading =
  (env: QueryEnv) =>
  (query: object): Read =>
    must(decisionQueries[0], 'the list').read({ query: { personId: PERSON, ...query }, env } as never) as Read;

test('the whole log of a borrower is read page by page, however long it is', async (t) => {
  const count = LOOKED_AT + 250;
  const read = reading(logOf(count, (number) => number === 7));
  const seen: string[] = [];
  for (let cursor: string | undefined; ; cursor = seen.at(-1)) {
    const page = read({ limit: 100, ...(cursor === undefined ? {} : { startingAfter: cursor }) });
    seen.push(...page.items.map(({ id }) => id));
    if (!page.hasMore) break;
  }
  t.equal(seen.length, count);
  t.equal(new Set(seen).size, count);
  t.equal(seen.at(-1), idOf(1));
});

test('a search names the entry behind which it goes on', async (t) => {
  const count = LOOKED_AT + 250;
  const read = reading(logOf(count, (number) => number === 7));
  const last = idOf(count - 3 - LOOKED_AT + 1);
  t.throws(() => read({ result: false }), { message: new RegExp(`go on with \`startingAfter=${last}\``) });
  t.same(
    read({ result: false, startingAfter: last }).items.map(({ id }) => id),
    [idOf(7)],
    'the entry that was named need not be what is looked for',
  );
  t.equal(
    refusalOf(() => read({ startingAfter: 'CG-AAAA-1111' })),
    'badRequest',
  );
});
