export * from './agent-outcomes.js';
export * from './channels.js';
export * from './fault.js';
export * from './status-details.js';
export * from './statuses.js';
export * from './subjects.js';
export * from './theme-resolution.js';
export * from './themes.js';
