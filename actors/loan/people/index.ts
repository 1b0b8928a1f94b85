export { peopleCommands } from './decide.js';
export { type AdditionalPerson, hasLeft, isOwing, payersOn } from './person.js';
export { peopleQueries } from './view.js';
