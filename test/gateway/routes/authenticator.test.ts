import { Secret, TOTP } from 'otpauth';
import { test } from 'tap';
import { openWithAda, PASSWORD } from './signed-in.js';

interface Asked {
  readonly challengeId: string;
  readonly enrolment?: { readonly secret: string; readonly url: string };
}

const STEP_MS = 30_000;
const SECOND_FACTOR = { config: { auth: { requireSecondFactor: true, secondFactor: 'authenticator' } } };
const codeOf = (secret: string, timestamp: number): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });

test('a company may require authenticator codes, and the first code sets the authenticator up', async (t) => {
  const { h, ask, sent, company, signIn } = await openWithAda(t, ['person:list']);
  t.match(await ask('PUT', `/companies/${company}`, SECOND_FACTOR), {
    status: 200,
    json: { data: { config: { auth: { secondFactor: 'authenticator' } } } },
  });
  const first = await signIn('ada', PASSWORD);
  t.match(first, {
    status: 401,
    json: {
      errorType: 'secondFactorRequired',
      factor: 'authenticator',
      challengeId: String,
      enrolment: { secret: /^[A-Z2-7]{32}$/, url: /^otpauth:\/\/totp\/.*ada.*secret=/ },
    },
  });
  t.notMatch(await signIn('ada', 'not the password'), { json: { enrolment: {} } }, 'a wrong password gets no secret');
  const again = (await signIn('ada', PASSWORD)).json as unknown as Asked;
  const secret = again.enrolment?.secret ?? '';
  t.not(secret, (first.json as unknown as Asked).enrolment?.secret, 'until it has shown a code another one may take its place');
  const code = codeOf(secret, h.nowMs);
  t.match(
    await signIn('ada', PASSWORD, { challengeId: (first.json as unknown as Asked).challengeId, code }),
    { status: 401 },
    'the question before it is no longer open',
  );
  const signedIn = await signIn('ada', PASSWORD, { challengeId: again.challengeId, code });
  t.match(signedIn, { status: 200 });
  t.match(await ask('GET', '/people', undefined, { key: String(signedIn.json['token']) }), { status: 200 });
  t.equal(sent.length, 0, 'nothing is sent');

  const next = (await signIn('ada', PASSWORD)).json as unknown as Asked;
  t.equal(next.enrolment, undefined, 'one that was confirmed stays');
  t.match(await signIn('ada', PASSWORD, { challengeId: next.challengeId, code }), { status: 401 }, 'a code is good once');
  h.nowMs += STEP_MS;
  t.match(
    await signIn('ada', PASSWORD, { challengeId: next.challengeId, code: codeOf(secret, h.nowMs - 3 * STEP_MS) }),
    { status: 401 },
    'nor is one of long ago',
  );
  t.match(await signIn('ada', PASSWORD, { challengeId: next.challengeId, code: codeOf(secret, h.nowMs) }), { status: 200 });
  t.match(
    await signIn('ada', PASSWORD, { challengeId: next.challengeId, code: codeOf(secret, h.nowMs + STEP_MS) }),
    { status: 401 },
    'a question is answered once',
  );
});

test('wrong codes of an authenticator lock the login', async (t) => {
  const { h, ask, company, signIn } = await openWithAda(t, []);
  await ask('PUT', `/companies/${company}`, SECOND_FACTOR);
  const { challengeId, enrolment } = (await signIn('ada', PASSWORD)).json as unknown as Asked;
  const right = codeOf(enrolment?.secret ?? '', h.nowMs);
  const wrong = right === '000000' ? '000001' : '000000';
  for (let count = 0; count < 5; count += 1) t.match(await signIn('ada', PASSWORD, { challengeId, code: wrong }), { status: 401 });
  t.match(await signIn('ada', PASSWORD, { challengeId, code: right }), { status: 423, json: { errorType: 'accountLocked' } });
});

test('a user who lost the authenticator sets up another one with a password that a colleague has set', async (t) => {
  const { h, ask, company, signIn } = await openWithAda(t, []);
  await ask('PUT', `/companies/${company}`, SECOND_FACTOR);
  const { challengeId, enrolment } = (await signIn('ada', PASSWORD)).json as unknown as Asked;
  await signIn('ada', PASSWORD, { challengeId, code: codeOf(enrolment?.secret ?? '', h.nowMs) });
  t.notOk(((await signIn('ada', PASSWORD)).json as unknown as Asked).enrolment);
  const NEXT = 'another horse battery';
  t.match(await ask('POST', '/auth/password', { username: 'ada', password: NEXT }), { status: 200 });
  t.ok(((await signIn('ada', NEXT)).json as unknown as Asked).enrolment);
});
