import { must } from '../../engine/index.js';
import { bodyForRow } from '../kernel/erased.js';
import type { Emit } from '../kernel/actor.js';
import type { EventDraft, Fact } from '../kernel/fact.js';
import { APPLY_CONFIRMATIONS } from './confirmation.js';
import { applyConsents } from './consents.js';
import { APPLY_DOCUMENTS } from './documents/decide.js';
import { applyRepresentative } from './legal-representatives.js';
import { instrumentChart, type InstrumentStatus, personChart } from './machine.js';
import { APPLY_MONITORING } from './monitoring/facts.js';
import { prenoteStatus } from './prenote.js';
import type { Contact, Instrument, InstrumentFields, PersonFacts, PersonState } from './state.js';
import { APPLY_VERIFICATIONS } from './verifications/verification.js';

/** A changed field as events show it. Values of personal data are left out. */
interface Change {
  readonly field: string;
  readonly oldValue: unknown;
  readonly newValue: unknown;
}

/** Sealed fields: events name them as changed, without their values. */
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
/** Fields that events show under another name. Of what `personal` seals, the nickname changes, and digits with the number they are of. */
const NAMES: Readonly<Record<string, string>> = { personal: 'nickname' };
/** Fields that events leave out, since they follow from the change itself. */
const SILENT_FIELDS: ReadonlySet<string> = new Set([
  'updatedAt',
  'activeAt',
  'inactiveAt',
  'pendingAt',
  'deletedAt',
  'microDeposits',
  'metaData',
  'link',
  'balances',
]);

function personCreated(state: PersonState): EventDraft {
  return {
    eventType: 'person.created',
    objectType: 'person',
    objectId: state.id,
    refs: { personId: state.id },
    data: { borrowerType: state.borrowerType, status: state.status },
  };
}

function contactEvent(what: 'created' | 'updated' | 'deleted', personId: string, contact: Contact, before?: Contact): EventDraft {
  const { id, contactType, label, affiliation, status } = contact;
  return {
    eventType: `contact.${what}`,
    objectType: 'contact',
    objectId: id,
    refs: { personId },
    data: { contactId: id, contactType, label, affiliation, status, changes: changesOf(before, contact) },
  };
}

function instrumentEvent(
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
    // Events carry no digits: a reader gets them from the instrument, for as long as the borrower is not erased.
    data: { paymentInstrumentId: id, instrumentType, status, lastFour: null, changes: instrumentChanges(before, instrument) },
  };
}

/** A new number has new last digits, which are sealed beside the nickname: the nickname has not changed. */
function instrumentChanges(before: Instrument | undefined, after: Instrument): readonly Change[] {
  if (before === undefined) return [];
  const isRenumbered = before.accountNumber !== after.accountNumber;
  const { personal } = isRenumbered ? after : before;
  return changesOf(inEvents(personal === undefined ? before : { ...before, personal }), inEvents(after));
}

/** Events have the status of a prenote alone. */
const inEvents = (instrument: Instrument): object => ({ ...instrument, prenote: prenoteStatus(instrument.prenote) });

/** Whether a change needs an event: counted tries and sent deposits need none. */
const isVisibleChange = (before: Instrument, after: Instrument): boolean => instrumentChanges(before, after).length > 0;

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

type EmitEvent = (event: () => EventDraft) => void;
type Apply = {
  [Type in keyof PersonFacts]: (state: PersonState, body: PersonFacts[Type], fact: Fact, emitEvent: EmitEvent) => void;
};

const APPLY: Apply = {
  PersonCreated(state, { status, name, identity, ...fields }, fact, emitEvent) {
    Object.assign(state, fields);
    state.status = status;
    if (name) state.names = [added(name, fact)];
    if (identity) state.identities = [added(identity, fact)];
    state.createdAt = fact.businessAt;
    state.createdStamp = fact.stamp;
    emitEvent(() => personCreated(state));
  },
  PersonUpdated(state, { changes }) {
    Object.assign(state, changes);
  },
  PersonStatusChanged(state, { status }, fact) {
    state.status = status;
    state.statusUpdatedAt = fact.businessAt;
  },
  PersonDeleted(state, _body, fact) {
    state.status = personChart.after(state.status, 'delete');
    state.deletedAt = fact.businessAt;
    state.externalId = null;
  },
  PersonErased(state, _body, fact) {
    state.status = personChart.after(state.status, 'erase');
    state.deletedAt ??= fact.businessAt;
    state.externalId = null;
  },
  PortalUserGiven(state, { userId }) {
    state.userId = userId;
  },
  NameAdded(state, { name }, fact) {
    state.names = [...state.names, added(name, fact)];
  },
  NameCorrected(state, { name }, fact) {
    state.names = replaced(state.names, name, fact).items;
  },
  IdentityAdded(state, { identity }, fact) {
    state.identities = [...state.identities, added(identity, fact)];
  },
  IdentityUpdated(state, { identity }, fact) {
    state.identities = replaced(state.identities, identity, fact).items;
  },
  IdentityArchived(state, { id }, fact) {
    state.identities = replaced(state.identities, { id, isArchived: true }, fact).items;
  },
  ContactAdded(state, { contact, isConsentKept = false }, fact, emitEvent) {
    const record = added(contact, fact);
    state.contacts = [...state.contacts, isConsentKept ? record : consented(record, undefined, fact)];
    emitEvent(() => contactEvent('created', state.id, record));
  },
  ContactUpdated(state, { contact }, fact, emitEvent) {
    const { items, before, after } = replaced(state.contacts, contact, fact);
    state.contacts = items.map((item) => (item === after ? consented(after, before, fact) : item));
    emitEvent(() => contactEvent('updated', state.id, after, before));
  },
  ContactDeleted(state, { id }, _fact, emitEvent) {
    const contact = must(
      state.contacts.find((item) => item.id === id),
      `the unknown contact ${id} was deleted`,
    );
    state.contacts = state.contacts.filter((item) => item !== contact);
    emitEvent(() => contactEvent('deleted', state.id, contact));
  },
  InstrumentAdded(state, { instrument, amounts, isPrenoteOrdered = false }, fact, emitEvent) {
    const microDeposits = amounts && { amounts, sentAt: fact.businessAt, sets: 1, wrongAttempts: 0 };
    const prenote = isPrenoteOrdered ? { prenote: { orderedAt: fact.businessAt } } : {};
    const record = { ...newInstrument(instrument, fact), microDeposits, ...prenote };
    state.instruments = [...state.instruments, record];
    emitEvent(() => instrumentEvent('created', state.id, record));
  },
  InstrumentUpdated(state, { instrument }, fact, emitEvent) {
    changeInstrument(state, instrument.id, () => instrument, fact, emitEvent);
  },
  InstrumentDeactivated(state, { id, reason, failureReason }, fact, emitEvent) {
    const deactivate = ({ status }: Instrument): Partial<Instrument> => ({
      status: instrumentChart.target(status, 'deactivate') ?? status,
      inactiveReason: reason,
      failureReason,
    });
    changeInstrument(state, id, deactivate, fact, emitEvent);
  },
  InstrumentVerified(state, { id }, fact, emitEvent) {
    const verify = ({ status }: Instrument): Partial<Instrument> => ({
      status: instrumentChart.after(status, 'verify'),
      verified: true,
      inactiveReason: null,
      failureReason: null,
      microDeposits: null,
    });
    changeInstrument(state, id, verify, fact, emitEvent);
  },
  CardTokenKept(state, { id, card }, fact, emitEvent) {
    changeInstrument(state, id, () => ({ card }), fact, emitEvent);
  },
  MicroDepositsSent(state, { id, amounts }, fact, emitEvent) {
    const send = ({ status, microDeposits }: Instrument): Partial<Instrument> => ({
      status: instrumentChart.after(status, 'sendDeposits'),
      inactiveReason: null,
      failureReason: null,
      microDeposits: { amounts, sentAt: fact.businessAt, sets: (microDeposits?.sets ?? 0) + 1, wrongAttempts: 0 },
    });
    changeInstrument(state, id, send, fact, emitEvent);
  },
  InstrumentLinked(state, { id, link }, fact, emitEvent) {
    changeInstrument(state, id, () => ({ link }), fact, emitEvent);
  },
  InstrumentUnlinked(state, { id }, fact, emitEvent) {
    changeInstrument(state, id, () => ({ link: null, balances: [] }), fact, emitEvent);
  },
  InstrumentBalanceRecorded(state, { id, balance }, fact, emitEvent) {
    const record = ({ link, balances = [] }: Instrument): Partial<Instrument> => {
      const { error } = balance;
      const status = error === null ? 'active' : error.errorType === 'relogin' ? 'reloginRequired' : 'error';
      const good = error === null ? undefined : balances.findLast((each) => each.error === null);
      return {
        balances: good === undefined ? [balance] : [good, balance],
        link: link && { ...link, status, recentError: error },
      };
    };
    changeInstrument(state, id, record, fact, emitEvent);
  },
  MicroDepositsFiled(state, { id, achFileId }, fact, emitEvent) {
    // The deposits show what a prenote would: one that was not sent is not needed any more.
    const file = ({ microDeposits, prenote }: Instrument): Partial<Instrument> => ({
      microDeposits: { ...must(microDeposits, `no deposits were under way for ${id}`), fileId: achFileId },
      ...(prenote == null || prenote.fileId !== undefined ? {} : { prenote: null }),
    });
    changeInstrument(state, id, file, fact, emitEvent);
  },
  MicroDepositsReturned(state, { id }, fact, emitEvent) {
    const exhaust = ({ status }: Instrument): Partial<Instrument> => ({
      status: instrumentChart.after(status, 'exhaust'),
      inactiveReason: 'verificationFailed',
      failureReason: 'microdepositsFailed',
    });
    changeInstrument(state, id, exhaust, fact, emitEvent);
  },
  PrenoteOrdered(state, { id }, fact, emitEvent) {
    changeInstrument(state, id, () => ({ prenote: { orderedAt: fact.businessAt, isByHand: true } }), fact, emitEvent);
  },
  PrenoteFiled(state, { id, achFileId, entryDay }, fact, emitEvent) {
    const file = ({ prenote }: Instrument): Partial<Instrument> => {
      const { returnCode: _former, ...ordered } = must(prenote, `no prenote was ordered for ${id}`);
      return { prenote: { ...ordered, fileId: achFileId, entryDay } };
    };
    changeInstrument(state, id, file, fact, emitEvent);
  },
  PrenoteReturned(state, { id, returnCode }, fact, emitEvent) {
    const comeBack = ({ prenote }: Instrument): Partial<Instrument> => ({
      prenote: { ...must(prenote, `no prenote was sent for ${id}`), returnCode },
    });
    changeInstrument(state, id, comeBack, fact, emitEvent);
  },
  VerificationAttemptFailed(state, { id, reason }, fact, emitEvent) {
    const count = ({ status, microDeposits }: Instrument): Partial<Instrument> => {
      const deposits = must(microDeposits, `no deposits were under way for ${id}`);
      const counted = { microDeposits: { ...deposits, wrongAttempts: deposits.wrongAttempts + 1 } };
      if (reason === null) return counted;
      const exhausted = instrumentChart.after(status, 'exhaust');
      return { ...counted, status: exhausted, inactiveReason: reason, failureReason: 'microdepositsAttemptFailed' };
    };
    changeInstrument(state, id, count, fact, emitEvent);
  },
  InstrumentRemoved(state, { id }, fact, emitEvent) {
    const { items, after } = replaced(state.instruments, { id, deletedAt: fact.businessAt, externalId: null }, fact);
    state.instruments = items;
    emitEvent(() => instrumentEvent('deactivated', state.id, after));
  },
  ConsentsUpdated: applyConsents,
  LegalRepresentativeRecorded: applyRepresentative,
  ...APPLY_CONFIRMATIONS,
  ...APPLY_DOCUMENTS,
  ...APPLY_MONITORING,
  ...APPLY_VERIFICATIONS,
};

/** Facts that change the borrower itself; the others change its contacts, instruments and other records. */
const TOUCHES: ReadonlySet<string> = new Set([
  'PersonUpdated',
  'PersonStatusChanged',
  'PersonDeleted',
  'PersonErased',
  'NameAdded',
  'NameCorrected',
]);

/** Applies a fact to a borrower and emits its event. */
export function evolvePerson(state: PersonState, fact: Fact, emit: Emit | null): void {
  const rows: { readonly [Type in string]?: (state: PersonState, body: never, fact: Fact, emitEvent: EmitEvent) => void } = APPLY;
  const apply = must(rows[fact.type], `a borrower knows no fact ${fact.type}`);
  const emitEvent: EmitEvent = (event) => emit?.(event());
  apply(state, bodyForRow(fact), fact, emitEvent);
  if (TOUCHES.has(fact.type)) state.updatedAt = fact.businessAt;
  state.updatedStamp = fact.stamp;
}

const added = <Item extends { readonly id: string }>(item: Item, fact: Fact) => ({ createdAt: fact.businessAt, updatedAt: null, ...item });

interface Replaced<Item> {
  readonly items: readonly Item[];
  readonly before: Item;
  readonly after: Item;
}

function replaced<Item extends { readonly id: string; readonly updatedAt: number | null }>(
  items: readonly Item[],
  change: Partial<Item> & { readonly id: string },
  fact: Fact,
): Replaced<Item> {
  const before = must(
    items.find((item) => item.id === change.id),
    `a change of the unknown ${change.id}`,
  );
  const after = { ...before, ...change, updatedAt: fact.businessAt };
  return { items: items.map((item) => (item === before ? after : item)), before, after };
}

/** Sets the time of the last consent to text messages: when receiving them was switched on. */
function consented(contact: Contact, before: Contact | undefined, fact: Fact): Contact {
  if (!contact.receiveTextMessages || before?.receiveTextMessages) return contact;
  return { ...contact, receiveTextMessagesLastConsentAt: fact.businessAt };
}

function newInstrument(fields: InstrumentFields, fact: Fact): Instrument {
  const times = { createdAt: fact.businessAt, updatedAt: null, deletedAt: null, activeAt: null, inactiveAt: null, pendingAt: null };
  return { ...fields, ...times, ...enteredAt(fields.status, fact), microDeposits: null };
}

function changeInstrument(
  state: PersonState,
  id: string,
  change: (instrument: Instrument) => Partial<Instrument>,
  fact: Fact,
  emitEvent: EmitEvent,
): void {
  const known = must(
    state.instruments.find((item) => item.id === id),
    `a change of the unknown instrument ${id}`,
  );
  const changed = change(known);
  const entered = changed.status !== undefined && changed.status !== known.status ? enteredAt(changed.status, fact) : {};
  const { items, before, after } = replaced(state.instruments, { ...changed, ...entered, id }, fact);
  state.instruments = items;
  const left = after.status === 'inactive' && before.status !== 'inactive';
  if (isVisibleChange(before, after)) emitEvent(() => instrumentEvent(left ? 'deactivated' : 'updated', state.id, after, before));
}

const ENTERED: { readonly [Status in InstrumentStatus]: 'activeAt' | 'inactiveAt' | 'pendingAt' } = {
  active: 'activeAt',
  inactive: 'inactiveAt',
  pending: 'pendingAt',
};

const enteredAt = (status: InstrumentStatus, fact: Fact): Partial<Instrument> => ({ [ENTERED[status]]: fact.businessAt });
