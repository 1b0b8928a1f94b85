import type { ReadPart } from '../kernel/actor.js';
import { partOf } from '../kernel/erased.js';
import type { PersonState } from './state.js';

/** A borrower in a snapshot. */
interface Packed extends Omit<PersonState, 'documents'> {
  readonly hasDocuments: boolean;
}

/** Stored apart from the rest of the state: there may be many, and most commands need none of them. */
export const DOCUMENTS = 'documents';

/* Each property by its name: the rest of another object would be slow to read. See docs/decisions/copies-with-more.md. */

export const packPerson = (state: PersonState): Packed => ({
  id: state.id,
  tenant: state.tenant,
  createdAt: state.createdAt,
  updatedAt: state.updatedAt,
  deletedAt: state.deletedAt,
  createdStamp: state.createdStamp,
  updatedStamp: state.updatedStamp,
  status: state.status,
  statusUpdatedAt: state.statusUpdatedAt,
  borrowerType: state.borrowerType,
  externalId: state.externalId,
  collectionsIntensity: state.collectionsIntensity,
  commPreferences: state.commPreferences,
  userId: state.userId,
  monitorStartDate: state.monitorStartDate,
  metaData: state.metaData,
  dateOfBirth: state.dateOfBirth,
  business: state.business,
  names: state.names,
  identities: state.identities,
  contacts: state.contacts,
  instruments: state.instruments,
  consents: state.consents,
  legalRepresentatives: state.legalRepresentatives,
  monitoring: state.monitoring,
  monitoringPlan: state.monitoringPlan,
  hasDocuments: state.documents.length > 0,
  verifications: state.verifications,
  confirmations: state.confirmations,
});

export const unpackPerson = (packed: Packed, part: ReadPart): PersonState => ({
  id: packed.id,
  tenant: packed.tenant,
  createdAt: packed.createdAt,
  updatedAt: packed.updatedAt,
  deletedAt: packed.deletedAt,
  createdStamp: packed.createdStamp,
  updatedStamp: packed.updatedStamp,
  status: packed.status,
  statusUpdatedAt: packed.statusUpdatedAt,
  borrowerType: packed.borrowerType,
  externalId: packed.externalId,
  collectionsIntensity: packed.collectionsIntensity,
  commPreferences: packed.commPreferences,
  userId: packed.userId,
  monitorStartDate: packed.monitorStartDate,
  metaData: packed.metaData,
  dateOfBirth: packed.dateOfBirth,
  business: packed.business,
  names: packed.names,
  identities: packed.identities,
  contacts: packed.contacts,
  instruments: packed.instruments,
  consents: packed.consents,
  legalRepresentatives: packed.legalRepresentatives,
  monitoring: packed.monitoring,
  monitoringPlan: packed.monitoringPlan,
  documents: packed.hasDocuments ? partOf<PersonState['documents']>(part, DOCUMENTS) : [],
  verifications: packed.verifications,
  confirmations: packed.confirmations,
});
