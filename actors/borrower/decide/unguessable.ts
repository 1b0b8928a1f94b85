import { createHash } from 'node:crypto';
import type { DecideEnv } from '../../kernel/actor.js';

/**
 * 32 bytes that nobody can guess: they follow from an id that is never shown and that only the holder of the
 * installation's id key could compute, so that deciding stays deterministic.
 */
export const unguessable = (env: DecideEnv): Buffer => createHash('sha256').update(env.newId('PT')).digest();
