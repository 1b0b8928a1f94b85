import type { StatusCause } from '../replay/index.js';
import type { AppliedLineFact } from './arrange.js';
import type { LineState } from './state.js';

/** What is ordered for the whole line, or a draw. */
export function applyOrder(_state: LineState, _fact: AppliedLineFact, _cause: StatusCause): void {}
