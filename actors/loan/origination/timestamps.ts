import type { LoanTimestamps } from '../state.js';
import type { CreateLoanRequest } from '../requests.js';

export const firstTimestamps = (now: number, status: CreateLoanRequest['status']): LoanTimestamps => ({
  createdAt: now,
  startedAt: null,
  originatedAt: status === 'originated' ? now : null,
  activatedAt: null,
  frozenAt: null,
  lastAmortizedAt: null,
  acceleratedAt: null,
  chargedOffAt: null,
  paidOffAt: null,
  closedAt: null,
  canceledAt: null,
});
