import type { Blobs } from '../../actors/index.js';
import { type CodeSender, NO_SENDER } from '../auth/accounts.js';
import { type Desks, NO_DESKS } from '../auth/credential.js';
import { ContentStore } from '../documents/content-store.js';
import { type Lookups, OWN_LOOKUPS } from '../deliveries.js';
import { AddressRules } from '../outgoing.js';
import { Renderer } from '../rendering/renderer.js';
import type { Route } from '../routing/route.js';
import { allCaseRoutes } from './cases/index.js';
import type { CallbackSecrets } from './communications/callbacks.js';
import { communicationRoutes } from './communications/index.js';
import { loanTermsRoutes } from './loan-terms/index.js';
import { allLoanRoutes } from './loans/index.js';
import { moneyRoutes } from './money/index.js';
import { paymentInstrumentRoutes } from './parties/payment-instruments.js';
import { allPeopleRoutes } from './people/index.js';
import { platformRoutes } from './platform/index.js';

/** A folder a chapter of the contract. */
const routesWith = (
  lookups: Lookups,
  addresses: AddressRules,
  { desks, blobs, codes, callbackSecrets = NO_SECRETS, renderer = RENDERER }: Outside,
  contents = new ContentStore(blobs),
): readonly Route[] => [
  ...allPeopleRoutes({ desks, codes, contents, renderer }),
  ...allLoanRoutes,
  ...loanTermsRoutes,
  ...moneyRoutes({ lookups, contents, renderer }),
  ...paymentInstrumentRoutes,
  ...allCaseRoutes,
  ...communicationRoutes({ names: lookups.names, renderer, callbackSecrets }),
  ...platformRoutes(addresses),
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
  /** By which delivery adapters are believed; default: none is. */
  readonly callbackSecrets?: CallbackSecrets;
}

const NO_SECRETS: CallbackSecrets = { callback: null, textAccountKey: null };

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
