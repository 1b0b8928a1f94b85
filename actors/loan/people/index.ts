export { peopleCommands } from './decide.js';
export type { AdditionalPerson } from './person.js';
export { peopleQueries } from './view.js';
