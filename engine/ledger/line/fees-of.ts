import type { DrawState, LineFee, LineState } from './state.js';

/** The fees of a draw, or of the line itself. */
export const feesOf = (state: LineState, draw: DrawState | null): LineFee[] => (draw === null ? state.fees : draw.fees);

export const allFees = (state: LineState): readonly LineFee[] => [...state.fees, ...state.draws.flatMap(({ fees }) => fees)];
