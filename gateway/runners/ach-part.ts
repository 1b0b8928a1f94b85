import { isDeepStrictEqual } from 'node:util';
import typia from 'typia';
import {
  AchRunner,
  type BankAccess,
  type BankSeen,
  type Blobs,
  type CardAccess,
  type ConnectionTestView,
  type Engine,
  OutsideFault,
  type PaymentProcessorUpdateBody,
  type PaymentProcessorView,
  type QueryRequest,
  refuseProperty,
  ServiceCalls,
  type Services,
  type Tenant,
  hostKeyOf,
} from '../../actors/index.js';
import { addDays, dayAt, must } from '../../engine/index.js';
import { ask } from '../answers.js';
import { ContentStore } from '../documents/content-store.js';
import type { EngineCalls } from '../engine-calls.js';
import type { AddressRules } from '../outgoing.js';
import { FILE_PGP } from '../pgp/pgp.js';
import { BankSftp } from './bank-sftp.js';
import { CardHttp } from './card-http.js';
import { type ServerKeyMeasure, ServerKeys } from './server-keys.js';

export interface AchPartOptions {
  /** Addresses that SFTP servers of banks may have. */
  readonly rules: AddressRules;
  readonly measure?: ServerKeyMeasure;
  readonly report: (level: 'warn' | 'error', message: string, details: Readonly<Record<string, unknown>>) => void;
}

interface AchPartParts {
  /** That of the shared shard. */
  readonly engine: Engine;
  /** Where loans and borrowers of all shards are asked; absent: the same engine. */
  readonly objects?: EngineCalls;
  readonly blobs: Blobs;
}

/** A test of the connection as it would be after a change. */
interface TestAsked {
  readonly change: PaymentProcessorUpdateBody;
  /** The caller wants nothing but the test: a processor without a server fails it. */
  readonly isAsked?: boolean;
}

/** The routes check what a caller sends: a fault here is a bug. */
const assertTestAsked = typia.createAssert<TestAsked>();

const noAccess = (tenant: Tenant): BankAccess => ({
  tenant,
  host: null,
  accessMethod: 'usernamePassword',
  username: null,
  publicKey: null,
  disabledAlgorithms: {},
  outbox: null,
  inbox: null,
  confirmationPattern: null,
  returnPattern: null,
  password: null,
  privateKey: null,
  pgp: { sealing: null, opening: null },
});

/** Files for banks, on the process that owns the shared shard. */
export class AchPart {
  readonly #keys: ServerKeys;
  readonly #banks: BankSftp;
  #engine: AchPartParts['engine'] | null = null;
  #runner: AchRunner | null = null;

  constructor(private readonly options: AchPartOptions) {
    this.#keys = new ServerKeys(options);
    this.#banks = new BankSftp(options.rules, this.#keys);
  }

  /** What the engine answers with this part's help. */
  readonly services: Services = {
    queries: { 'paymentProcessor.testConnection': (request, tenant) => this.#test(request, tenant) },
    commands: {},
  };

  start({ engine, objects = engine, blobs }: AchPartParts): this {
    const { report } = this.options;
    this.#engine = engine;
    this.#keys.start(engine);
    this.#runner = new AchRunner({
      engine,
      asked: objects,
      contents: new ContentStore(blobs),
      banks: this.#banks,
      pgp: FILE_PGP,
      report: (message, details) => report('warn', message, details),
    }).start();
    return this;
  }

  /** What was done for the processors of a company since the start. */
  seen(tenant: Tenant): readonly BankSeen[] {
    return this.#runner?.seen(tenant) ?? [];
  }

  /** Does what is to do, and resolves when it is done: for tests. */
  async settled(): Promise<void> {
    await this.#runner?.settled();
  }

  async close(): Promise<void> {
    const runner = this.#runner;
    this.#runner = null;
    this.#engine = null;
    await runner?.close();
  }

  async #test(request: QueryRequest, tenant: Tenant): Promise<ConnectionTestView | null> {
    const { change, isAsked = false } = assertTestAsked(request.query);
    if (isAsked && (await this.#isOfCards(request, tenant))) return this.#testCards(request, tenant);
    const known =
      request.params['paymentProcessorId'] === undefined || this.#engine === null
        ? noAccess(tenant)
        : await ask(this.#engine, { ...request, ...tenant, type: 'paymentProcessor.access', query: {} });
    const access = changedAccess(known, change);
    if (!isAsked && (access.host === null || access === known)) return null;
    try {
      return { object: 'connectionTest', isConnected: true, inboxFileCount: await this.#banks.test(access) };
    } catch (cause) {
      if (!(cause instanceof OutsideFault)) throw cause;
      return refuseProperty('sftpHostname', 'a server that lets the service in, or skipConnectionTest', cause.message);
    }
  }

  async #isOfCards({ params }: QueryRequest, tenant: Tenant): Promise<boolean> {
    if (params['paymentProcessorId'] === undefined || this.#engine === null) return false;
    const calls = new ServiceCalls(this.#engine, tenant);
    const { processorType } = await calls.query<PaymentProcessorView>('paymentProcessor.get', tenant.company, {}, params);
    return processorType === 'cardHTTP';
  }

  /** Asks for the results of a day, which changes nothing. */
  async #testCards({ params }: QueryRequest, tenant: Tenant): Promise<ConnectionTestView> {
    const calls = new ServiceCalls(must(this.#engine, 'the part has started'), tenant);
    const access = await calls.query<CardAccess>('paymentProcessor.cardAccess', tenant.company, {}, params);
    try {
      await new CardHttp(this.options.rules).results(access, addDays(dayAt('UTC', Date.now()), -1));
      return { object: 'connectionTest', isConnected: true, inboxFileCount: null };
    } catch (cause) {
      if (!(cause instanceof OutsideFault)) throw cause;
      return refuseProperty('cardApiUrl', 'a processor that answers the service', cause.message);
    }
  }
}

const given = <Value>(sent: Value | undefined, before: Value): Value => (sent === undefined ? before : sent);

/** The mask that replies show of a password. */
const MASK = '********';

/** The same access where the change does not touch it. */
function changedAccess(known: BankAccess, body: PaymentProcessorUpdateBody): BankAccess {
  const { hostKey: knownKey, ...others } = known;
  const hostKey = body.sftpHostKey === undefined ? knownKey : hostKeyOf('sftpHostKey', body.sftpHostKey);
  const access: BankAccess = {
    ...others,
    ...(hostKey === undefined ? {} : { hostKey }),
    host: given(body.sftpHostname, known.host),
    accessMethod: given(body.sftpAccessMethod, known.accessMethod),
    username: given(body.sftpUsername, known.username),
    password: body.sftpPassword === MASK ? known.password : given(body.sftpPassword, known.password),
    disabledAlgorithms: given(body.sftpSSHDisabledAlgorithms, known.disabledAlgorithms),
    outbox: given(body.sftpCdDirOutbox, known.outbox),
    inbox: given(body.sftpCdDirInbox, known.inbox),
  };
  return isDeepStrictEqual(access, known) ? known : access;
}
