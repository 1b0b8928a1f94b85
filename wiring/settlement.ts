import { defaultSettlement, type SettlementPort } from '../actors/loan/index.js';

/** What moves the money: the default settles by the calendar. Replace it by an implementation of your bank. */
export const settlement: SettlementPort = defaultSettlement;
