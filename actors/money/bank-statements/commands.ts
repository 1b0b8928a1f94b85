import { assert } from '../../../engine/index.js';
import { companyOf, SETTLEMENT, type SettlementState, zoneOf } from '../../company/index.js';
import { type Fault, Refusal, refuse, refuseProperty } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { dropCommand } from '../../kernel/retention.js';
import type { OpenContent } from '../../kernel/sealed-contents.js';
import type { AnyId, Text } from '../../wire.js';
import type { tags } from 'typia';
import { ACH_FILE, type AchFileState } from '../ach/ach-file.js';
import { loanOfPayout } from './payouts.js';
import { closedReceipts, type NewReceiptMove } from './receipts.js';
import {
  BANK_STATEMENT,
  BANK_STATEMENT_RETENTION,
  type BankStatementFacts,
  type BankStatementState,
  type HandMatch,
  type ImportedStatement,
  sealedStatementContent,
} from './statement.js';
import { bankStatementView } from './view.js';

type Context<Body> = CommandContext<BankStatementState, Body>;

const receiptFacts = (env: DecideEnv, moves: readonly NewReceiptMove[]): readonly FactDraft[] => {
  const recordedDay = env.today(zoneOf(companyOf(env, env.tenant)));
  return moves.length === 0 ? [] : [fact('BankReceiptsMoved', { moves: moves.map((move) => ({ ...move, recordedDay })) })];
};

const fact = <Type extends keyof BankStatementFacts>(type: Type, body: BankStatementFacts[Type]): FactDraft => ({ type, body });

type PayoutId = string & tags.Pattern<'^LN-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9]{1,9}$'>;

export interface ImportStatementBody extends ImportedStatement {
  readonly entries: OpenContent;
}

export interface StatementMatchedBody extends Omit<BankStatementFacts['BankStatementMatched'], 'results'> {
  readonly results: OpenContent;
  /** Receipts that nothing explains any more, and those that are explained now. */
  readonly receipts: readonly NewReceiptMove[];
}

/** Exactly one of the four says what the entry is. */
export interface MatchEntryRequest {
  readonly achFileId?: AnyId;
  readonly settlementId?: AnyId;
  readonly transactionId?: AnyId;
  /** The loan of the transaction. */
  readonly loanId?: AnyId;
  /** Money that was sent for a loan, or came back. */
  readonly payoutId?: PayoutId;
  readonly note?: Text;
}

export const bankStatementCommands: readonly CommandSpec<BankStatementState>[] = [
  dropCommand(BANK_STATEMENT_RETENTION),
  {
    kind: BANK_STATEMENT,
    type: 'bankStatement.import',
    place: { on: 'beside', kind: 'company' },
    catchesUp: false,
    decide(context: Context<ImportStatementBody>): Decision<BankStatementState> {
      const { id, env, body } = context;
      const { entries, ...imported } = body;
      const known = knownStatement(env, imported);
      // The same file again: it is booked once.
      if (known !== null) return { facts: [], reply: () => ({ data: bankStatementView(known), status: 200 }) };
      env.createKey(id);
      return {
        facts: [fact('BankStatementImported', { ...imported, entries: sealedStatementContent(env, id, entries) })],
        reply: (after) => ({ data: bankStatementView(after) }),
      };
    },
  },
  {
    kind: BANK_STATEMENT,
    type: 'bankStatement.matched',
    place: { on: 'target' },
    catchesUp: false,
    decide(context: Context<StatementMatchedBody>): Decision<BankStatementState> {
      const { id, env, body, command } = context;
      assert(command.actor.type === 'system', 'statements are matched by the service');
      const { results, receipts, ...matched } = body;
      return {
        facts: [
          fact('BankStatementMatched', { ...matched, results: sealedStatementContent(env, id, results) }),
          ...receiptFacts(env, receipts),
        ],
        reply: () => ({ data: undefined }),
      };
    },
  },
  {
    kind: BANK_STATEMENT,
    type: 'bankStatement.matchEntry',
    place: { on: 'target' },
    catchesUp: false,
    decide({ state, env, body, command }: Context<MatchEntryRequest>): Decision<BankStatementState> {
      const entry = entryOf(state, command.params['entryId']);
      return {
        facts: [fact('BankEntryMatchedByHand', { entry, match: handMatch(env, body) })],
        reply: (after) => ({ data: bankStatementView(after) }),
      };
    },
  },
  {
    kind: BANK_STATEMENT,
    type: 'bankStatement.unmatchEntry',
    place: { on: 'target' },
    catchesUp: false,
    decide({ state, command }: Context<object>): Decision<BankStatementState> {
      const entry = entryOf(state, command.params['entryId']);
      if (state.byHand[entry] === null) refuse('invalidState', `The match of entry ${entry} was taken back before.`);
      return {
        facts: [fact('BankEntryMatchTakenBack', { entry })],
        reply: (after) => ({ data: bankStatementView(after) }),
      };
    },
  },
  {
    kind: BANK_STATEMENT,
    type: 'bankStatement.withdraw',
    place: { on: 'target' },
    catchesUp: false,
    decide({ state }: Context<object>): Decision<BankStatementState> {
      refuseWithdrawn(knownStatementState(state));
      refuseDropped(state);
      return { facts: [fact('BankStatementWithdrawn', {})], reply: () => ({ data: undefined }) };
    },
  },
  {
    kind: BANK_STATEMENT,
    type: 'bankStatement.withdrawalApplied',
    place: { on: 'target' },
    catchesUp: false,
    decide({ state, env, command }: Context<object>): Decision<BankStatementState> {
      assert(command.actor.type === 'system', 'statements are matched by the service');
      return {
        facts: [fact('BankStatementWithdrawalApplied', {}), ...receiptFacts(env, closedReceipts(state))],
        reply: () => ({ data: undefined }),
      };
    },
  },
];

function knownStatement(env: DecideEnv, { fundingInstrumentId, sha256 }: ImportedStatement): BankStatementState | null {
  const { rows } = env.list(BANK_STATEMENT, {
    parentId: fundingInstrumentId,
    matches: ({ parentId, fields }) => parentId === fundingInstrumentId && fields['sha256'] === sha256,
    limit: 1,
  });
  const [row] = rows;
  return (row && env.read<BankStatementState>(BANK_STATEMENT, row.id)) ?? null;
}

const knownStatementState = (state: BankStatementState): BankStatementState =>
  state.createdStamp === 0 ? refuse('notFound', `There is no bank statement ${state.id}.`) : state;

function refuseWithdrawn({ id, withdrawnAt }: BankStatementState): void {
  if (withdrawnAt !== null) refuse('invalidState', `The bank statement ${id} was withdrawn.`);
}

function refuseDropped({ id, entries }: BankStatementState): void {
  if (entries === null) refuse('invalidState', `The entries of the bank statement ${id} are no longer kept.`);
}

function entryOf(state: BankStatementState, text: string | undefined): number {
  const { id, entryCount } = knownStatementState(state);
  refuseWithdrawn(state);
  refuseDropped(state);
  const number = /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
  if (number < 1 || number > entryCount) refuse('notFound', `The bank statement ${id} has no entry ${text ?? ''}.`);
  return number;
}

function handMatch(env: DecideEnv, { achFileId, settlementId, transactionId, loanId, payoutId, note }: MatchEntryRequest): HandMatch {
  const errors: Fault[] = [];
  const fault = (path: string, expected: string, message: string): void => void errors.push({ path, expected, message });
  const named = [achFileId, settlementId, transactionId, payoutId].filter((each) => each !== undefined);
  if (named.length !== 1)
    fault('achFileId', 'exactly one of achFileId, settlementId, transactionId and payoutId', `${named.length} are given`);
  if (transactionId !== undefined && loanId === undefined) fault('loanId', 'the loan of the transaction', 'is missing');
  if (transactionId === undefined && loanId !== undefined) fault('loanId', 'nothing without transactionId', 'is not used');
  if (errors.length > 0) throw new Refusal('validationError', 'The match is not valid: see `errors`.', { errors });
  if (achFileId !== undefined && (env.read<AchFileState>(ACH_FILE, achFileId)?.createdStamp ?? 0) === 0)
    refuseProperty('achFileId', 'an ACH file', `There is no ACH file ${achFileId}.`);
  if (settlementId !== undefined && (env.read<SettlementState>(SETTLEMENT, settlementId)?.createdStamp ?? 0) === 0)
    refuseProperty('settlementId', 'a settlement', `There is no settlement ${settlementId}.`);
  return {
    achFileId: achFileId ?? null,
    settlementId: settlementId ?? null,
    transactionId: transactionId ?? null,
    loanId: payoutId === undefined ? (loanId ?? null) : loanOfPayout(payoutId),
    ...(payoutId === undefined ? {} : { payoutId }),
    note: note ?? null,
  };
}
