import { type Desks, NO_DESKS } from '../auth/desks.js';
import { type Lookups, OWN_LOOKUPS } from '../lookups.js';
import { AddressRules } from '../outgoing/address-rules.js';
import type { Route } from '../routing/route.js';
import { employeeRoutes } from './access/employees.js';
import { permissionRoutes } from './access/permissions.js';
import { roleRoutes } from './access/roles.js';
import { signInRoutes } from './access/sign-in.js';
import { userRoutes } from './access/users.js';
import { autopayRoutes } from './autopay.js';
import { allCaseRoutes } from './cases/index.js';
import { chargebackRoutes } from './chargebacks.js';
import { companyRoutes } from './companies.js';
import { consentRoutes } from './people/consents.js';
import { contactRoutes } from './contacts.js';
import { deskRoutes } from './desk/index.js';
import { eventRoutes } from './events.js';
import { feeTypeRoutes } from './fee-types.js';
import { identityRoutes } from './identities.js';
import { indexRateRoutes } from './index-rates.js';
import { keyRoutes } from './keys.js';
import { legalRepresentativeRoutes } from './people/legal-representatives.js';
import { loanTypeRoutes } from './loan-types.js';
import { allLoanRoutes } from './loans/index.js';
import { operationRoutes } from './operations.js';
import { paymentInstrumentRoutes } from './payment-instruments.js';
import { peopleRoutes } from './people.js';
import { statementRoutes } from './statements.js';
import { allSupercaseRoutes } from './supercases/index.js';
import { promoTypeRoutes } from './promo-types.js';
import { testClockRoutes } from './test-clocks.js';
import { transactionRoutes } from './transactions.js';
import { utilityRoutes } from './utilities.js';
import { verificationRoutes } from './people/verifications.js';
import { webhookRoutes } from './webhooks.js';

const routesWith = (lookups: Lookups, addresses: AddressRules, desks: Desks): readonly Route[] => [
  ...autopayRoutes,
  ...allCaseRoutes,
  ...chargebackRoutes,
  ...companyRoutes,
  ...consentRoutes,
  ...contactRoutes,
  ...deskRoutes,
  ...employeeRoutes,
  ...eventRoutes,
  ...feeTypeRoutes,
  ...identityRoutes,
  ...indexRateRoutes,
  ...keyRoutes,
  ...legalRepresentativeRoutes,
  ...loanTypeRoutes,
  ...allLoanRoutes,
  ...operationRoutes,
  ...paymentInstrumentRoutes,
  ...peopleRoutes,
  ...permissionRoutes,
  ...roleRoutes,
  ...signInRoutes(desks),
  ...statementRoutes,
  ...allSupercaseRoutes,
  ...promoTypeRoutes,
  ...testClockRoutes,
  ...transactionRoutes,
  ...userRoutes,
  ...utilityRoutes(lookups),
  ...verificationRoutes,
  ...webhookRoutes(addresses),
];

/** Callers' addresses are those of the public internet alone. */
const PUBLIC_ADDRESSES = new AddressRules([]);

/** The routes of all resources. */
export const resourceRoutes = (lookups: Lookups, addresses = PUBLIC_ADDRESSES, desks: Desks = NO_DESKS): readonly Route[] => routesWith(lookups, addresses, desks);

export const RESOURCE_ROUTES: readonly Route[] = resourceRoutes(OWN_LOOKUPS);
