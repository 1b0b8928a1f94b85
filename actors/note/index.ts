export { type NewNote, noteBeside } from './facts.js';
export { noteModule } from './module.js';
export type * from './requests.js';
export type { NoteCategory, NoteState } from './state.js';
