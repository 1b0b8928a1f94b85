export type * from './commands.js';
export type * from './contact-wire.js';
export * from './directory.js';
export type * from './instrument-wire.js';
export { instrumentMachine, personMachine } from './machine.js';
export { personModule } from './module.js';
export type { ArchivedQuery, ContactListQuery, InstrumentListQuery, PersonGetQuery, PersonListQuery } from './queries.js';
export type { PersonSearchQuery } from './search/query.js';
export type { Address, Contact, Identity, Instrument, PersonState } from './state.js';
