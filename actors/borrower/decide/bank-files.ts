import { assert, type CorrectedAccount } from '../../../engine/index.js';
import { companyOf, currentSettings, loanTypeOf, processorFor } from '../../company/index.js';
import { refuse } from '../../errors.js';
import type { CommandContext, CommandSpec, QueryEnv, QueryOf, QuerySpec } from '../../kernel/actor.js';
import { orderedPageOf, type PageQuery, type SortRule } from '../../list-order.js';
import { openJson, openText, sealText } from '../contact-fields.js';
import { mayMoveInstrument } from '../machine.js';
import { onPersonRead } from '../questions.js';
import type { Prenote } from '../prenote.js';
import type { Instrument, InstrumentFields, PersonState } from '../state.js';
import { withSecretsOpen, withSecretsSealed } from '../views.js';
import { done, fact } from './common.js';
import { fieldsOf } from './micro-deposits.js';

/*
 * What ACH files need of bank accounts, and what banks say of them. No route leads here: answers have account numbers in clear.
 */

/** An account as an entry of a file needs it. Null where it is gone or can no longer be read. */
export interface FileAccount {
  readonly status: Instrument['status'] | 'deleted';
  readonly routingNumber: string;
  readonly accountNumber: string;
  readonly accountType: 'checking' | 'savings';
  readonly holderType: 'personal' | 'business';
  readonly holderName: string;
  /** The amounts of the deposits that verify it, in cents; null if none are under way. */
  readonly deposits: readonly number[] | null;
  /** The entry of zero that checks it; null if none was ordered. */
  readonly prenote: Prenote | null;
}

export const accountForFile = onPersonRead('paymentInstrument.account', ({ state, request, env }): FileAccount | null => {
  const instrument = state.instruments.find(({ id }) => id === request.params['paymentInstrumentId']);
  if (instrument === undefined) return null;
  const { id, status, deletedAt, microDeposits, prenote = null, details } = instrument;
  const accountNumber = openText(env, state.id, 'instrument.accountNumber', id, instrument.accountNumber);
  const holderName = openText(env, state.id, 'instrument.accountHolderName', id, instrument.accountHolderName);
  if (accountNumber === null || holderName === null || details.routingNumber == null) return null;
  return {
    status: deletedAt === null ? status : 'deleted',
    routingNumber: details.routingNumber,
    accountNumber,
    accountType: details.accountType ?? 'checking',
    holderType: details.accountHolderType ?? 'personal',
    holderName,
    deposits: microDeposits && openJson<readonly number[]>(env, state.id, 'instrument.microDeposits', id, microDeposits.amounts),
    prenote,
  };
});

/** An account whose deposits wait for a file. */
export interface AwaitingDeposits {
  readonly instrumentId: string;
  readonly personId: string;
}

export interface AwaitingDepositsQuery extends PageQuery {
  readonly processorId: string;
  /** Ordered up to this moment, in milliseconds of the company's clock. */
  readonly until: number;
}

export interface OwnedInstrument extends AwaitingDeposits {
  readonly id: string;
  readonly ownerStamp: number;
}

/** Newest borrowers first. */
export const BY_OWNER: readonly SortRule<OwnedInstrument>[] = [
  { key: ({ ownerStamp }) => ownerStamp, descending: true },
  { key: ({ id }) => id, descending: false },
];

export const depositsAwaitingFile: QuerySpec<PersonState> = {
  kind: 'person',
  type: 'paymentInstrument.depositsAwaitingFile',
  on: 'tenant',
  read({ query: { processorId, until, ...page }, env }: QueryOf<AwaitingDepositsQuery>) {
    const { rows } = env.list('person', { matches: ({ fields }) => fields['awaitsDeposits'] === true, limit: Number.MAX_SAFE_INTEGER });
    const found = rows.flatMap(({ id: personId, createdStamp }): readonly OwnedInstrument[] => {
      const person = env.read<PersonState>('person', personId);
      const waiting = person?.instruments.filter((each) => awaitsDeposits(each) && (each.microDeposits?.sentAt ?? 0) <= until) ?? [];
      if (waiting.length === 0 || processorOf(env, personId) !== processorId) return [];
      return waiting.map(({ id }) => ({ id, instrumentId: id, personId, ownerStamp: createdStamp }));
    });
    return orderedPageOf(found, page, {
      view: ({ instrumentId, personId }): AwaitingDeposits => ({ instrumentId, personId }),
      externalIdOf: () => null,
      order: BY_OWNER,
    });
  },
};

/** Whether deposits were ordered and are in no file yet. */
export const awaitsDeposits = ({ status, isExternal, deletedAt, microDeposits }: Instrument): boolean =>
  deletedAt === null && !isExternal && status === 'pending' && microDeposits !== null && microDeposits.fileId === undefined;

/** Loans that say which processor sends the deposits. */
const COUNTING: ReadonlySet<string> = new Set(['pending', 'originated', 'active', 'frozen', 'accelerated', 'chargedOff']);

/** That of the loan type, where all loans of the borrower are of one; else the default. */
export function processorOf(env: QueryEnv, personId: string): string | null {
  const company = companyOf(env, env.tenant);
  const { rows } = env.list('loan', { parentId: personId, matches: ({ fields }) => COUNTING.has(String(fields['status'])), limit: 1_000 });
  const [only, ...others] = new Set(rows.map(({ fields }) => String(fields['loanTypeId'])));
  const loanType = only === undefined || others.length > 0 ? undefined : loanTypeOf(company, only);
  return processorFor(company, loanType === undefined ? null : currentSettings(loanType), 'ach');
}

export function ofBank<Body>(
  type: string,
  decideOn: (context: CommandContext<PersonState, Body>, instrument: Instrument) => ReturnType<typeof done>,
): CommandSpec<PersonState> {
  return {
    kind: 'person',
    type,
    place: { on: 'target' },
    catchesUp: false,
    decide(context: CommandContext<PersonState, Body>) {
      assert(context.command.actor.type === 'system', 'what banks say is reported by the service');
      const id = context.command.params['paymentInstrumentId'] ?? '';
      const instrument = context.state.instruments.find((known) => known.id === id);
      return decideOn(context, instrument ?? refuse('notFound', `There is no payment instrument ${id}.`));
    },
  };
}

export interface CorrectInstrumentBody {
  readonly correction: CorrectedAccount;
}

/** A notification of change. The former values stay in the facts; the same correction again changes nothing. */
const correctInstrument = ofBank<CorrectInstrumentBody>('paymentInstrument.correct', (context, before) => {
  const { id: personId, env } = context;
  const { routingNumber, accountNumber, transactionCode, holderName } = context.body.correction;
  const known = withSecretsOpen(env, personId, before);
  const knownNumber = openText(env, personId, 'instrument.accountNumber', before.id, before.accountNumber);
  const knownName = openText(env, personId, 'instrument.accountHolderName', before.id, before.accountHolderName);
  const accountType = transactionCode === undefined ? known.details.accountType : transactionCode.startsWith('3') ? 'savings' : 'checking';
  const isSame =
    (routingNumber ?? known.details.routingNumber) === known.details.routingNumber &&
    (accountNumber ?? knownNumber) === knownNumber &&
    (holderName ?? knownName) === knownName &&
    accountType === known.details.accountType;
  if (isSame || before.deletedAt !== null) return done([]);
  const corrected = {
    ...(routingNumber === undefined ? {} : { routingNumber }),
    ...(accountType == null ? {} : { accountType }),
  };
  // What is sealed twice looks like a change.
  const isRenumbered = accountNumber !== undefined && accountNumber !== knownNumber;
  const instrument: InstrumentFields = {
    ...fieldsOf(before),
    details: { ...before.details, ...corrected },
    ...(isRenumbered
      ? {
          ...withSecretsSealed(env, personId, before.id, {
            nickname: known.nickname,
            details: { ...known.details, ...corrected, accountNumberLastFour: accountNumber.slice(-4) },
          }),
          accountNumber: sealText(env, personId, 'instrument.accountNumber', before.id, accountNumber),
        }
      : {}),
    ...(holderName === undefined
      ? {}
      : { accountHolderName: sealText(env, personId, 'instrument.accountHolderName', before.id, holderName) }),
  };
  return done([fact('InstrumentUpdated', { instrument })]);
});

export interface DepositsFiledBody {
  readonly achFileId: string;
}

/** The file with the deposits was uploaded. */
const fileDeposits = ofBank<DepositsFiledBody>('paymentInstrument.depositsFiled', ({ body: { achFileId } }, { id, microDeposits }) => {
  if (microDeposits === null || microDeposits.fileId === achFileId) return done([]);
  return done([fact('MicroDepositsFiled', { id, achFileId })]);
});

/** The bank has returned a deposit: the account cannot be verified so. */
const returnDeposits = ofBank('paymentInstrument.depositsReturned', (_context, { id, status, verified }) =>
  done(!verified && mayMoveInstrument(status, 'exhaust') ? [fact('MicroDepositsReturned', { id })] : []),
);

export const bankFileCommands: readonly CommandSpec<PersonState>[] = [correctInstrument, fileDeposits, returnDeposits];
