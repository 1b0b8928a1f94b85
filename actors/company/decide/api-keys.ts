import { must } from '../../../engine/index.js';
import { checkAll, type Fault, Refusal, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandRequest, CommandSpec, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import type { ResourceRecord } from '../../kernel/resources/index.js';
import { assertNotAbove } from '../access/roles.js';
import { type User, userOf } from '../access/user.js';
import type { ApiKeyCreateCommand, ApiKeyUpdateBody } from '../commands.js';
import type { ApiKey, CompanyFacts, CompanyState } from '../state.js';
import { isIpRange, isRangeWithin } from '../profile.js';
import { apiKeyView } from '../views.js';

type Context<Body = unknown> = CommandContext<CompanyState, Body>;

export const apiKeyCommands: readonly CommandSpec<CompanyState>[] = [
  spec('apiKey.create', ({ state, body, env, command }: Context<ApiKeyCreateCommand>) => {
    const { userId, hash, description = null, whitelistedIPs, unknownFields = 'refuse' } = body;
    const userNamed = (): ResourceRecord<User> =>
      userOf(state, userId) ?? refuseProperty('userId', 'the id of a user', 'There is no such user.');
    checkAll([userNamed, () => checkedRanges(whitelistedIPs)]);
    const user = userNamed();
    if (user.stored.status !== 'active') refuse('invalidState', `The user ${userId} is not active.`);
    assertNotAbove(state, [user.id], command);
    const ranges = checkedRanges(whitelistedIPs);
    assertWithinOwn(state, ranges, command);
    const created: CompanyFacts['ApiKeyCreated'] = {
      id: env.newId('AK'),
      userId: user.id,
      hash,
      description,
      whitelistedIPs: ranges,
      unknownFields,
    };
    return decision({ type: 'ApiKeyCreated', body: created }, created.id, 201);
  }),
  spec('apiKey.update', (context: Context<ApiKeyUpdateBody>) => {
    const key = keyOf(context);
    assertNotAbove(context.state, [key.userId], context.command);
    if (key.deletedAt !== null) refuse('invalidState', `The API key ${key.id} is revoked.`);
    const {
      description = key.description,
      whitelistedIPs,
      unknownFields = key.unknownFields ?? 'refuse',
      status = key.status,
    } = context.body;
    const ranges = whitelistedIPs === undefined ? key.whitelistedIPs : checkedRanges(whitelistedIPs);
    if (whitelistedIPs !== undefined) assertWithinOwn(context.state, ranges, context.command);
    const updated: CompanyFacts['ApiKeyUpdated'] = { id: key.id, description, whitelistedIPs: ranges, unknownFields, status };
    return decision({ type: 'ApiKeyUpdated', body: updated }, key.id);
  }),
  spec('apiKey.revoke', (context) => {
    const key = keyOf(context);
    assertNotAbove(context.state, [key.userId], context.command);
    if (key.deletedAt !== null) return { facts: [], reply: () => ({ data: undefined }) };
    return { facts: [{ type: 'ApiKeyRevoked', body: { id: key.id } }], reply: () => ({ data: undefined }) };
  }),
];

function spec<Body>(type: string, decide: (context: Context<Body>) => Decision<CompanyState>): CommandSpec<CompanyState, Body> {
  return { kind: 'company', type, place: { on: 'target' }, catchesUp: false, decide };
}

function keyOf({ state, command }: Context): ApiKey {
  const id = command.params['keyId'] ?? '';
  return state.keys.get(id) ?? refuse('notFound', `There is no API key ${id}.`);
}

/** A caller with a key that is bound to addresses cannot make or change a key to allow other addresses. */
function assertWithinOwn({ keys }: CompanyState, ranges: readonly string[], { actor }: CommandRequest): void {
  const own = (actor.type === 'key' && keys.get(actor.id)?.whitelistedIPs) || [];
  if (own.length === 0 || (ranges.length > 0 && ranges.every((range) => own.some((wider) => isRangeWithin(range, wider))))) return;
  refuse('permissionDenied', '`whitelistedIPs` must be within the addresses of the calling key.', {
    errors: [fault('whitelistedIPs', 'addresses within those of the calling key')],
  });
}

function decision(fact: FactDraft, id: string, status = 200): Decision<CompanyState> {
  return {
    facts: [fact],
    reply: (after) => ({ status, data: apiKeyView(after, must(after.keys.get(id), 'the key is there')) }),
  };
}

/** What is wrong with the addresses of a body. */
export const rangeFaults = ({ whitelistedIPs }: Pick<ApiKeyUpdateBody, 'whitelistedIPs'>): readonly Fault[] =>
  (whitelistedIPs ?? []).flatMap((range, index) =>
    isIpRange(range) ? [] : [fault(`whitelistedIPs[${index}]`, 'an IPv4 or IPv6 address or a CIDR block')],
  );

function checkedRanges(ranges: readonly string[] | null | undefined): readonly string[] {
  const errors = rangeFaults({ whitelistedIPs: ranges ?? null });
  if (errors.length > 0) throw new Refusal('validationError', 'An address in `whitelistedIPs` is malformed: see `errors`.', { errors });
  return [...new Set(ranges)];
}

const fault = (path: string, expected: string): Fault => ({ path, expected, message: `must be ${expected}` });
