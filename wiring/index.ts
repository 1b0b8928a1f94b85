import { runCommandLine } from '../bench/index.js';
import { access } from './gateway.js';

export { access };

/**
 * The command line over the real parts.
 * @param parameters what follows `tenor` on the command line
 * @returns the exit code
 */
export const main = (parameters: readonly string[]): Promise<number> => runCommandLine(access, parameters);
