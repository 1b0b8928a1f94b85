export { SIGN_IN_LIMITS } from './limits.js';
export * from './sign-in.js';
export * from './steps.js';
