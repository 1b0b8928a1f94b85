import type { CodeSender } from '../../auth/accounts.js';
import type { Access } from '../../auth/credential.js';
import type { ContentStore } from '../../documents/content-store.js';
import type { Renderer } from '../../rendering/renderer.js';
import type { Route } from '../../routing/route.js';
import { bootstrapRoutes } from './bootstrap.js';
import { companyRoutes } from './companies.js';
import { consentRoutes } from './consents.js';
import { contactRoutes } from './contacts.js';
import { documentRoutes } from './documents.js';
import { erasureRoutes } from './erasure.js';
import { employeeRoutes } from './employees.js';
import { identityRoutes } from './identities.js';
import { keyRoutes } from './keys.js';
import { legalRepresentativeRoutes } from './legal-representatives.js';
import { monitoringRoutes } from './monitoring.js';
import { peopleRoutes } from './people.js';
import { permissionRoutes } from './permissions.js';
import { roleRoutes } from './roles.js';
import { signInRoutes } from './sign-in.js';
import { userRoutes } from './users.js';
import { verificationRoutes } from './verifications.js';

/** The outside parts that routes of people use. */
interface PeopleOutside {
  readonly access: Access;
  readonly codes: CodeSender;
  readonly contents: ContentStore;
  readonly renderer: Renderer;
}

/** Companies, their users and how they sign in, and borrowers with their data. */
export const allPeopleRoutes = ({ access, codes, contents, renderer }: PeopleOutside): readonly Route[] => [
  ...bootstrapRoutes(access),
  ...signInRoutes(access),
  ...keyRoutes,
  ...userRoutes,
  ...roleRoutes,
  ...permissionRoutes,
  ...employeeRoutes,
  ...companyRoutes,
  ...peopleRoutes,
  ...identityRoutes,
  ...contactRoutes(codes),
  ...consentRoutes,
  ...documentRoutes(contents, renderer),
  ...erasureRoutes(contents),
  ...legalRepresentativeRoutes,
  ...verificationRoutes,
  ...monitoringRoutes,
];
