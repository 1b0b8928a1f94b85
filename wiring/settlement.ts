import { defaultSettlement, type SettlementPort } from '../actors/loan/index.js';

/** Who moves the money: the default settles by the calendar. A bank's own part stands here instead. */
export const settlement: SettlementPort = defaultSettlement;
