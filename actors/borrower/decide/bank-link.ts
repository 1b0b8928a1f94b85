import type { tags } from 'typia';
import { assert, type Cents } from '../../../engine/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, EvolveEnv, QuerySpec } from '../../kernel/actor.js';
import { amount, type Amount, type AnyId, dateTimeText, type DateTimeText, millisecondsOf, orNull, type ShortText } from '../../wire.js';
import { openText, sealText } from '../contact-fields.js';
import { type DataService, linkView } from '../link-view.js';
import { onPersonRead } from '../questions.js';
import type { BankLink, BankLinkError, Instrument, LinkedBalance, PersonState } from '../state.js';
import { decided, done, fact, mustMove } from './common.js';
import { findInstrument } from './micro-deposits.js';

/*
 * A bank account that is linked at a vendor of bank data. The token with which the vendor lets the service in is sealed with
 * the borrower's key.
 */

export interface AccountLinkBody {
  readonly vendor: 'bankLink';
  /** Write only. */
  readonly accessToken: string & tags.MinLength<1> & tags.MaxLength<500>;
  readonly itemId?: ShortText | null;
  readonly accountId: ShortText & tags.MinLength<1>;
  /** Absent: both. */
  readonly dataServices?: readonly DataService[] & tags.MinItems<1> & tags.MaxItems<2>;
}

export interface AccountLinkUpdateBody {
  readonly dataServices?: readonly DataService[] & tags.MinItems<1> & tags.MaxItems<2>;
  readonly lastErrorCommunicationAt?: DateTimeText | null;
}

interface BalanceFigures {
  readonly createdAt: DateTimeText;
  readonly availableBalanceAmount: Amount | null;
  readonly currentBalanceAmount: Amount | null;
  readonly currency: string;
}

export interface LinkedBalanceView extends BalanceFigures {
  readonly id: string;
  readonly object: 'accountBalance';
  readonly error: BankLinkError | null;
  readonly lastSuccessfulBalance: BalanceFigures | null;
  readonly updatedAt: null;
  readonly deletedAt: null;
}

export interface BankLinkTokenBody {
  readonly redirectUri?: (string & tags.MaxLength<2000>) | null;
  /** Repairs the link of this payment instrument. */
  readonly paymentInstrumentId?: AnyId | null;
}

export interface BankLinkTokenView {
  readonly object: 'bankLinkToken';
  readonly linkToken: string;
  readonly expiresAt: DateTimeText;
}

/** With what the vendor has said of the account. */
export interface LinkCommandBody extends AccountLinkBody {
  /** The account at the vendor is that of the instrument; null: the vendor was not asked. */
  readonly isSameAccount: boolean | null;
}

/** What the vendor has answered about a balance. */
export interface RecordBalanceBody {
  readonly availableCents: Cents | null;
  readonly currentCents: Cents | null;
  readonly currency: string;
  readonly error: BankLinkError | null;
}

/** How the vendor is asked: it goes to the part that asks, and to nobody else. */
export interface LinkAccess {
  readonly accessToken: string;
  readonly accountId: string;
  readonly dataServices: readonly DataService[];
  readonly routingNumber: string | null;
  readonly accountNumber: string | null;
}

type Linking<Body> = CommandContext<PersonState, Body>;

function onAccount<Body>(
  type: string,
  decideOn: (context: Linking<Body>, instrument: Instrument) => ReturnType<typeof done>,
): CommandSpec<PersonState> {
  return {
    kind: 'person',
    type,
    place: { on: 'target' },
    catchesUp: false,
    decide(context: Linking<Body>) {
      mustMove(context.state, 'update');
      return decideOn(context, bankAccountOf(context.state, context.command.params));
    },
  };
}

function bankAccountOf(state: PersonState, params: Readonly<Record<string, string>>): Instrument {
  const anyId = params['paymentInstrumentId'] ?? '';
  const instrument = findInstrument(state, anyId) ?? refuse('notFound', `There is no payment instrument ${anyId}.`);
  if (instrument.instrumentType !== 'bankAccount' || instrument.isExternal)
    refuse('invalidState', `The payment instrument ${instrument.id} is no bank account that the service debits.`);
  return instrument;
}

const linkOf = ({ id, link }: Instrument): BankLink => link ?? refuse('notFound', `The payment instrument ${id} has no account link.`);

export const bankLinkCommands: readonly CommandSpec<PersonState>[] = [
  // A link at the account itself verifies it: the vendor has let the borrower in there.
  onAccount<LinkCommandBody>('paymentInstrument.link', (context, { id, status, verified }) => {
    const { env, body } = context;
    if (body.isSameAccount === false)
      refuse('ruleViolation', 'The vendor has another account under this link.', {
        errors: [{ path: 'accountId', expected: 'the account of the payment instrument', message: 'is another account' }],
      });
    const link: BankLink = {
      accessToken: sealText(env, context.id, 'instrument.accessToken', id, body.accessToken),
      itemId: body.itemId ?? null,
      accountId: body.accountId,
      dataServices: body.dataServices ?? ['accountInfo', 'balance'],
      status: 'active',
      recentError: null,
      lastErrorCommunicationAt: null,
    };
    const facts = [fact('InstrumentLinked', { id, link })];
    if (body.isSameAccount === true && !verified && status === 'pending') {
      facts.push(fact('InstrumentVerified', { id }));
    }
    return shownLink(context, id, facts);
  }),
  onAccount<AccountLinkUpdateBody>('paymentInstrument.changeLink', (context, instrument) => {
    const { dataServices, lastErrorCommunicationAt } = context.body;
    const before = linkOf(instrument);
    const link: BankLink = {
      ...before,
      dataServices: dataServices ?? before.dataServices,
      lastErrorCommunicationAt:
        lastErrorCommunicationAt === undefined ? before.lastErrorCommunicationAt : orNull(millisecondsOf, lastErrorCommunicationAt),
    };
    return shownLink(context, instrument.id, [fact('InstrumentLinked', { id: instrument.id, link })]);
  }),
  onAccount<unknown>('paymentInstrument.unlink', (_context, instrument) => {
    linkOf(instrument);
    return done([fact('InstrumentUnlinked', { id: instrument.id })]);
  }),
  onAccount<RecordBalanceBody>('paymentInstrument.recordBalance', (context, instrument) => {
    const { env, body } = context;
    linkOf(instrument);
    const balance: LinkedBalance = { id: env.newId('BL'), at: env.now, ...body };
    return decided(context, [fact('InstrumentBalanceRecorded', { id: instrument.id, balance })], (after) =>
      balanceView(bankAccountOf(after, context.command.params)),
    );
  }),
];

const shownLink = (context: Linking<unknown>, id: string, facts: Parameters<typeof done>[0]): ReturnType<typeof done> =>
  decided(context, facts, (after) => linkView(linkOf(bankAccountOf(after, { paymentInstrumentId: id }))));

export const bankLinkQueries: readonly QuerySpec<PersonState>[] = [
  onPersonRead('paymentInstrument.getLink', ({ state, request }) => linkView(linkOf(bankAccountOf(state, request.params)))),
  onPersonRead('paymentInstrument.getBalance', ({ state, request }) => balanceView(bankAccountOf(state, request.params))),
  onPersonRead('paymentInstrument.linkAccess', ({ state, request, env }) => linkAccess(state, bankAccountOf(state, request.params), env)),
];

/** Null fields where there is no link yet, and where the key of the borrower is gone. */
function linkAccess(state: PersonState, { id, link, details, accountNumber }: Instrument, env: EvolveEnv): LinkAccess {
  return {
    accessToken: openText(env, state.id, 'instrument.accessToken', id, link?.accessToken ?? null) ?? '',
    accountId: link?.accountId ?? '',
    dataServices: link?.dataServices ?? [],
    routingNumber: details.routingNumber ?? null,
    accountNumber: openText(env, state.id, 'instrument.accountNumber', id, accountNumber),
  };
}

function balanceView({ id, balances = [] }: Instrument): LinkedBalanceView {
  const newest = balances.at(-1) ?? refuse('notFound', `No balance of the payment instrument ${id} was fetched yet.`);
  const good = balances.findLast(({ error }) => error === null);
  assert(balances.length <= 2, 'the newest balance is kept, and the last one without an error');
  return {
    id: newest.id,
    object: 'accountBalance',
    ...figuresOf(newest),
    error: newest.error,
    lastSuccessfulBalance: good === undefined ? null : figuresOf(good),
    updatedAt: null,
    deletedAt: null,
  };
}

const figuresOf = ({ at, availableCents, currentCents, currency }: LinkedBalance): BalanceFigures => ({
  createdAt: dateTimeText(at),
  availableBalanceAmount: orNull(amount, availableCents),
  currentBalanceAmount: orNull(amount, currentCents),
  currency,
});
