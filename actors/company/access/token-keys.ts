import type { CommandSpec, EvolveEnv, QuerySpec } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { SIGN_IN_LIMITS } from '../sign-in/index.js';
import type { CompanyState } from '../state.js';

/** Signs the tokens of a company's sessions; sealed with the company's data key, and so under the master key. */
export interface TokenKey {
  readonly id: string;
  readonly sealed: Uint8Array;
  /** Machine time in milliseconds. */
  readonly madeAt: number;
}

/** What the gateway sends: a secret that no decision may make up, and the time. */
export interface TokenKeyBody {
  readonly secret: string;
  readonly at: number;
}

/** A key as a gateway works with it; it never leaves the service. */
export interface OpenTokenKey {
  readonly id: string;
  readonly secret: string;
  readonly madeAt: number;
}

const contextOf = (keyId: string): string => `token-key/${keyId}`;

/** With those before it that some token may still be signed with. */
export const withTokenKey = (keys: readonly TokenKey[], key: TokenKey): readonly TokenKey[] => [
  ...keys.filter((_known, index) => (keys[index + 1] ?? key).madeAt + SIGN_IN_LIMITS.tokenKeyBelievedMs > key.madeAt),
  key,
];

export const isFresh = ({ madeAt }: { readonly madeAt: number }, at: number): boolean => at < madeAt + SIGN_IN_LIMITS.tokenKeyMs;

const opened = (state: CompanyState, env: EvolveEnv): readonly OpenTokenKey[] =>
  state.tokenKeys.flatMap(({ id, sealed, madeAt }) => {
    const secret = env.open(state.id, sealed, contextOf(id));
    return secret === undefined ? [] : [{ id, madeAt, secret }]; // the company's data key was lost and given up
  });

/** The service's own: no route leads here. A key is made where the newest has served its time; two gateways that ask at once get one. */
export const tokenKeyCommands: readonly CommandSpec<CompanyState>[] = [
  {
    kind: 'company',
    type: 'tokenKey.make',
    place: { on: 'target' },
    catchUpFirst: false,
    decide({ state, body, env }) {
      const { secret, at } = body as TokenKeyBody;
      const newest = state.tokenKeys.at(-1);
      const facts: FactDraft[] = [];
      if (!newest || !isFresh(newest, at) || env.open(state.id, newest.sealed, contextOf(newest.id)) === undefined) {
        env.createKey(state.id);
        const id = env.newId('SK');
        const key: TokenKey = { id, sealed: env.seal(state.id, secret, contextOf(id)), madeAt: at };
        facts.push({ type: 'TokenKeyMade', body: { key } });
      }
      return { facts, reply: () => ({ data: undefined }) };
    },
  },
];

export const tokenKeyQueries: readonly QuerySpec<CompanyState>[] = [
  {
    kind: 'company',
    type: 'tokenKey.list',
    on: 'target',
    read: ({ state, env }) => opened(state, env),
  },
];
