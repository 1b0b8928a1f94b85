export { noteBeside, type NoteCategory } from './state.js';
export { noteModule } from './module.js';
export type * from './requests.js';
