import type { Route } from '../../routing/route.js';
import { bulkRoutes } from './bulk.js';
import { memberRoutes } from './members.js';
import { supercaseNoteRoutes } from './notes.js';
import { supercaseRoutes } from './supercases.js';

export const allSupercaseRoutes: readonly Route[] = [...supercaseRoutes, ...memberRoutes, ...bulkRoutes, ...supercaseNoteRoutes];
