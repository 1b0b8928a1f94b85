import { createHash } from 'node:crypto';
import { must } from '../../../engine/index.js';
import { refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision, Reply } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { millisecondsOf, orNull } from '../../wire.js';
import { openJson, sealJson } from '../contact-fields.js';
import type { NameBody, NameCorrectionBody, NameView } from '../decide.js';
import { mayMovePerson, type PersonMove } from '../machine.js';
import type { NameParts, NameRecord, PersonFacts, PersonState, Recorded } from '../state.js';
import { currentName, nameView } from '../views.js';

export type Context<Body = unknown> = CommandContext<PersonState, Body>;

/** A command on a borrower that exists and was not deleted. */
export function onPerson<Body>(type: string, decide: (context: Context<Body>) => Decision<PersonState>): CommandSpec<PersonState, Body> {
  return { kind: 'person', type, place: { on: 'target' }, catchesUp: false, decide };
}

/** A fact of a borrower; the type determines its body. */
export const fact = <Type extends keyof PersonFacts>(type: Type, body: PersonFacts[Type]): FactDraft => ({ type, body });

/** A decision whose reply contains personal data, so that the reply is stored sealed. */
export function decided(
  context: Context,
  facts: readonly FactDraft[],
  data: (after: PersonState) => unknown,
  reply: Omit<Reply, 'data' | 'sealedFor'> = {},
): Decision<PersonState> {
  return { facts, reply: (after) => ({ ...reply, data: data(after), sealedFor: context.id }) };
}

/** A decision whose reply has no data. */
export const done = (facts: readonly FactDraft[]): Decision<PersonState> => ({ facts, reply: () => ({ data: undefined }) });

export function mustMove(state: PersonState, move: PersonMove): void {
  if (mayMovePerson(state.status, move)) return;
  refuse('invalidState', `The borrower ${state.id} is ${state.status}: ${move} is not possible.`);
}

/** Refuses an external id that another object of the same kind has. */
export function refuseTaken(env: DecideEnv, kind: string, externalId: string | null | undefined, ownId: string | null): void {
  if (externalId === null || externalId === undefined) return;
  const holder = env.findExternal(env.tenant, kind, externalId);
  if (holder === undefined || holder === ownId) return;
  refuse('duplicate', `\`externalId\` is already used by the ${kind} ${holder}.`, {
    errors: [{ path: 'externalId', expected: 'an externalId that is not in use', message: 'is already in use' }],
  });
}

export interface KnownCases {
  /** Where the body names the case. */
  readonly path?: string;
  /** Cases that the record names already: a body may send them back, also after their deletion. */
  readonly known?: readonly (string | null)[];
}

/** The id of the case that a change is recorded under. The case must belong to the same borrower; a deleted one is unknown. */
export function caseOf(
  { id, env }: Context,
  caseId: string | null | undefined,
  { path = 'caseId', known: before = [] }: KnownCases = {},
): string | null {
  if (caseId === null || caseId === undefined) return null;
  if (before.includes(caseId)) return caseId;
  const known = caseId.startsWith('ext-') ? env.findExternal(env.tenant, 'case', caseId.slice(4)) : caseId;
  const found = known === undefined ? undefined : env.read<{ readonly personId?: string; readonly status?: string }>('case', known);
  return known !== undefined && found?.personId === id && found.status !== 'deleted'
    ? known
    : refuseProperty(path, 'a case of this borrower', `The borrower has no case ${caseId}.`);
}

/** The facts with the case in their envelopes. */
export const under = (caseId: string | null, facts: readonly FactDraft[]): readonly FactDraft[] =>
  caseId === null ? facts : facts.map((draft) => ({ ...draft, caseId }));

/** Adds a name; the former one stays in the history. A name with a later `effectiveAt` becomes current then. */
export const addName = onPerson('name.create', (context: Context<NameBody>) => {
  const { id, state, env } = context;
  mustMove(state, 'update');
  if (state.borrowerType === 'business')
    refuseProperty('firstName', 'nothing: only a person has it', 'A business cannot have a personal name. Send its business name.');
  const name = newName(env, id, context.body);
  return decided(context, [fact('NameAdded', { name })], (after) => shown(after, name.id, env));
});

/** Corrects a name; the text before the correction is kept as `originalValue`. */
export const correctName = onPerson('name.update', (context: Context<NameCorrectionBody>) => {
  const { id, state, env } = context;
  mustMove(state, 'update');
  const before = nameOf(context);
  const { source = before.source, status = before.status, effectiveAt, ...parts } = context.body;
  if (status === 'archived' && before === currentName(state, env.now)) {
    refuseProperty('status', 'active', 'The current name cannot be archived. Add another name to replace it.');
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
  const names = state.names.map((record) => (record === before ? { ...record, ...name } : record));
  if (currentName(state, env.now) !== undefined) requireCurrentName(names, env.now, 'effectiveAt');
  return decided(context, [fact('NameCorrected', { name })], (after) => shown(after, name.id, env));
});

type NameTimes = Pick<NameRecord, 'status' | 'effectiveAt' | 'createdAt'>;

/** A person always has a current name: a name that is to come cannot be its only one. */
export function requireCurrentName(names: readonly NameTimes[], now: number, path: string): void {
  if (currentName({ names }, now) !== undefined) return;
  refuseProperty(path, 'a name that is current', 'The person would have no current name. A later name needs a current one beside it.');
}

/** When a name of a body counts. */
export const timesOf = ({ effectiveAt }: Pick<NameBody, 'effectiveAt'>, now: number): NameTimes => ({
  status: 'active',
  effectiveAt: orNull(millisecondsOf, effectiveAt),
  createdAt: now,
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

/**
 * 32 bytes that nobody can guess, and still deterministic: the hash of an id that is never shown and that only the holder
 * of the installation's id key can compute.
 */
export const unguessable = (env: DecideEnv): Buffer => createHash('sha256').update(env.newId('PT')).digest();
