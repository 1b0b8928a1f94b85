import type { Blobs } from '../../actors/index.js';
import { type CodeSender, NO_SENDER } from '../auth/codes.js';
import { type Desks, NO_DESKS } from '../auth/desks.js';
import { ContentStore } from '../documents/content-store.js';
import { type Lookups, OWN_LOOKUPS } from '../lookups.js';
import { AddressRules } from '../outgoing/address-rules.js';
import { Renderer } from '../rendering/renderer.js';
import type { Route } from '../routing/route.js';
import { bootstrapRoutes } from './access/bootstrap.js';
import { employeeRoutes } from './access/employees.js';
import { permissionRoutes } from './access/permissions.js';
import { roleRoutes } from './access/roles.js';
import { signInRoutes } from './access/sign-in.js';
import { userRoutes } from './access/users.js';
import { autopayRoutes } from './autopay.js';
import { allCaseRoutes } from './cases/index.js';
import { chargebackRoutes } from './chargebacks.js';
import { communicatorRoutes } from './communicator/index.js';
import { companyRoutes } from './companies.js';
import { complianceRoutes } from './compliance.js';
import { consentRoutes } from './people/consents.js';
import { contactRoutes } from './contacts.js';
import { deskRoutes } from './desk/index.js';
import { documentRoutes } from './people/documents.js';
import { eventRoutes } from './events.js';
import { feeTypeRoutes } from './fee-types.js';
import { identityRoutes } from './identities.js';
import { indexRateRoutes } from './index-rates.js';
import { allInteractionRoutes } from './interactions/index.js';
import { keyRoutes } from './keys.js';
import { legalRepresentativeRoutes } from './people/legal-representatives.js';
import { loanTypeRoutes } from './loan-types.js';
import { allLoanRoutes } from './loans/index.js';
import { payoffLetterRoutes } from './loans/payoff-letter.js';
import { monitoringRoutes } from './people/monitoring.js';
import { operationRoutes } from './operations.js';
import { paymentInstrumentRoutes } from './payment-instruments.js';
import { peopleRoutes } from './people.js';
import { statementRoutes } from './statements.js';
import { allSupercaseRoutes } from './supercases/index.js';
import { renderingRoutes } from './rendering.js';
import { templateRoutes } from './templates.js';
import { promoTypeRoutes } from './promo-types.js';
import { testClockRoutes } from './test-clocks.js';
import { transactionRoutes } from './transactions.js';
import { utilityRoutes } from './utilities.js';
import { verificationRoutes } from './people/verifications.js';
import { webhookRoutes } from './webhooks.js';

const routesWith = (
  lookups: Lookups,
  addresses: AddressRules,
  { desks, blobs, codes, callbackSecret = null, renderer = RENDERER }: Outside,
  contents = new ContentStore(blobs),
): readonly Route[] => [
  ...autopayRoutes,
  ...allCaseRoutes,
  ...chargebackRoutes,
  ...communicatorRoutes(lookups.names, callbackSecret),
  ...companyRoutes,
  ...complianceRoutes,
  ...consentRoutes,
  ...contactRoutes(codes),
  ...deskRoutes,
  ...documentRoutes(contents, renderer),
  ...payoffLetterRoutes(contents, renderer),
  ...employeeRoutes,
  ...eventRoutes,
  ...feeTypeRoutes,
  ...identityRoutes,
  ...indexRateRoutes,
  ...allInteractionRoutes,
  ...keyRoutes,
  ...legalRepresentativeRoutes,
  ...loanTypeRoutes,
  ...allLoanRoutes,
  ...monitoringRoutes,
  ...operationRoutes,
  ...paymentInstrumentRoutes,
  ...peopleRoutes,
  ...permissionRoutes,
  ...roleRoutes,
  ...bootstrapRoutes(desks),
  ...signInRoutes(desks),
  ...statementRoutes,
  ...allSupercaseRoutes,
  ...promoTypeRoutes,
  ...renderingRoutes(renderer),
  ...templateRoutes,
  ...testClockRoutes,
  ...transactionRoutes,
  ...userRoutes,
  ...utilityRoutes(lookups),
  ...verificationRoutes,
  ...webhookRoutes(addresses),
];

/** Callers' addresses are those of the public internet alone. */
const PUBLIC_ADDRESSES = new AddressRules([]);

/** Parts that bring what routes need of the world outside. */
interface Outside {
  readonly desks: Desks;
  /** Contents of documents. */
  readonly blobs: Blobs;
  readonly codes: CodeSender;
  /** Default: the one of the process. */
  readonly renderer?: Renderer;
  /** By which delivery adapters sign what they tell; without one nobody is believed. */
  readonly callbackSecret?: string | null;
}

/** Its threads are shared by all that the process renders. */
const RENDERER = new Renderer();

async function nowhere(): Promise<never> {
  throw new Error('there is no store of documents');
}

const NOTHING_OUTSIDE: Outside = { desks: NO_DESKS, blobs: { put: nowhere, get: nowhere, delete: nowhere }, codes: NO_SENDER };

/** The routes of all resources. */
export const resourceRoutes = (lookups: Lookups, addresses = PUBLIC_ADDRESSES, outside: Outside = NOTHING_OUTSIDE): readonly Route[] =>
  routesWith(lookups, addresses, outside);

export const RESOURCE_ROUTES: readonly Route[] = resourceRoutes(OWN_LOOKUPS);
