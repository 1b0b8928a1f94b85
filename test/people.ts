/** The name of a borrower of whom a test needs no more: a person is created with one. */
export const NAME = { firstName: 'Ida', lastName: 'Marlow' };
