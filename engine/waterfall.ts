/** The part of a balance that money can meet: all kinds of fees together, interest, principal. */
export type Component = 'fees' | 'interest' | 'principal';

/** Whether a part of the outstanding balance is not due yet, due, or overdue. */
export type DueStatus = 'nonDue' | 'due' | 'overdue';

/** One step of a waterfall: a component with a due status. */
export type Bucket = `${DueStatus}${Capitalize<Component>}`;

export interface BucketParts {
  readonly dueStatus: DueStatus;
  readonly component: Component;
}

/** What each bucket's name means, in the default order of payment. */
export const BUCKETS: Readonly<Record<Bucket, BucketParts>> = {
  overdueFees: { dueStatus: 'overdue', component: 'fees' },
  overdueInterest: { dueStatus: 'overdue', component: 'interest' },
  overduePrincipal: { dueStatus: 'overdue', component: 'principal' },
  dueFees: { dueStatus: 'due', component: 'fees' },
  dueInterest: { dueStatus: 'due', component: 'interest' },
  duePrincipal: { dueStatus: 'due', component: 'principal' },
  nonDueFees: { dueStatus: 'nonDue', component: 'fees' },
  nonDueInterest: { dueStatus: 'nonDue', component: 'interest' },
  nonDuePrincipal: { dueStatus: 'nonDue', component: 'principal' },
};

export const DEFAULT_PAYMENT_WATERFALL: readonly Bucket[] = [
  'overdueFees',
  'overdueInterest',
  'overduePrincipal',
  'dueFees',
  'dueInterest',
  'duePrincipal',
  'nonDueFees',
  'nonDueInterest',
  'nonDuePrincipal',
];

/** A component's buckets, the oldest money first. */
export const COMPONENT_BUCKETS: Readonly<Record<Component, readonly Bucket[]>> = {
  fees: ['overdueFees', 'dueFees', 'nonDueFees'],
  interest: ['overdueInterest', 'dueInterest', 'nonDueInterest'],
  principal: ['overduePrincipal', 'duePrincipal', 'nonDuePrincipal'],
};

/** Accelerated: the whole balance is due, so only the components are ordered. */
export const DEFAULT_ACCELERATED_WATERFALL: readonly Component[] = ['fees', 'interest', 'principal'];

/** Charged off: principal first. */
export const DEFAULT_CHARGED_OFF_WATERFALL: readonly Component[] = ['principal', 'interest', 'fees'];
