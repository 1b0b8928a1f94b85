export { noteBeside } from './facts.js';
export { noteModule } from './module.js';
export type * from './requests.js';
export type { NoteCategory } from './state.js';
