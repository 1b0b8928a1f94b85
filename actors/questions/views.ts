import { type LineObligationView, type ObligationView, stateNamed } from '../../engine/index.js';
import { taxNumberOf } from '../borrower/index.js';
import type { CaseState } from '../casework/index.js';
import type { InteractionState } from '../contact/index.js';
import { type LoanState, obligationsIn, recordOf, statusOf } from '../loan/index.js';
import { companies, loanTypes } from './company-views.js';
import { contacts } from './contacts-view.js';
import { draws } from './draws-view.js';
import { events } from './events-view.js';
import { periods } from './periods-view.js';
import { dailyBalances } from './daily-balances-view.js';
import { ledgerEntries } from './ledger-entries-view.js';
import type { PersonItem } from './person-item.js';
import { autopay, doNotInteracts, expectedPayments, fees, rates, statements } from './servicing-views.js';
import { replays } from './replays-view.js';
import type { LoanItem } from './subjects.js';
import { owners, terms } from './terms-views.js';
import { transactions } from './transactions-view.js';
import { type Cell, type View, view } from './view.js';

/*
 * What questions may be asked of (`docs/views.md` is made from this). Rows are what reads of the interface show: of a loan as of today,
 * with its pending days computed in.
 */

const people = view<PersonItem, PersonItem>({
  name: 'v_people',
  meaning: 'Borrowers, without deleted and erased ones.',
  kind: 'person',
  items: (person) => [person],
  columns: [
    { name: 'person_id', type: 'VARCHAR', meaning: 'Id of the borrower', of: ({ state }) => state.id },
    { name: 'external_id', type: 'VARCHAR', meaning: 'The external id', of: ({ state }) => state.externalId },
    { name: 'borrower_type', type: 'VARCHAR', meaning: '`person` or `business`', of: ({ state }) => state.borrowerType },
    { name: 'status', type: 'VARCHAR', meaning: 'Status of the borrower', of: ({ state }) => state.status },
    {
      name: 'collections_intensity',
      type: 'VARCHAR',
      meaning: '`light`, `normal` or `heavy`',
      of: ({ state }) => state.collectionsIntensity,
    },
    {
      name: 'has_portal_user',
      type: 'BOOLEAN',
      meaning: 'Whether the borrower has a user of the portal',
      of: ({ state }) => state.userId !== null,
    },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was made', of: ({ state }) => state.createdAt },
    { name: 'updated_at', type: 'TIMESTAMP', meaning: 'When it was last changed', of: ({ state }) => state.updatedAt },
    {
      name: 'state',
      type: 'VARCHAR',
      meaning: 'State of the home address, such as `NY`',
      isPersonal: true,
      of: ({ home }) => stateNamed(home?.state ?? '') ?? null,
    },
    {
      name: 'postal_code',
      type: 'VARCHAR',
      meaning: 'Postal code of the home address',
      isPersonal: true,
      of: ({ home }) => home?.postalCode ?? null,
    },
    {
      name: 'preferred_language',
      type: 'VARCHAR',
      meaning: 'The language that the borrower prefers, two letters; null: not recorded',
      isPersonal: true,
      of: ({ state }) => state.commPreferences.language ?? null,
    },
    {
      name: 'timezone',
      type: 'VARCHAR',
      meaning: 'Time zone of the home address',
      isPersonal: true,
      of: ({ timezone }) => timezone,
    },
    {
      name: 'first_name',
      type: 'VARCHAR',
      meaning: 'First name',
      isPersonal: true,
      of: ({ named }) => named.firstName,
    },
    {
      name: 'last_name',
      type: 'VARCHAR',
      meaning: 'Last name',
      isPersonal: true,
      of: ({ named }) => named.lastName,
    },
    {
      name: 'date_of_birth',
      type: 'VARCHAR',
      meaning: 'Date of birth, `YYYY-MM-DD`',
      isPersonal: true,
      of: ({ named }) => named.dateOfBirth,
    },
  ],
});

/** The borrower of each loan, for sections of loans. No question reaches it: it would not follow the borrower. */
export const borrowers = view<LoanItem, LoanItem>({
  name: 'v_borrowers',
  meaning: 'The main borrower of each loan.',
  kind: 'loan',
  items: (loan) => (loan.state.record === null ? [] : [loan]),
  columns: [
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ state }) => state.id },
    {
      name: 'external_id',
      type: 'VARCHAR',
      meaning: 'The external id of the borrower',
      of: ({ borrower }) => borrower?.externalId ?? null,
    },
    {
      name: 'identity_value',
      type: 'VARCHAR',
      meaning: 'Number of the borrower for taxes or of social security',
      isPersonal: true,
      of: ({ borrower, env }) => (borrower === undefined ? null : taxNumberOf(env, borrower)),
    },
  ],
});

const loans = view<LoanItem, LoanItem>({
  name: 'v_loans',
  meaning: 'Loans, one row each.',
  kind: 'loan',
  items: (loan) => (loan.state.record === null ? [] : [loan]),
  columns: [
    { name: 'loan_id', type: 'VARCHAR', meaning: 'Id of the loan', of: ({ state }) => state.id },
    {
      name: 'external_id',
      type: 'VARCHAR',
      meaning: 'The external id',
      of: ({ state }) => (recordOf(state).areExternalIdsFree ? null : recordOf(state).externalId),
    },
    { name: 'person_id', type: 'VARCHAR', meaning: 'Its borrower', of: ({ state }) => recordOf(state).personId },
    { name: 'loan_type_id', type: 'VARCHAR', meaning: 'Its loan type', of: ({ state }) => recordOf(state).loanTypeId },
    { name: 'type', type: 'VARCHAR', meaning: '`installment` or `lineOfCredit`', of: ({ state }) => recordOf(state).type },
    { name: 'status', type: 'VARCHAR', meaning: 'Status of the loan', of: ({ state }) => statusOf(state) },
    {
      name: 'labels',
      type: 'VARCHAR',
      meaning: 'Ids of its labels, separated by commas',
      of: ({ state }) => recordOf(state).labels.join(','),
    },
    {
      name: 'days_overdue',
      type: 'INTEGER',
      meaning: 'Days since the oldest due date that is not met; 0 where none is',
      of: ({ overdue }) => overdue?.daysOverdue ?? 0,
    },
    { name: 'overdue_amount', type: 'MONEY', meaning: 'What is overdue', of: ({ balances }) => balances?.overdue.totalCents ?? 0 },
    {
      name: 'overdue_since',
      type: 'DATE',
      meaning: 'The oldest due date that is not met',
      of: ({ overdue }) => overdue?.overdueSince ?? null,
    },
    { name: 'next_due_date', type: 'DATE', meaning: 'The next due date', of: ({ overdue }) => overdue?.nextDueDate ?? null },
    { name: 'next_due_amount', type: 'MONEY', meaning: 'What is due then', of: ({ overdue }) => overdue?.nextDueCents ?? null },
    {
      name: 'outstanding_amount',
      type: 'MONEY',
      meaning: 'The outstanding balance',
      of: ({ balances }) => balances?.outstanding.totalCents ?? 0,
    },
    {
      name: 'originated_at',
      type: 'TIMESTAMP',
      meaning: 'When it was originated',
      of: ({ state }) => recordOf(state).timestamps.originatedAt,
    },
    {
      name: 'activated_at',
      type: 'TIMESTAMP',
      meaning: 'When it was activated',
      of: ({ state }) => recordOf(state).timestamps.activatedAt,
    },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was made', of: ({ state }) => recordOf(state).timestamps.createdAt },
    { name: 'updated_at', type: 'TIMESTAMP', meaning: 'When it was last changed', of: ({ state }) => state.lastUpdate.at },
  ],
});

type Block = 'outstanding' | 'due' | 'overdue';

const part = (block: Block, cents: 'totalCents' | 'principalCents' | 'interestCents' | 'feesCents') => {
  const bucket = cents.slice(0, -'Cents'.length);
  return {
    name: `${block}_${bucket}`,
    type: 'MONEY',
    meaning: bucket === 'total' ? `All that is ${block}` : `Of it ${bucket}`,
    of: ({ balances }: LoanItem): Cell => balances?.[block][cents] ?? 0,
  } as const;
};

const PARTS = ['totalCents', 'principalCents', 'interestCents', 'feesCents'] as const;

const paid = (bucket: 'principal' | 'interest' | 'fees' | 'total') =>
  ({
    name: `paid_${bucket}`,
    type: 'MONEY',
    meaning: bucket === 'total' ? 'All that was paid' : `Of it ${bucket}`,
    of: ({ balances }: LoanItem): Cell => balances?.paid[`${bucket}Cents`] ?? 0,
  }) as const;

const balances = view<LoanItem, LoanItem>({
  name: 'v_balances',
  meaning: 'Balances of loans that were activated, as of today, one row a loan; each is rounded to the cent.',
  kind: 'loan',
  items: (loan) => (loan.balances === null ? [] : [loan]),
  columns: [
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ state }) => state.id },
    ...(['outstanding', 'due', 'overdue'] as const).flatMap((block) => PARTS.map((cents) => part(block, cents))),
    {
      name: 'charged_off_total',
      type: 'MONEY',
      meaning: 'What was charged off',
      of: ({ balances: known }) => known?.chargedOff.totalCents ?? 0,
    },
    ...(['total', 'principal', 'interest', 'fees'] as const).map(paid),
  ],
});

interface ObligationItem {
  readonly loanId: string;
  readonly obligation: ObligationView | LineObligationView;
}

const obligations = view<LoanItem, ObligationItem>({
  name: 'v_obligations',
  meaning: 'What fell due, and is due in the period that runs: one row for each due date of a loan.',
  kind: 'loan',
  items: ({ state, ledger, comingFees }) =>
    ledger === null ? [] : obligationsIn(ledger, null, comingFees).map((obligation) => ({ loanId: state.id, obligation })),
  columns: [
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ loanId }) => loanId },
    { name: 'ordinal', type: 'INTEGER', meaning: 'Its place in the schedule', of: ({ obligation }) => obligation.ordinal },
    { name: 'due_date', type: 'DATE', meaning: 'The due date', of: ({ obligation }) => obligation.dueDay },
    { name: 'obligation_amount', type: 'MONEY', meaning: 'What is to be paid', of: ({ obligation }) => obligation.obligationCents },
    { name: 'fulfilled_amount', type: 'MONEY', meaning: 'What was paid of it', of: ({ obligation }) => obligation.fulfilledCents },
    { name: 'remaining_amount', type: 'MONEY', meaning: 'What is still to be paid', of: ({ obligation }) => obligation.remainingCents },
    { name: 'is_fulfilled', type: 'BOOLEAN', meaning: 'Whether it is met', of: ({ obligation }) => obligation.isFulfilled },
    { name: 'is_overdue', type: 'BOOLEAN', meaning: 'Whether it is overdue', of: ({ obligation }) => obligation.isOverdue },
    { name: 'is_open', type: 'BOOLEAN', meaning: 'Whether its amount may still change', of: ({ obligation }) => obligation.isOpen },
  ],
});

interface PromiseItem {
  readonly loanId: string;
  readonly plan: LoanState['promises'][number];
}

const promises = view<LoanItem, PromiseItem>({
  name: 'v_promises',
  meaning: 'Plans of borrowers who have promised to pay, one row each.',
  kind: 'loan',
  items: ({ today }) => today.promises.map((plan) => ({ loanId: today.id, plan })),
  columns: [
    { name: 'promise_plan_id', type: 'VARCHAR', meaning: 'Id of the plan', of: ({ plan }) => plan.id },
    { name: 'loan_id', type: 'VARCHAR', meaning: 'Its loan', of: ({ loanId }) => loanId },
    {
      name: 'status',
      type: 'VARCHAR',
      meaning: '`scheduled`, `active`, `overdue`, `kept`, `broken` or `canceled`',
      of: ({ plan }) => plan.state,
    },
    { name: 'start_date', type: 'DATE', meaning: 'The first day of the plan', of: ({ plan }) => plan.startDay },
    { name: 'end_date', type: 'DATE', meaning: 'The last due date', of: ({ plan }) => plan.promises.at(-1)?.dueDay ?? null },
    { name: 'payments', type: 'INTEGER', meaning: 'How many payments were promised', of: ({ plan }) => plan.promises.length },
    {
      name: 'promised_amount',
      type: 'MONEY',
      meaning: 'What was promised in all',
      of: ({ plan }) => plan.promises.reduce((sum, { amountCents }) => sum + amountCents, 0),
    },
    { name: 'ended_date', type: 'DATE', meaning: 'The day on which it was kept, broken or canceled', of: ({ plan }) => plan.endedDay },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was made', of: ({ plan }) => plan.createdAt },
  ],
});

const cases = view<CaseState, CaseState>({
  name: 'v_cases',
  meaning: 'Cases, one row each.',
  kind: 'case',
  items: (state) => [state],
  columns: [
    { name: 'case_id', type: 'VARCHAR', meaning: 'Id of the case', of: ({ id }) => id },
    { name: 'person_id', type: 'VARCHAR', meaning: 'Its borrower', of: ({ personId }) => personId },
    { name: 'type', type: 'VARCHAR', meaning: 'The kind of case', of: ({ caseType }) => caseType },
    { name: 'type_name', type: 'VARCHAR', meaning: "The name of the company's type", of: ({ typeName }) => typeName },
    { name: 'status', type: 'VARCHAR', meaning: 'Status of the case', of: ({ status }) => status },
    { name: 'outcome', type: 'VARCHAR', meaning: 'How it ended', of: ({ outcome }) => outcome },
    {
      name: 'loan_ids',
      type: 'VARCHAR',
      meaning: 'The loans that it is about, separated by commas',
      of: ({ associations }) => associations.map(({ objectId }) => objectId).join(','),
    },
    { name: 'employee_id', type: 'VARCHAR', meaning: 'The employee who owns it', of: ({ owningEmployeeId }) => owningEmployeeId },
    { name: 'team_id', type: 'VARCHAR', meaning: 'The team that owns it', of: ({ owningTeamId }) => owningTeamId },
    { name: 'supercase_id', type: 'VARCHAR', meaning: 'Its supercase', of: ({ supercaseId }) => supercaseId },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was made', of: ({ createdAt }) => createdAt },
    { name: 'status_updated_at', type: 'TIMESTAMP', meaning: 'When its status changed last', of: ({ statusUpdatedAt }) => statusUpdatedAt },
  ],
});

const interactions = view<InteractionState, InteractionState>({
  name: 'v_interactions',
  meaning: 'Messages and calls, one row each, without what was said.',
  kind: 'interaction',
  items: (state) => [state],
  columns: [
    { name: 'interaction_id', type: 'VARCHAR', meaning: 'Id of the interaction', of: ({ id }) => id },
    { name: 'person_id', type: 'VARCHAR', meaning: 'Its borrower; null of an unknown sender', of: ({ personId }) => personId },
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan that it is about', of: ({ loanId }) => loanId },
    { name: 'case_id', type: 'VARCHAR', meaning: 'The case that it is about', of: ({ caseId }) => caseId },
    { name: 'channel', type: 'VARCHAR', meaning: '`email`, `text`, `voice` and so on', of: ({ channel }) => channel },
    { name: 'direction', type: 'VARCHAR', meaning: '`inbound` or `outbound`', of: ({ direction }) => direction },
    { name: 'subject', type: 'VARCHAR', meaning: 'Its subject', of: ({ subject }) => subject },
    { name: 'theme', type: 'VARCHAR', meaning: 'Its theme', of: ({ theme }) => theme },
    { name: 'status', type: 'VARCHAR', meaning: 'Status of the interaction', of: ({ status }) => status },
    { name: 'status_details', type: 'VARCHAR', meaning: 'Details of the status', of: ({ statusDetails }) => statusDetails },
    { name: 'block_reason', type: 'VARCHAR', meaning: 'What stopped it', of: ({ blockReason }) => blockReason },
    { name: 'agent_outcome', type: 'VARCHAR', meaning: 'What an agent noted of a call', of: ({ agentOutcome }) => agentOutcome },
    { name: 'is_external', type: 'BOOLEAN', meaning: 'Whether the caller has recorded it', of: ({ isExternal }) => isExternal },
    { name: 'started_at', type: 'TIMESTAMP', meaning: 'When it began', of: ({ startedAt }) => startedAt },
    { name: 'created_at', type: 'TIMESTAMP', meaning: 'When it was recorded', of: ({ createdAt }) => createdAt },
  ],
});

export const VIEWS: readonly View[] = [
  companies,
  loanTypes,
  people,
  contacts,
  loans,
  balances,
  obligations,
  periods,
  expectedPayments,
  draws,
  transactions,
  fees,
  rates,
  statements,
  autopay,
  promises,
  ledgerEntries,
  replays,
  dailyBalances,
  terms,
  owners,
  cases,
  doNotInteracts,
  interactions,
  events,
];
