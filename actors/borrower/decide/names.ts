import { must } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { DecideEnv } from '../../kernel/actor.js';
import { millisecondsOf, orNull } from '../../wire.js';
import type { NameBody, NameCorrectionBody, NameView } from '../decide.js';
import type { Recorded } from '../facts.js';
import { openJson, sealJson } from '../fields.js';
import type { NameParts, NameRecord, PersonState } from '../state.js';
import { currentName, nameView } from '../views.js';
import { type Context, decided, fact, mustMove, onPerson } from './common.js';

/** Adds a name; the former one stays in the history. One that begins later becomes current then. */
export const addName = onPerson('name.create', (context) => {
  const { id, state, env } = context;
  mustMove(state, 'update');
  if (state.borrowerType === 'business') refuseProperty('firstName', 'only of a person', 'A business has no personal names.');
  const name = newName(env, id, context.body as NameBody);
  return decided(context, [fact('NameAdded', { name })], (after) => shown(after, name.id, env));
});

/** Corrects a record; what it said before is kept as its original value. */
export const correctName = onPerson('name.update', (context) => {
  const { id, state, env } = context;
  mustMove(state, 'update');
  const before = nameOf(context);
  const { source = before.source, status = before.status, effectiveAt, ...parts } = context.body as NameCorrectionBody;
  if (status === 'archived' && before === currentName(state, env.now)) {
    refuseProperty('status', 'active', 'The current name is replaced by another one, not archived.');
  }
  const known = must(openJson<NameParts>(env, id, 'name', before.id, before.parts), 'the name of a reachable borrower can be read');
  const corrected: NameParts = { ...known, ...parts };
  const isChanged = JSON.stringify(corrected) !== JSON.stringify(known);
  const name: Recorded<NameRecord> = {
    id: before.id,
    parts: isChanged ? sealJson(env, id, 'name', before.id, corrected) : before.parts,
    original: isChanged ? before.parts : before.original,
    source,
    status,
    effectiveAt: effectiveAt === undefined ? before.effectiveAt : orNull(millisecondsOf, effectiveAt),
  };
  return decided(context, [fact('NameCorrected', { name })], (after) => shown(after, name.id, env));
});

function nameOf({ state, command }: Context): NameRecord {
  const nameId = command.params['nameId'] ?? '';
  return state.names.find((name) => name.id === nameId) ?? refuse('notFound', `There is no name ${nameId}.`);
}

function shown(after: PersonState, nameId: string, env: DecideEnv): NameView {
  return nameView(
    after,
    must(
      after.names.find((known) => known.id === nameId),
      'the name is there',
    ),
    env,
  );
}

export function newName(env: DecideEnv, personId: string, body: NameBody): Recorded<NameRecord> {
  const id = env.newId('BN');
  return {
    id,
    parts: sealJson(env, personId, 'name', id, nameParts(body)),
    source: body.source ?? 'lender',
    status: 'active',
    effectiveAt: orNull(millisecondsOf, body.effectiveAt),
    original: null,
  };
}

export function nameParts(body: Omit<NameBody, 'source' | 'effectiveAt'>): NameParts {
  const { prefix = null, firstName, middleName = null, lastName, maidenLastName = null, suffix = null, preferredFirstName = null } = body;
  return { prefix, firstName, middleName, lastName, maidenLastName, suffix, preferredFirstName };
}
