import { addDays, type Day, formatDay, parseDay } from '../../../engine/index.js';
import type { BaseCaseType } from '../../company/index.js';
import type { Values } from './state.js';

/** Days to answer a dispute that came through a credit agency, from the day on which the agency received it (15 USC 1681i(a)(1)). */
const ANSWER_DAYS = 30;

/**
 * The plain fields that a body changes, with the day by which a dispute is to be answered where the body names none. That day follows
 * `receivedDate`, or else the opening of the case, until somebody sets another one: 45 days if the consumer adds information.
 */
export function withResponseDue(caseType: BaseCaseType, changes: Values, before: Values | null, openedOn: Day): Values {
  if (caseType !== 'creditBureauDispute' || changes['responseDueDate'] !== undefined) return changes;
  if (before === null) return { ...changes, responseDueDate: dueOf(changes['receivedDate'], openedOn) };
  const due = before['responseDueDate'];
  const isByHand = due !== undefined && due !== dueOf(before['receivedDate'], openedOn);
  if (isByHand || changes['receivedDate'] === undefined) return changes;
  return { ...changes, responseDueDate: dueOf(changes['receivedDate'], openedOn) };
}

const dueOf = (received: unknown, openedOn: Day): string =>
  formatDay(addDays((typeof received === 'string' ? parseDay(received) : undefined) ?? openedOn, ANSWER_DAYS));
