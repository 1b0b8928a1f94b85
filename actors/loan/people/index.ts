export { peopleCommands } from './decide.js';
export { type AdditionalPerson, hasLeft, isOwing, othersOn, payersOn } from './person.js';
export { peopleQueries } from './view.js';
