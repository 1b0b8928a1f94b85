import { createMessage, encrypt, generateKey, readKey, readPrivateKey, readSignature, revokeKey, sign } from 'openpgp';
import { test } from 'tap';
import { OutsideFault } from '../../../actors/index.js';
import { faultOfPublicKey, FILE_PGP, newPgpPair } from '../../../gateway/pgp/pgp.js';
import type { PgpPair } from '../../../gateway/pgp/jobs.js';
import { LIMITS } from '../../../gateway/limits.js';
import { Gnupg, NO_GNUPG } from './gnupg.js';
import { receiverPair } from './keys.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');

test('a key is taken only if files can be encrypted with it', async (t) => {
  const { publicKey, privateKey } = await receiverPair();
  t.equal(await faultOfPublicKey(publicKey), null);
  t.equal(await faultOfPublicKey(`\n${publicKey}\n\n`), null);
  t.match(await faultOfPublicKey('key'), /armored/);
  t.match(await faultOfPublicKey(publicKey.slice(0, 300)), /armored/);
  t.match(await faultOfPublicKey(privateKey), /private key/);
  const { publicKey: old } = await receiverPair(60, new Date(Date.now() - 3_600_000));
  t.match(await faultOfPublicKey(old), /expired/);
  const { publicKey: signsAlone } = await generateKey({ type: 'ecc', userIDs: [{ name: 'A' }], subkeys: [], format: 'armored' });
  t.match(await faultOfPublicKey(signsAlone), /encrypts/);
  const { publicKey: revoked, revocationCertificate } = await generateKey({ type: 'ecc', userIDs: [{ name: 'A' }], format: 'object' });
  const { publicKey: withdrawn } = await revokeKey({ key: revoked, revocationCertificate, format: 'armored' });
  t.match(await faultOfPublicKey(withdrawn), /revoked/);
});

test('what is encrypted is read with the other key alone, and a file that was changed not at all', async (t) => {
  const [bank, own, other] = await Promise.all([receiverPair(), newPgpPair(), receiverPair()]);
  const text = 'a file of the bank\r\n'.repeat(1_000);
  const sealed = await FILE_PGP.seal(bytesOf(text), { publicKey: bank.publicKey, signingKey: own.privateKey });
  const keys = { privateKey: bank.privateKey, senderKey: own.publicKey };
  t.equal(textOf(await FILE_PGP.open(Uint8Array.from(sealed), keys, 1e6)), text);
  t.notMatch(textOf(sealed), 'a file of the bank');
  const refused = (file: Uint8Array, with_: typeof keys, message: RegExp, most = 1e6): Promise<unknown> =>
    t.rejects(FILE_PGP.open(Uint8Array.from(file), with_, most), { constructor: OutsideFault, message });
  await refused(sealed, { ...keys, privateKey: other.privateKey }, /^The file could not be decrypted with the key of the processor\.$/);
  await refused(bytesOf(text), keys, /^The file is not encrypted/);
  await refused(
    sealed.map((byte, at) => (at === sealed.length - 40 ? byte ^ 1 : byte)),
    keys,
    /could not be decrypted/,
  );
  await refused(sealed, keys, /more than 100 bytes/, 100);
  await t.rejects(FILE_PGP.seal(new Uint8Array(LIMITS.pgpBytes + 1), { publicKey: bank.publicKey, signingKey: null }), {
    message: /can be/,
  });
  const expired = await receiverPair(60, new Date(Date.now() - 3_600_000));
  await t.rejects(FILE_PGP.seal(bytesOf(text), { publicKey: expired.publicKey, signingKey: null }), {
    constructor: OutsideFault,
    message: /^The file cannot be encrypted: the receiver's key has expired on \d{4}-\d\d-\d\d\.$/,
  });
});

test('a signature that names the sender and is not its own is refused; one of a stranger says nothing', async (t) => {
  const [bank, own, stranger] = await Promise.all([receiverPair(), receiverPair(), receiverPair()]);
  const encryptionKeys = await readKey({ armoredKey: own.publicKey });
  const read = async (signer: PgpPair, signedText: string): Promise<string> => {
    const signingKeys = await readPrivateKey({ armoredKey: signer.privateKey });
    const signature = await sign({ message: await createMessage({ text: signedText }), signingKeys, detached: true, format: 'object' });
    const message = await createMessage({ text: 'pay 100' });
    const file = await encrypt({
      message,
      encryptionKeys,
      signature: await readSignature({ armoredSignature: signature.armor() }),
      format: 'binary',
    });
    return textOf(await FILE_PGP.open(file, { privateKey: own.privateKey, senderKey: bank.publicKey }, 1e6));
  };
  t.equal(await read(bank, 'pay 100'), 'pay 100');
  t.equal(await read(stranger, 'pay 100'), 'pay 100');
  await t.rejects(read(bank, 'pay 1'), { constructor: OutsideFault, message: /^The signature is not that of the sender's key\.$/ });
});

test('a large file does not hold the thread of the service', async (t) => {
  const { publicKey } = await receiverPair();
  const content = new Uint8Array(20_000_000).fill(65);
  let longest = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  const startedAt = performance.now();
  const sealed = await FILE_PGP.seal(content, { publicKey, signingKey: null });
  clearInterval(timer);
  t.ok(sealed.length > 20_000_000);
  t.comment(`20 MB in ${Math.round(performance.now() - startedAt)} ms, at most ${Math.round(longest)} ms without a turn`);
  t.equal(content.length, 0, 'the file was moved to the thread');
});

test('GnuPG reads and signs what we read and sign', { skip: NO_GNUPG }, async (t) => {
  const gnupg = new Gnupg(t);
  const bankKey = gnupg.newKey('bank@example.com');
  const own = await newPgpPair();
  gnupg.import(own.publicKey);
  t.equal(await faultOfPublicKey(bankKey), null);
  t.match(await faultOfPublicKey(gnupg.privateKey('bank@example.com')), /private key/);
  t.match(await faultOfPublicKey(gnupg.newKey('old@example.com', '2020-02-01', '20200101T000000')), /has expired on 2020-02-01/);
  const text = 'line\r\n'.repeat(5_000);
  const both = gnupg.read(await FILE_PGP.seal(bytesOf(text), { publicKey: bankKey, signingKey: own.privateKey }));
  t.equal(both.text, text);
  t.match(both.status, /GOODSIG [0-9A-F]+ Tenor/);
  const signed = gnupg.read(await FILE_PGP.seal(bytesOf(text), { publicKey: null, signingKey: own.privateKey }));
  t.equal(signed.text, text);
  t.match(signed.status, /GOODSIG/);
  const keys = { privateKey: own.privateKey, senderKey: bankKey };
  for (const file of [
    gnupg.encrypt(text, 'Tenor'),
    gnupg.encrypt(text, 'Tenor', { isArmored: true }),
    gnupg.encrypt(text, 'Tenor', { signer: 'bank@example.com' }),
  ])
    t.equal(textOf(await FILE_PGP.open(Uint8Array.from(file), keys, 1e6)), text);
});
