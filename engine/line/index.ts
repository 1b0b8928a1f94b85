export * from './average-daily-balance.js';
export * from './facts.js';
export * from './minimum-payment.js';
export * from './state.js';
export * from './terms.js';
