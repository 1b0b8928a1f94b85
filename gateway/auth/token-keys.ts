import { randomBytes } from 'node:crypto';
import {
  type CommandRequest,
  isFreshTokenKey,
  type OpenTokenKey,
  type QueryRequest,
  type Tenant,
  type TokenKeyBody,
} from '../../actors/index.js';
import { must } from '../../engine/index.js';
import type { Engine } from '../engine.js';
import { LIMITS } from '../limits.js';

const SECRET_BYTES = 32;

const NO_PERMISSIONS: ReadonlySet<string> = new Set();

/** What signs the tokens of each company and mode. The keys lie with the company, sealed; a gateway asks for them once. */
export class TokenKeys {
  readonly #known = new Map<string, { readonly keys: readonly OpenTokenKey[]; readonly askedAt: number }>();

  constructor(
    private readonly engine: Engine,
    private readonly nowMs: () => number,
  ) {}

  /** The key that signs now; made where there is none, or none that is fresh. */
  async current(tenant: Tenant): Promise<OpenTokenKey> {
    const isFresh = (key: OpenTokenKey | undefined): boolean => key !== undefined && isFreshTokenKey(key, this.nowMs());
    if (!isFresh(this.#knownOf(tenant).at(-1)) && !isFresh((await this.#ask(tenant)).at(-1))) {
      await this.#make(tenant);
      await this.#ask(tenant);
    }
    return must(this.#knownOf(tenant).at(-1), 'a key that was made');
  }

  /** The key with this id as far as it is known here. */
  known(tenant: Tenant, keyId: string): OpenTokenKey | undefined {
    return this.#knownOf(tenant).find(({ id }) => id === keyId);
  }

  /** The same, asked for where it is not known; anybody can make up ids, so that is done once in a while. */
  async find(tenant: Tenant, keyId: string): Promise<OpenTokenKey | undefined> {
    const { askedAt = -Infinity } = this.#known.get(nameOf(tenant)) ?? {};
    if (performance.now() - askedAt > LIMITS.tokenKeysAskedMs) await this.#ask(tenant);
    return this.known(tenant, keyId);
  }

  #knownOf(tenant: Tenant): readonly OpenTokenKey[] {
    return this.#known.get(nameOf(tenant))?.keys ?? [];
  }

  async #ask(tenant: Tenant): Promise<readonly OpenTokenKey[]> {
    const request: QueryRequest = {
      ...tenant,
      type: 'tokenKey.list',
      target: tenant.company,
      params: {},
      query: {},
      permissions: NO_PERMISSIONS,
    };
    const keys = (await this.engine.query(request)) as readonly OpenTokenKey[];
    this.#known.set(nameOf(tenant), { keys, askedAt: performance.now() });
    return keys;
  }

  async #make(tenant: Tenant): Promise<void> {
    const body: TokenKeyBody = { secret: randomBytes(SECRET_BYTES).toString('base64url'), at: this.nowMs() };
    const commandId = `token-key-${randomBytes(16).toString('hex')}`;
    const request: CommandRequest = {
      ...tenant,
      commandId,
      type: 'tokenKey.make',
      target: tenant.company,
      params: {},
      body,
      actor: { type: 'system', id: 'gateway' },
      permissions: NO_PERMISSIONS,
      address: null,
      requestId: commandId,
    };
    await this.engine.execute(request);
  }
}

const nameOf = ({ company, mode }: Tenant): string => `${company}/${mode}`;
