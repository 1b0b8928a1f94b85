/** The only place where parts are wired together. */
export { door } from './door.js';
