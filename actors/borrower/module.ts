import { type ActorModule, actorModule, type CatalogRow, partInMemory } from '../kernel/actor.js';
import { makeCode } from './confirmation.js';
import { updateConsents } from './consents.js';
import { checkNumber } from './decide/number-checks.js';
import { cloneContact, createContact, deleteContact, updateContact } from './decide/contacts.js';
import { addIdentity, archiveIdentity, createPerson, deletePerson, erasePerson, updateIdentity, updatePerson } from './decide/people.js';
import { accountForFile, awaitsDeposits, bankFileCommands, depositsAwaitingFile } from './decide/bank-files.js';
import { awaitsVerification, cardCommands, cardForProcessor, cardsAwaiting } from './decide/cards.js';
import { bankLinkCommands, bankLinkQueries } from './decide/bank-link.js';
import { createInstrument, deleteInstrument, updateInstrument } from './decide/instruments.js';
import { sendMicroDeposits, verifyInstrument } from './decide/micro-deposits.js';
import { prenoteCommands, prenotesAwaitingFile } from './decide/prenotes.js';
import { addName, correctName } from './decide/common.js';
import { archiveDocument, attachContent, changeDocument, copyConverted, describeDocument, failUpload } from './documents/decide.js';
import { evolvePerson } from './evolve.js';
import { archiveRepresentative, createRepresentative, updateRepresentative } from './legal-representatives.js';
import { moveMonitoring, startMonitoring, reportHit } from './monitoring/decide.js';
import { catchUpPerson, personAgenda } from './monitoring/planning.js';
import { personQueries } from './queries.js';
import { DOCUMENTS, packPerson, unpackPerson } from './packing.js';
import { awaitsPrenote } from './prenote.js';
import { PersonSearch } from './search/search-index.js';
import { isReachable, newPerson, type PersonState } from './state.js';
import { cancelVerification, startVerification, submitAnswers } from './verifications/decide.js';
import { personMachine } from './machine.js';

/** Borrowers with all their records. Each engine needs a module of its own, since the module keeps the engine's search index. */
export function personModule(): ActorModule {
  const search = new PersonSearch();
  return actorModule<PersonState>({
    definition: {
      kind: 'person',
      prefix: 'BO',
      initial: newPerson,
      evolve(state, fact, emit) {
        evolvePerson(state, fact, emit);
        search.touch(state);
      },
      clone: (state) => ({ ...state }),
      personal: { names: PERSONAL, eventTexts: PERSON_EVENT_TEXTS, refused: NAMED, ownerOf: ({ id }) => id },
      row: rowOf,
      selects: () => () => true,
      agenda: personAgenda,
      catchUp: catchUpPerson,
      lifecycle: { machine: personMachine, at: ({ status }) => ({ value: status }) },
      pack: packPerson,
      unpack: unpackPerson,
      parts: ({ documents }) => (documents.length === 0 ? [] : [partInMemory(DOCUMENTS, documents)]),
    },
    commands: [
      createPerson,
      updatePerson,
      addName,
      addIdentity,
      updateIdentity,
      createContact,
      updateContact,
      cloneContact,
      checkNumber,
      deletePerson,
      erasePerson,
      correctName,
      archiveIdentity,
      deleteContact,
      makeCode,
      startMonitoring,
      moveMonitoring,
      reportHit,
      createInstrument,
      updateInstrument,
      deleteInstrument,
      verifyInstrument,
      ...bankFileCommands,
      ...prenoteCommands,
      ...bankLinkCommands,
      ...cardCommands,
      sendMicroDeposits,
      updateConsents,
      describeDocument,
      changeDocument,
      archiveDocument,
      attachContent,
      failUpload,
      copyConverted,
      startVerification,
      submitAnswers,
      cancelVerification,
      createRepresentative,
      updateRepresentative,
      archiveRepresentative,
    ],
    queries: [
      ...personQueries,
      search.query,
      search.senders,
      accountForFile,
      depositsAwaitingFile,
      prenotesAwaitingFile,
      cardForProcessor,
      cardsAwaiting,
      ...bankLinkQueries,
    ],
  });
}

/** Fields that callers choose or write freely, of borrowers, contacts, identities, instruments, documents and representatives. */
const PERSONAL: ReadonlySet<string> = new Set([
  'externalId',
  'metaData',
  'nickname',
  'accountNumberLastFour',
  'cardNumberLastFour',
  'checkNumber',
  'reference',
  'routingNumber',
  'institutionName',
  'expirationMonth',
  'expirationYear',
  'customIdentityTypeName',
  'issueDate',
  'expirationDate',
  'issuingCountry',
  'incorporatedCountry',
  'incorporatedState',
  'externalReference',
  'evidenceId',
  'accountId',
  'itemId',
  'availableCents',
  'currentCents',
]);

/** An earlier release published the last digits of accounts and cards. */
export const PERSON_EVENT_TEXTS: Readonly<Record<string, readonly string[]>> = {
  'payment.instrument.created': ['lastFour'],
  'payment.instrument.updated': ['lastFour'],
  'payment.instrument.deactivated': ['lastFour'],
};

/** Fields by which clients find records, or that they store with them. */
const NAMED: ReadonlySet<string> = new Set(['externalId', 'metaData']);

/** A deleted or erased borrower has no row: lists leave it out and no request can reach it. */
function rowOf(state: PersonState): CatalogRow | null {
  if (!isReachable(state)) return null;
  const { id, externalId, createdStamp, updatedStamp, status, borrowerType, collectionsIntensity, contacts, documents, instruments } =
    state;
  const living = instruments.filter(({ deletedAt }) => deletedAt === null);
  return {
    id,
    externalId,
    createdStamp,
    updatedStamp,
    parentId: null,
    parts: [partsOf('contact', contacts), partsOf('document', documents), partsOf('paymentInstrument', living)].filter(
      ({ length }) => length > 0,
    ),
    fields: {
      status,
      borrowerType,
      externalId,
      collectionsIntensity,
      hasInstruments: living.length > 0,
      awaitsDeposits: living.some(awaitsDeposits),
      awaitsPrenote: living.some(awaitsPrenote),
      awaitsCards: living.some(awaitsVerification),
    },
  };
}

interface WithExternalId {
  readonly id: string;
  readonly externalId: string | null;
}

const partsOf = (kind: string, items: readonly WithExternalId[]): (readonly [string, string, string])[] =>
  items.flatMap(({ id, externalId }) => (externalId === null ? [] : [[kind, externalId, id] as const]));
