import typia from 'typia';
import {
  type AddMembersRequest,
  type ListMembersQuery,
  type MemberView,
  Refusal,
  type SupercaseMemberRequest,
  type UploadMembersRequest,
} from '../../../actors/index.js';
import { csvCells } from '../../../engine/index.js';
import { dataOf } from '../../answers.js';
import { type Answered, type Call, defineRoute, type Route } from '../../routing/route.js';

const tags = ['Supercases'];

interface DryRunQuery {
  /** Checks each line and adds none. */
  readonly dryRun?: boolean;
}

/** The number of added members, and why the others were refused. */
interface MembersReply {
  readonly added: number;
  readonly failed: number;
  readonly members: readonly MemberView[];
  readonly errors: readonly MemberFault[];
}

interface MemberFault extends Partial<SupercaseMemberRequest> {
  /** The position in the list, or the line of the file, from 1. */
  readonly row: number;
  readonly errorType: string;
  readonly message: string;
}

/** Members of populations. Each is stored with its borrower, and added by its own command. */
export const memberRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/supercases/{supercaseId}/populations/{populationId}/members',
    operation: 'addMembers',
    tags,
    summary: 'Add members to a draft population',
    description: 'Adds one member, or up to a thousand. Members that cannot be added are listed in `errors`; the others are added.',
    permission: 'supercase:update',
    reply: typia.json.schemas<[MembersReply], '3.1'>(),
    body: { validate: typia.misc.createValidatePrune<AddMembersRequest>(), schemas: typia.json.schemas<[AddMembersRequest], '3.1'>() },
    handle: (call) => {
      const { members, personId, loanId } = call.body;
      if (members === undefined && (personId === undefined || loanId === undefined)) {
        throw new Refusal('validationError', 'Send `personId` and `loanId`, or `members`.', {
          errors: [{ path: 'personId', expected: 'personId and loanId, or members', message: 'personId is missing' }],
        });
      }
      const pairs = members ?? [{ personId: personId ?? '', loanId: loanId ?? '' }];
      return addAll(
        call,
        pairs.map((pair, index) => ({ ...pair, row: index + 1 })),
        false,
      );
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/supercases/{supercaseId}/populations/{populationId}/members/upload',
    operation: 'uploadMembers',
    tags,
    summary: 'Add members from a CSV file with personId and loanId',
    permission: 'supercase:update',
    reply: typia.json.schemas<[MembersReply], '3.1'>(),
    query: { validate: typia.misc.createValidatePrune<DryRunQuery>(), schemas: typia.json.schemas<[DryRunQuery], '3.1'>() },
    body: {
      validate: typia.misc.createValidatePrune<UploadMembersRequest>(),
      schemas: typia.json.schemas<[UploadMembersRequest], '3.1'>(),
    },
    waitsMs: 300_000,
    handle: async (call) => {
      const reply = await addAll(call, linesOf(call.body.csv), call.query.dryRun === true);
      return { ...reply, data: { ...reply.data, members: [] } };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/supercases/{supercaseId}/populations/{populationId}/members',
    operation: 'listMembers',
    summary: 'List the members of a population',
    tags,
    permission: 'supercase:read',
    envelope: 'list',
    reply: typia.json.schemas<[MemberView[]], '3.1'>(),
    query: { validate: typia.misc.createValidatePrune<ListMembersQuery>(), schemas: typia.json.schemas<[ListMembersQuery], '3.1'>() },
    handle: (call) => call.read('supercaseMember.list', null),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/supercases/{supercaseId}/populations/{populationId}/members/{memberId}',
    operation: 'removeMember',
    tags,
    summary: 'Remove a member from a draft population',
    permission: 'supercase:update',
    handle: (call) => call.command('supercaseMember.delete', call.params.memberId),
  }),
];

interface Line extends SupercaseMemberRequest {
  readonly row: number;
}

/** The columns by the names of the first line; a file without names has them in this order. */
const COLUMNS = ['personid', 'loanid'];

/** Ids have no line breaks, so a line is a row. */
function linesOf(csv: string): readonly Line[] {
  const rows = csv
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((text, index) => ({ cells: csvCells(text).map((cell) => cell.trim()), row: index + 1 }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const names = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const hasNames = COLUMNS.every((column) => names.includes(column));
  const [person = 0, loan = 1] = hasNames ? COLUMNS.map((column) => names.indexOf(column)) : [];
  return rows.slice(hasNames ? 1 : 0).map(({ cells, row }) => ({ personId: cells[person] ?? '', loanId: cells[loan] ?? '', row }));
}

/** Members whose commands are under way at once. */
const AT_ONCE = 64;

/** Faults that a reply lists. */
const MAX_FAULTS = 1_000;

/** Adds members in batches. Where a single member is refused, its refusal is the answer. */
async function addAll(call: Call, lines: readonly Line[], isDryRun: boolean): Promise<Answered<MembersReply>> {
  const members: MemberView[] = [];
  const errors: MemberFault[] = [];
  let failed = 0;
  const fail = (line: Line | undefined, errorType: string, message: string): void => {
    failed += 1;
    const { row, personId, loanId } = line ?? { row: 0, personId: '', loanId: '' };
    if (errors.length < MAX_FAULTS) errors.push({ row, personId, loanId, errorType, message });
  };
  // A dry run adds no member that a later line could meet.
  const seen = new Map<string, number>();
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    const batch = lines.slice(at, at + AT_ONCE);
    const answers = await Promise.allSettled(
      batch.map(({ personId, loanId, row }) =>
        call.command('supercaseMember.create', personId, {
          body: { personId, loanId },
          query: { dryRun: isDryRun },
          step: `member ${row}`,
        }),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 'fulfilled') {
        const member = dataOf<MemberView>(answer.value.data);
        const pair = `${member.personId} ${member.loanId}`;
        const before = isDryRun ? seen.get(pair) : undefined;
        if (before !== undefined) fail(batch[index], 'duplicate', `The file has this borrower and loan in line ${before}, too.`);
        else members.push(member);
        if (before === undefined) seen.set(pair, batch[index]?.row ?? 0);
        continue;
      }
      if (!(answer.reason instanceof Refusal) || answer.reason.statusCode >= 500 || lines.length === 1) throw answer.reason;
      fail(batch[index], answer.reason.errorType, answer.reason.message);
    }
  }
  return { data: { added: isDryRun ? 0 : members.length, failed, members: isDryRun ? [] : members, errors } };
}
