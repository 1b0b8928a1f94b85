import { runCommandLine } from '../bench/index.js';
import { door } from './gateway.js';

export { door };

/**
 * The command line over the real parts.
 * @param words what stands behind `tenor` on the command line
 * @returns the exit code
 */
export const main = (words: readonly string[]): Promise<number> => runCommandLine(door, words);
