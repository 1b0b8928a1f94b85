import { isKeyText } from './api-keys.js';
import type { Authenticator } from './credential.js';

/** API keys and tokens are told apart by how they look, wherever they stand in the request. */
export const keysAndSessions = (keys: Authenticator, sessions: Authenticator): Authenticator => ({
  authenticate: (credential) => (isKeyText(credential.text) || !credential.text.includes('.') ? keys : sessions).authenticate(credential),
});
