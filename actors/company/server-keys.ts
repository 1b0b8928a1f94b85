import { assert } from '../../engine/index.js';
import { refuse } from '../errors.js';
import type { CommandContext, CommandSpec, Decision } from '../kernel/actor.js';
import type { FactDraft } from '../kernel/fact.js';
import { recordsOf, type ResourceHost } from '../kernel/resources/index.js';
import type { CompanyState } from './state.js';

/*
 * The keys of the servers that take and give files by SFTP. A server is known by the key that a setting names, else by the one with which
 * the company was let in first. A connection under a key that a setting names replaces the recorded one.
 */

interface ServerKey {
  /** SHA-256 of the key in base64. */
  readonly hostKey: string;
}

interface RecordServerKeyBody extends ServerKey {
  /** `name:port`: the id of the record. */
  readonly host: string;
  /** A setting names the key. */
  readonly isConfigured: boolean;
}

const SERVER_KEY = 'serverKey';

/** Servers of a company whose keys are kept; one more drops the oldest. */
const MOST_SERVERS = 1_000;

/** The key that is recorded of a server; undefined: it was never spoken to. */
export const serverKeyOf = (company: ResourceHost, host: string): string | undefined =>
  recordsOf<ServerKey>(company, SERVER_KEY).get(host)?.stored.hostKey;

/** The service's own, after a server has let it in. No route leads here. */
export const recordServerKey: CommandSpec<CompanyState, RecordServerKeyBody> = {
  kind: 'company',
  type: 'company.recordServerKey',
  place: { on: 'target' },
  catchesUp: false,
  decide(context): Decision<CompanyState> {
    assert(context.command.actor.type === 'system', 'keys of servers are recorded by the service');
    return { facts: factsOf(context), reply: () => ({ data: undefined }) };
  },
};

function factsOf({ state, body }: CommandContext<CompanyState, RecordServerKeyBody>): readonly FactDraft[] {
  const { host: id, hostKey, isConfigured } = body;
  const known = serverKeyOf(state, id);
  const stored: ServerKey = { hostKey };
  if (known === hostKey) return [];
  if (known !== undefined && !isConfigured) return refuse('invalidState', `The server ${id} has another key than before.`);
  if (known !== undefined) return [{ type: 'ResourceChanged', body: { resource: SERVER_KEY, id, stored } }];
  const servers = recordsOf(state, SERVER_KEY);
  const [oldest] = servers.keys();
  return [
    ...(servers.size >= MOST_SERVERS ? [{ type: 'ResourceRemoved', body: { resource: SERVER_KEY, id: oldest } }] : []),
    { type: 'ResourceCreated', body: { resource: SERVER_KEY, id, parentId: null, stored } },
  ];
}
