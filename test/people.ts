/** The name of a borrower of whom a test needs no more: a person is created with one (people 9). */
export const NAME = { firstName: 'Ida', lastName: 'Marlow' };
