import typia from 'typia';
import type { Access } from '../../auth/credential.js';
import type {
  ExchangeBody,
  NameBody,
  PasswordBody,
  ResetBody,
  ShortLivedBody,
  SignInBody,
  TokenView,
  WhereQuery,
} from '../../auth/sign-in-bodies.js';
import { originOf } from '../../auth/addresses.js';
import { defineRoute, type Route } from '../../routing/route.js';

const TAGS = ['Auth'];
const where = { validate: typia.misc.createValidatePrune<WhereQuery>(), schemas: typia.json.schemas<[WhereQuery], '3.1'>() };
const tokenReply = typia.json.schemas<[TokenView], '3.1'>();
const DONE = { message: 'Done.' };

/** Signing in and out, with passwords, codes and tokens. */
export const signInRoutes = (access: Access): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/auth/token',
    operation: 'signIn',
    summary: 'Sign in',
    tags: TAGS,
    permission: 'public',
    envelope: 'bare',
    description:
      'Returns 401 `secondFactorRequired` with a `challengeId` where the company requires a second factor. Repeat the request with it ' +
      'and the `code` that was sent.',
    query: where,
    body: { validate: typia.misc.createValidatePrune<SignInBody>(), schemas: typia.json.schemas<[SignInBody], '3.1'>() },
    reply: tokenReply,
    handle: async (call) => ({ data: { token: await access.signIn.signIn(call.query, call.body, originOf(call)) } }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/auth/token',
    operation: 'refreshToken',
    summary: 'Exchange the token of a session for a new one',
    tags: TAGS,
    permission: null,
    envelope: 'bare',
    description: 'Ends the token of this request. A session lasts at most one day, counted from signing in.',
    reply: tokenReply,
    handle: async (call) => ({ data: { token: await access.sessions.refresh(call.caller, originOf(call)) } }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/auth/token',
    operation: 'signOut',
    summary: 'End the session',
    tags: TAGS,
    permission: null,
    handle: async (call) => {
      await access.sessions.end(call.caller, originOf(call));
      return { message: 'The session has ended.' };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/auth/token/short-lived',
    operation: 'createShortLivedToken',
    summary: 'Create a token with fewer permissions for 15 minutes',
    tags: TAGS,
    permission: null,
    envelope: 'bare',
    body: { validate: typia.misc.createValidatePrune<ShortLivedBody>(), schemas: typia.json.schemas<[ShortLivedBody], '3.1'>() },
    reply: tokenReply,
    handle: async (call) => ({ data: { token: await access.sessions.shortLived(call.caller, call.body.permissions) } }),
  }),
  defineRoute({
    method: 'POST',
    path: '/auth/exchange-token',
    operation: 'createExchangeToken',
    summary: 'Create a token with which a user signs in once',
    tags: TAGS,
    permission: 'auth.exchangetoken:create',
    body: { validate: typia.misc.createValidatePrune<ExchangeBody>(), schemas: typia.json.schemas<[ExchangeBody], '3.1'>() },
    reply: typia.json.schemas<[{ readonly exchangeToken: string }], '3.1'>(),
    handle: async (call) => ({
      data: { exchangeToken: await access.sessions.exchangeToken(call.caller, call.body.userId, originOf(call)) },
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/auth/password',
    operation: 'changePassword',
    summary: 'Sign in, or set a password',
    tags: TAGS,
    permission: 'optional',
    description:
      'Without a credential it signs in. With the token of a session it changes the own password (send `currentPassword`), or that of ' +
      'another `username` with the permission `user:update.password`. With an `exchangeToken` it sets the password and signs in.',
    query: where,
    body: { validate: typia.misc.createValidatePrune<PasswordBody>(), schemas: typia.json.schemas<[PasswordBody], '3.1'>() },
    handle: async (call) => {
      const token = await access.passwords.change(call.caller.company === '' ? null : call.caller, call.query, call.body, originOf(call));
      return token === null ? DONE : { data: { token } };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/auth/one-time-code',
    operation: 'sendOneTimeCode',
    summary: 'Send a sign-in code',
    tags: TAGS,
    permission: 'public',
    description: 'The reply is the same whether the user exists or not.',
    query: where,
    body: { validate: typia.misc.createValidatePrune<NameBody>(), schemas: typia.json.schemas<[NameBody], '3.1'>() },
    handle: async (call) => {
      await access.signIn.sendCode(call.query, call.body.username, originOf(call));
      return { message: 'If the user exists, a code was sent.' };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/auth/password-reset',
    operation: 'requestPasswordReset',
    summary: 'Send a token for setting a password',
    tags: TAGS,
    permission: 'public',
    description: 'The reply is the same whether the user exists or not.',
    query: where,
    body: { validate: typia.misc.createValidatePrune<NameBody>(), schemas: typia.json.schemas<[NameBody], '3.1'>() },
    handle: async (call) => {
      await access.passwords.requestReset(call.query, call.body.username, originOf(call));
      return { message: 'If the user exists, a token was sent.' };
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/auth/password-reset',
    operation: 'resetPassword',
    summary: 'Set a password with a token',
    tags: TAGS,
    permission: 'public',
    body: { validate: typia.misc.createValidatePrune<ResetBody>(), schemas: typia.json.schemas<[ResetBody], '3.1'>() },
    handle: async (call) => {
      await access.passwords.reset(call.body.token, call.body.password, originOf(call));
      return DONE;
    },
  }),
];
