/** The part of a balance that money can meet: all kinds of fees together, interest, principal. */
export type Component = 'fees' | 'interest' | 'principal';

/** Where a part of the outstanding balance stands in time. */
export type Standing = 'nonDue' | 'due' | 'overdue';

/** One step of a waterfall: a component in a standing. */
export type Bucket = `${Standing}${Capitalize<Component>}`;

export interface BucketParts {
  readonly standing: Standing;
  readonly component: Component;
}

/** What each bucket's name means, in the default order of payment. */
export const BUCKETS: Readonly<Record<Bucket, BucketParts>> = {
  overdueFees: { standing: 'overdue', component: 'fees' },
  overdueInterest: { standing: 'overdue', component: 'interest' },
  overduePrincipal: { standing: 'overdue', component: 'principal' },
  dueFees: { standing: 'due', component: 'fees' },
  dueInterest: { standing: 'due', component: 'interest' },
  duePrincipal: { standing: 'due', component: 'principal' },
  nonDueFees: { standing: 'nonDue', component: 'fees' },
  nonDueInterest: { standing: 'nonDue', component: 'interest' },
  nonDuePrincipal: { standing: 'nonDue', component: 'principal' },
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
