import { must } from '../../../engine/index.js';
import type { PersonState } from '../state.js';
import { personWithoutUser, type ViewEnv } from '../views.js';
import type { EvolveEnv } from '../../kernel/actor.js';
import type { PortalUserView } from './requests.js';
import { shownUser } from './shown-user.js';
import type { PortalUserState } from './state.js';

export const portalUserView = (state: PortalUserState, env: EvolveEnv & ViewEnv): PortalUserView => ({
  ...shownUser(state, env),
  person: personWithoutUser(must(env.read<PersonState>('person', state.personId), 'a user lies beside its borrower'), env),
});
