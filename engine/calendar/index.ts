export * from './business-days.js';
export * from './day.js';
export * from './day-schedule.js';
export * from './day-count.js';
export * from './day-count-conventions.js';
export * from './due-date-rule.js';
export * from './due-dates.js';
export * from './zone.js';
