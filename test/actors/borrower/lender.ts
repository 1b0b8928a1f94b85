import { withRules } from '../../../actors/index.js';
import { personModule } from '../../../actors/borrower/index.js';
import { companyModule } from '../../../actors/company/index.js';
import { loanModule } from '../../../actors/loan/index.js';
import { type Data, Harness } from '../harness.js';

/** A company with the actors of borrowers and loans, ready for people. */
export async function openTestLender(): Promise<Harness> {
  const harness = await Harness.open(() => withRules([companyModule, personModule(), loanModule()]));
  await harness.makeCompany();
  return harness;
}

export const ANN = {
  externalId: 'ann-1',
  name: { firstName: 'Annabel', lastName: 'Quimby', middleName: 'Rose' },
  dateOfBirth: '1984-05-17',
  identity: { identityType: 'SSN', value: '900-11-2233' },
};

export const makeAnn = (h: Harness, more: object = {}): Promise<Data> => h.data('person.create', null, { ...ANN, ...more });

export const HOME = {
  contactType: 'address',
  label: 'home',
  status: 'primary',
  address: { addressLine1: '12 Larkspur Lane', city: 'Albany', state: 'NY', postalCode: '12207' },
};

export const EMAIL = { contactType: 'email', label: 'personal', status: 'primary', value: 'Annabel.Quimby@Example.com' };
export const PHONE = { contactType: 'phone', label: 'personal', status: 'primary', value: '+1 (202) 555-0143' };

export const ACCOUNT = {
  instrumentType: 'bankAccount',
  accountNumber: '7700112233',
  routingNumber: '021000021',
  accountType: 'checking',
  accountHolderType: 'personal',
  accountHolderName: 'Annabel Quimby',
};

/** All event types of the test mode, oldest first. */
export const eventTypes = (h: Harness): string[] =>
  h.engine.events.after({ company: h.company, mode: 'test' }, {}, 1000).map((event) => event.eventType);
