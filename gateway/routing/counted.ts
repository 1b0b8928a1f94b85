import type { Reply } from './route.js';

/** `count` stands beside `data`, as the contract has it for schedules. */
export const counted = (reply: Reply): Reply => ({
  ...reply,
  extra: { count: (reply.data as { readonly schedule: readonly unknown[] }).schedule.length },
});
