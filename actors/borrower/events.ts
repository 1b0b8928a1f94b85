import type { EventDraft } from '../kernel/fact.js';
import type { Contact, Instrument, PersonState } from './state.js';

/** A changed field as events tell it. Values of personal data are left out. */
interface Change {
  readonly field: string;
  readonly oldValue: unknown;
  readonly newValue: unknown;
}

/** Sealed fields: that they changed is told, what they hold is not. */
const SEALED_FIELDS: ReadonlySet<string> = new Set([
  'value',
  'address',
  'name',
  'accountNumber',
  'accountHolderName',
  'nickname',
  'personal',
  'externalId',
  'details',
]);
/** Of what is sealed with others the nickname alone changes. */
const NAMES: Readonly<Record<string, string>> = { personal: 'nickname' };
/** Fields that follow from the change itself. */
const SILENT_FIELDS: ReadonlySet<string> = new Set([
  'updatedAt',
  'activeAt',
  'inactiveAt',
  'pendingAt',
  'deletedAt',
  'microDeposits',
  'metaData',
]);

export function personCreated(state: PersonState): EventDraft {
  return {
    eventType: 'person.created',
    objectType: 'person',
    objectId: state.id,
    refs: { personId: state.id },
    data: { borrowerType: state.borrowerType, status: state.status },
  };
}

export function contactEvent(what: 'created' | 'updated' | 'deleted', personId: string, contact: Contact, before?: Contact): EventDraft {
  const { id, contactType, label, affiliation, status } = contact;
  return {
    eventType: `contact.${what}`,
    objectType: 'contact',
    objectId: id,
    refs: { personId },
    data: { contactId: id, contactType, label, affiliation, status, changes: changesOf(before, contact) },
  };
}

export function instrumentEvent(
  what: 'created' | 'updated' | 'deactivated',
  personId: string,
  instrument: Instrument,
  before?: Instrument,
): EventDraft {
  const { id, instrumentType, status } = instrument;
  return {
    eventType: `payment.instrument.${what}`,
    objectType: 'paymentInstrument',
    objectId: id,
    refs: { personId },
    // The last digits are by reference: the instrument has them for as long as its borrower can be read.
    data: { paymentInstrumentId: id, instrumentType, status, lastFour: null, changes: changesOf(before, instrument) },
  };
}

/** Whether an event has something to tell: counted tries and sent deposits are no news. */
export const isVisibleChange = (before: object, after: object): boolean => changesOf(before, after).length > 0;

function changesOf(before: object | undefined, after: object): Change[] {
  if (!before) return [];
  const old = new Map<string, unknown>(Object.entries(before));
  const changes: Change[] = [];
  for (const [field, newValue] of Object.entries(after)) {
    const oldValue = old.get(field);
    if (SILENT_FIELDS.has(field) || sameValue(oldValue, newValue)) continue;
    const hidden = SEALED_FIELDS.has(field);
    changes.push({ field: NAMES[field] ?? field, oldValue: hidden ? null : oldValue, newValue: hidden ? null : newValue });
  }
  return changes;
}

function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a instanceof Uint8Array || b instanceof Uint8Array) return false;
  return JSON.stringify(a) === JSON.stringify(b);
}
