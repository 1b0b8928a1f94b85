/** The name of a borrower in a test that needs nothing else: a person cannot be created without a name. */
export const NAME = { firstName: 'Ida', lastName: 'Marlow' };
