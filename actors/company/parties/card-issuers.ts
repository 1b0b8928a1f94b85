import type { tags } from 'typia';
import { fieldsOf, must, textIn } from '../../../engine/index.js';
import { type Fault, refuse } from '../../errors.js';
import type { CommandSpec, DecideEnv, QuerySpec } from '../../kernel/actor.js';
import {
  createRecord,
  type Declaration,
  declaredCommands,
  findRecord,
  recordsOf,
  type ResourceHost,
  type ResourceRecord,
} from '../../kernel/resources/index.js';
import type { PageQuery } from '../../list-order.js';
import type { DateTimeText, ShortText } from '../../wire.js';
import { keptSecret, MASK } from '../campaigns/sftp.js';
import type { CompanyState } from '../state.js';

export type CardIssuerType = 'userTokenIssuer' | 'accountTokenIssuer' | 'accountNumberIssuer';

export type CardType = 'virtualCard' | 'physicalCard';

type IssuerStatus = 'draft' | 'active' | 'deprecated';

/** A platform that issues the cards of loans. */
export interface CardIssuer {
  /** `deprecated`: keeps its cards and gets no new ones. */
  readonly status: IssuerStatus;
  readonly cardIssuerType: CardIssuerType;
  /** Who consumes the events of the issuer: the lender keeps the cards here equal, or the service does. */
  readonly issuerEventsSubscriber: 'service' | 'lender';
  /** Details of cards come from the events of the issuer, and are not changed by hand. */
  readonly syncCardDetails: boolean;
  readonly providerId: string | null;
  readonly transactionProcessorId: string | null;
  /** Of its cards. */
  readonly cardType: CardType;
  /** Sealed with the key of the record. */
  readonly secrets: Uint8Array;
  /** Which of the secrets are there: all that replies may know. */
  readonly holds: readonly (keyof IssuerSecrets)[];
}

interface IssuerSecrets {
  readonly applicationToken: string | null;
  readonly adminAccessToken: string | null;
  readonly apiKey: string | null;
  /** Signs the events of the issuer. */
  readonly webhookSecret: string | null;
}

type Secret = string & tags.MinLength<1> & tags.MaxLength<1000>;

interface CardIssuerBody {
  readonly issuerEventsSubscriber?: 'service' | 'lender';
  readonly syncCardDetails?: boolean;
  /** Write only, as the other keys of the issuer: replies show `********`, which leaves the value as it is. */
  readonly applicationToken?: Secret | null;
  readonly adminAccessToken?: Secret | null;
  readonly apiKey?: Secret | null;
  readonly providerId?: ShortText | null;
  readonly transactionProcessorId?: ShortText | null;
}

export interface CardIssuerCreateBody extends CardIssuerBody {
  readonly status: IssuerStatus;
  readonly cardIssuerType: CardIssuerType;
  readonly cardType: CardType;
}

/** The gateway adds the secret of a new issuer. */
export type CardIssuerWithSecret = CardIssuerCreateBody & { readonly webhookSecret: string };

export interface CardIssuerUpdateBody extends CardIssuerBody {
  readonly status?: IssuerStatus;
  readonly cardType?: CardType;
}

export type CardIssuerListQuery = PageQuery;

export interface CardIssuerView extends Omit<CardIssuer, 'secrets' | 'holds'> {
  readonly id: string;
  readonly object: 'cardIssuer';
  readonly companyId: string;
  readonly applicationToken: string | null;
  readonly adminAccessToken: string | null;
  readonly apiKey: string | null;
  /** In clear only in the reply to the creation. */
  readonly webhookSecret: string | null;
  readonly createdAt: DateTimeText;
  readonly updatedAt: DateTimeText | null;
  readonly deletedAt: null;
}

const TYPE = 'cardIssuer';
const SECRETS = ['applicationToken', 'adminAccessToken', 'apiKey', 'webhookSecret'] as const;

/** What an issuer of each kind is reached with. */
const NEEDED: { readonly [Kind in CardIssuerType]: readonly (keyof CardIssuerBody)[] } = {
  userTokenIssuer: ['applicationToken', 'adminAccessToken'],
  accountTokenIssuer: ['apiKey'],
  accountNumberIssuer: ['apiKey', 'providerId', 'transactionProcessorId'],
};

const OF_KINDS = ['applicationToken', 'adminAccessToken', 'apiKey', 'providerId', 'transactionProcessorId'] as const;

const contextOf = (id: string): string => `cardIssuer/${id}`;

const sealed = (env: Pick<DecideEnv, 'seal'>, id: string, secrets: IssuerSecrets): Pick<CardIssuer, 'secrets' | 'holds'> => ({
  secrets: env.seal(id, JSON.stringify(secrets), contextOf(id)),
  holds: SECRETS.filter((name) => secrets[name] !== null),
});

const NO_SECRETS: IssuerSecrets = { applicationToken: null, adminAccessToken: null, apiKey: null, webhookSecret: null };

interface Opening {
  open(owner: string, sealed: Uint8Array, context: string): string | undefined;
}

function opened(env: Opening, { id, stored }: Pick<ResourceRecord<CardIssuer>, 'id' | 'stored'>): IssuerSecrets {
  const text = env.open(id, stored.secrets, contextOf(id));
  if (text === undefined) return NO_SECRETS;
  const secrets: IssuerSecrets = JSON.parse(text);
  return secrets;
}

export const CARD_ISSUER: Declaration<CardIssuerWithSecret, CardIssuerUpdateBody, CardIssuer> = {
  type: TYPE,
  prefix: 'CI',
  param: 'cardIssuerId',
  unique: [],
  create(body, { id, env, host }) {
    env.createKey(id);
    const secrets: IssuerSecrets = {
      applicationToken: body.applicationToken ?? null,
      adminAccessToken: body.adminAccessToken ?? null,
      apiKey: body.apiKey ?? null,
      webhookSecret: body.webhookSecret,
    };
    const made: CardIssuer = {
      status: body.status,
      cardIssuerType: body.cardIssuerType,
      issuerEventsSubscriber: body.issuerEventsSubscriber ?? 'lender',
      syncCardDetails: body.syncCardDetails ?? false,
      providerId: body.providerId ?? null,
      transactionProcessorId: body.transactionProcessorId ?? null,
      cardType: body.cardType,
      ...sealed(env, id, secrets),
    };
    return checkedIssuer(made, id, host);
  },
  change(before, body, { id, env, host }) {
    if (body.status === 'draft' && before.status !== 'draft')
      refuse('invalidTransition', `The card issuer is ${before.status}: it cannot become a draft again.`, {
        errors: [{ path: 'status', expected: 'active, deprecated', message: 'the issuer is in use' }],
      });
    const known = opened(env, { id, stored: before });
    const secrets: IssuerSecrets = {
      applicationToken: keptSecret(body.applicationToken, known.applicationToken),
      adminAccessToken: keptSecret(body.adminAccessToken, known.adminAccessToken),
      apiKey: keptSecret(body.apiKey, known.apiKey),
      webhookSecret: known.webhookSecret,
    };
    const changed: CardIssuer = {
      ...before,
      status: body.status ?? before.status,
      issuerEventsSubscriber: body.issuerEventsSubscriber ?? before.issuerEventsSubscriber,
      syncCardDetails: body.syncCardDetails ?? before.syncCardDetails,
      providerId: body.providerId === undefined ? before.providerId : body.providerId,
      transactionProcessorId: body.transactionProcessorId === undefined ? before.transactionProcessorId : body.transactionProcessorId,
      cardType: body.cardType ?? before.cardType,
      ...sealed(env, id, secrets),
    };
    return checkedIssuer(changed, id, host);
  },
  assertRemovable({ status }, { id }) {
    if (status !== 'draft') refuse('invalidState', `The card issuer ${id} is ${status}. Set its status to deprecated instead.`);
  },
  view: ({ secrets: _secrets, holds, ...stored }) => ({
    ...stored,
    ...Object.fromEntries(SECRETS.map((name) => [name, holds.includes(name) ? MASK : null])),
  }),
};

/** Throws 400 with every fault, and 409 if another issuer of the kind is active. */
function checkedIssuer(issuer: CardIssuer, id: string, host: ResourceHost): CardIssuer {
  const { cardIssuerType, issuerEventsSubscriber, syncCardDetails, providerId, transactionProcessorId } = issuer;
  const has = (path: keyof CardIssuerBody): boolean =>
    path === 'providerId'
      ? providerId !== null
      : path === 'transactionProcessorId'
        ? transactionProcessorId !== null
        : issuer.holds.some((name) => name === path);
  const needed = NEEDED[cardIssuerType];
  const errors: Fault[] = [
    ...needed
      .filter((path) => !has(path))
      .map((path) => ({ path, expected: `a value, for the kind ${cardIssuerType}`, message: 'is missing' })),
    ...OF_KINDS.filter((path) => !needed.includes(path) && has(path)).map((path) => ({
      path,
      expected: `no value, for the kind ${cardIssuerType}`,
      message: 'belongs to another kind of issuer',
    })),
  ];
  if (syncCardDetails && issuerEventsSubscriber !== 'service')
    errors.push({ path: 'syncCardDetails', expected: 'false, or the events go to the service', message: 'the service gets no events' });
  if (errors.length > 0) refuse('validationError', 'The card issuer is not valid: see `errors`.', { errors });
  const other =
    issuer.status === 'active' &&
    [...recordsOf<CardIssuer>(host, TYPE).values()].find(
      (known) => known.id !== id && known.stored.status === 'active' && known.stored.cardIssuerType === cardIssuerType,
    );
  if (other)
    refuse('duplicate', `The card issuer ${other.id} of this kind is active. Deprecate it first.`, {
      errors: [{ path: 'status', expected: 'draft, or no other active issuer of the kind', message: `${other.id} is active` }],
    });
  return issuer;
}

/** The only reply that shows the secret of the events is stored sealed with the issuer's own key. */
const createCardIssuer: CommandSpec<CompanyState, CardIssuerWithSecret> = {
  kind: 'company',
  type: `${TYPE}.create`,
  place: { on: 'target' },
  catchesUp: false,
  decide(context) {
    const { webhookSecret } = context.body;
    const made = createRecord(CARD_ISSUER, context, (at) => CARD_ISSUER.create(context.body, at));
    return {
      ...made,
      reply(after) {
        const reply = made.reply(after);
        const id = must(textIn(reply.data, 'id'), 'a reply shows the id of its record');
        return { ...reply, data: { ...fieldsOf(reply.data), webhookSecret }, sealedFor: id };
      },
    };
  },
};

export const cardIssuerCommands: readonly CommandSpec<CompanyState>[] = [
  createCardIssuer,
  ...declaredCommands<CompanyState>('company', CARD_ISSUER).filter(({ type }) => type !== createCardIssuer.type),
];

export const cardIssuerOf = (host: ResourceHost, anyId: string): ResourceRecord<CardIssuer> | undefined =>
  findRecord<CardIssuer>(host, CARD_ISSUER, anyId);

/** The secret with which an issuer signs its events: it goes to the part that checks them, and to nobody else. */
export const cardIssuerSecret: QuerySpec<CompanyState> = {
  kind: 'company',
  type: `${TYPE}.eventSecret`,
  on: 'target',
  read({ state, request, env }): CardIssuerSecret {
    const id = request.params['cardIssuerId'] ?? '';
    const issuer = cardIssuerOf(state, id) ?? refuse('notFound', `There is no card issuer ${id}.`);
    return { secret: opened(env, issuer).webhookSecret };
  },
};

export interface CardIssuerSecret {
  readonly secret: string | null;
}
