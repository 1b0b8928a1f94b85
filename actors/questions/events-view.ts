import { PERSON_EVENT_TEXTS } from '../borrower/index.js';
import type { EventView } from '../kernel/events/event-pages.js';
import { LOAN_EVENT_TEXTS } from '../loan/index.js';
import { microsecondsOf } from '../wire.js';
import { view } from './view.js';

/** Of a company and mode: as many of the newest events are in the view when it is filled. */
export const EVENTS_KEPT = 1_000_000;

const TEXTS: Readonly<Record<string, readonly string[]>> = { ...PERSON_EVENT_TEXTS, ...LOAN_EVENT_TEXTS };

/** Without the texts that the log keeps sealed, which an erasure of the borrower makes unreadable: rows of a view outlive it for a day. */
function plainData({ eventType, data }: EventView): unknown {
  const texts = TEXTS[eventType];
  if (texts === undefined || typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !texts.includes(name)));
}

export const events = view<EventView, EventView>({
  name: 'v_events',
  meaning: `Events of the last 90 days, the newest ${EVENTS_KEPT.toLocaleString('en-US')}, one row each.`,
  kind: 'event',
  items: (event) => [event],
  columns: [
    { name: 'event_id', type: 'VARCHAR', meaning: 'Id of the event', of: ({ id }) => id },
    { name: 'event_type', type: 'VARCHAR', meaning: 'Its type, such as `loan.statuschanged`', of: ({ eventType }) => eventType },
    { name: 'object_type', type: 'VARCHAR', meaning: 'The type of the object that it is about', of: ({ objectType }) => objectType },
    { name: 'object_id', type: 'VARCHAR', meaning: 'The object', of: ({ objectId }) => objectId },
    { name: 'person_id', type: 'VARCHAR', meaning: 'The borrower that it concerns', of: ({ personId }) => personId },
    { name: 'loan_id', type: 'VARCHAR', meaning: 'The loan', of: ({ loanId }) => loanId },
    { name: 'draw_id', type: 'VARCHAR', meaning: 'The draw', of: ({ drawId }) => drawId },
    { name: 'case_id', type: 'VARCHAR', meaning: 'The case', of: ({ caseId }) => caseId },
    { name: 'transaction_id', type: 'VARCHAR', meaning: 'The transaction', of: ({ transactionId }) => transactionId },
    { name: 'interaction_id', type: 'VARCHAR', meaning: 'The interaction', of: ({ interactionId }) => interactionId },
    {
      name: 'actor_type',
      type: 'VARCHAR',
      meaning: 'Who caused it: `api`, `agent`, `borrower` or `system`',
      of: ({ actor }) => actor.userType,
    },
    { name: 'is_replay', type: 'BOOLEAN', meaning: 'Whether it followed from a fact in the past', of: ({ isReplay }) => isReplay },
    {
      name: 'occurred_at',
      type: 'TIMESTAMP',
      meaning: 'When it happened, by the clock of the company',
      of: ({ occurredAt }) => Date.parse(occurredAt),
    },
    {
      name: 'created_at',
      type: 'TIMESTAMP',
      meaning: 'When it was recorded',
      of: ({ createdAt }) => microsecondsOf(createdAt) / 1000,
    },
    {
      name: 'data',
      type: 'VARCHAR',
      meaning: 'What it says, as JSON, without free texts',
      isPersonal: true,
      of: (event) => JSON.stringify(plainData(event)),
    },
  ],
});
