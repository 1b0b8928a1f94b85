import { assert, type Day } from '../../../engine/index.js';
import {
  closedThrough,
  companyOf,
  generalLedgerSettingsOn,
  mappingOn,
  sealedSecrets,
  sftpAddressOf,
  type SftpBody,
} from '../../company/index.js';
import { refuse, Refusal } from '../../errors.js';
import type { CommandContext, CommandSpec, DecideEnv, Decision } from '../../kernel/actor.js';
import type { FactDraft } from '../../kernel/fact.js';
import { operationIdOf } from '../../kernel/jobs/operations.js';
import type { OpenContent } from '../../kernel/sealed-contents.js';
import { dateText } from '../../wire.js';
import { type BatchFacts, type BatchState, type ExportDetail, type ExportFormat, LEDGER_BATCH, sealedFile } from './batch.js';
import { type Basis, BATCH_FORMAT, batchHash, type DayContent } from './entries.js';
import { unmappedFault, unmappedIn } from './mapped.js';
import { exportView } from './view.js';

type Context<Body = unknown> = CommandContext<BatchState, Body>;

/** Files of one batch that are being made or sent. */
const MOST_PENDING = 10;

export interface SealDayBody extends DayContent {
  readonly basis: Basis;
  readonly day: Day;
}

export interface CreateLedgerExportBody {
  readonly format: ExportFormat;
  /** `summary`: a line for each account and its dimensions. Default: as the settings of the books say. */
  readonly detail?: ExportDetail;
  /** Where the file is sent; it can be downloaded in any case. */
  readonly deliverTo?: { readonly sftp: SftpBody } | null;
}

export interface ExportMadeBody extends OpenContent {
  readonly exportId: string;
  readonly name: string;
  readonly rowCount: number;
  readonly bytes: number;
  readonly sha256: string;
}

const fact = <Type extends keyof BatchFacts>(type: Type, body: BatchFacts[Type]): FactDraft => ({ type, body });

/** The newest batch of a basis. */
function lastBatchOf(env: Pick<DecideEnv, 'list' | 'read'>, basis: Basis): BatchState | null {
  const [row] = env.list(LEDGER_BATCH, { limit: 1, matches: ({ fields }) => fields['basis'] === basis }).rows;
  return row === undefined ? null : (env.read<BatchState>(LEDGER_BATCH, row.id) ?? null);
}

const bySystem = ({ command }: Context): void => assert(command.actor.type === 'system', 'books are kept by the service');

/** A day of the books is sealed, once, behind the day before. */
const sealDay: CommandSpec<BatchState, SealDayBody> = {
  kind: LEDGER_BATCH,
  type: 'generalLedgerBatch.seal',
  place: { on: 'beside', kind: 'company' },
  catchesUp: false,
  decide(context): Decision<BatchState> {
    bySystem(context);
    const { env, id, body } = context;
    const { basis, day, ...content } = body;
    const company = companyOf(env, env.tenant);
    const last = lastBatchOf(env, basis);
    if (last !== null && last.day >= day) refuse('invalidState', `The books of ${dateText(day)} are sealed.`);
    if (day > closedThrough(company, env)) refuse('invalidState', `The books of ${dateText(day)} are open.`);
    assert(content.debitCents === content.creditCents, 'a batch balances');
    const sequence = (last?.sequence ?? 0) + 1;
    const previousHash = last?.hash ?? null;
    const hash = batchHash({ company: env.tenant.company, mode: env.tenant.mode, basis, day, sequence, previousHash }, content);
    env.createKey(id);
    const sealed: BatchFacts['LedgerDaySealed'] = {
      basis,
      day,
      sequence,
      previousBatchId: last?.id ?? null,
      previousHash,
      hash,
      mappingId: mappingOn(company, day).id,
      format: BATCH_FORMAT,
      ...content,
    };
    return { facts: [fact('LedgerDaySealed', sealed)], reply: (after) => ({ data: { id: after.id } }) };
  },
};

const orderExport: CommandSpec<BatchState, CreateLedgerExportBody> = {
  kind: LEDGER_BATCH,
  type: 'generalLedgerBatch.export',
  place: { on: 'target' },
  catchesUp: false,
  decide({ state, env, command, body }): Decision<BatchState> {
    if (state.createdStamp === 0) refuse('notFound', `There is no batch ${state.id}.`);
    if (state.difference !== null)
      refuse(
        'invalidState',
        `The entries of the batch ${state.id} differ from what was sealed: no file is written before that is settled.`,
      );
    if (state.exports.filter(({ status }) => status === 'pending').length >= MOST_PENDING)
      refuse('invalidState', `${MOST_PENDING} files of the batch ${state.id} are being made or sent.`);
    const company = companyOf(env, env.tenant);
    const unmapped = unmappedIn(company, state);
    if (unmapped.length > 0)
      throw new Refusal('ruleViolation', `The mapping of ${dateText(state.day)} has no account for some roles.`, {
        errors: unmapped.map(unmappedFault),
      });
    const { format, detail = generalLedgerSettingsOn(company, state.day).exportDetail, deliverTo = null } = body;
    const operationId = operationIdOf(command.commandId);
    const exportId = env.newId('GX');
    const sftp = deliverTo === null ? null : deliverTo.sftp;
    const ordered: BatchFacts['LedgerExportOrdered'] = {
      id: exportId,
      format,
      detail,
      operationId,
      sftp: sftp && sftpAddressOf(sftp, null),
      secrets: sftp && sealedSecrets(env, state.id, { sftpPassword: sftp.password ?? null }),
    };
    return {
      facts: [fact('LedgerExportOrdered', ordered)],
      reply: (after) => ({ data: exportView(after, exportId), status: 202, operationId, isUnderWay: true }),
    };
  },
};

/** The service's own: no route leads here. */
const service = <Body>(type: string, decide: (context: Context<Body>) => readonly FactDraft[]): CommandSpec<BatchState> => ({
  kind: LEDGER_BATCH,
  type,
  place: { on: 'target' },
  catchesUp: false,
  decide(context: Context<Body>): Decision<BatchState> {
    bySystem(context);
    return { facts: decide(context), reply: () => ({ data: undefined }) };
  },
});

const isPending = ({ exports }: BatchState, exportId: string): boolean =>
  exports.some(({ id, status }) => id === exportId && status === 'pending') || refuse('invalidState', `The file ${exportId} is done.`);

export const batchCommands: readonly CommandSpec<BatchState>[] = [
  sealDay,
  orderExport,
  service<ExportMadeBody>('generalLedgerBatch.exportMade', ({ state, env, body: { exportId, contentId, key, ...made } }) =>
    isPending(state, exportId)
      ? [fact('LedgerExportMade', { exportId, made: { ...made, ...sealedFile(env, state.id, { contentId, key }) } })]
      : [],
  ),
  service<BatchFacts['LedgerExportNotPut']>('generalLedgerBatch.exportNotPut', ({ state, body }) =>
    isPending(state, body.exportId) ? [fact('LedgerExportNotPut', body)] : [],
  ),
  service<BatchFacts['LedgerExportEnded']>('generalLedgerBatch.exportEnd', ({ state, body }) =>
    isPending(state, body.exportId) ? [fact('LedgerExportEnded', body)] : [],
  ),
  service<BatchFacts['LedgerDifferenceFound']>('generalLedgerBatch.different', ({ state, body }) =>
    state.difference === null ? [fact('LedgerDifferenceFound', body)] : [],
  ),
];
