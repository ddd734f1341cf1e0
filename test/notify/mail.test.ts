import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { openMail } from '../../src/notify/mail.ts';

const password = 'clave del buzón/1';

/** A mail server on loopback that asks for a password and keeps the letters. */
async function openServer({ refuse = false } = {}) {
  const letters: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) =>
      auth.password === password
        ? done(null, { user: auth.username ?? '' })
        : done(new Error('Wrong password')),
    onRcptTo: (address, _session, done) =>
      done(refuse ? Object.assign(new Error(`No mailbox ${address.address}`), { responseCode: 550 }) : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        letters.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  const mail = (pass = password) => {
    const mailer = openMail({
      url: `smtp://tienda:${encodeURIComponent(pass)}@127.0.0.1:${port}`,
      from: 'Mi Tienda <facturas@mitienda.ec>',
    });
    onTestFinished(() => mailer.close());
    return mailer;
  };
  return { letters, mail };
}

test('a letter reaches everyone it is for', async () => {
  const { letters, mail } = await openServer();
  const to = ['ana@mitienda.ec', 'luis@mitienda.ec'];
  await mail().send({
    to,
    subject: 'Atención',
    text: 'La cuenta principal no tiene créditos.',
  });
  expect(letters[0]?.to).toEqual(to);
  expect(letters[0]?.text).toContain('Atenci');
  expect(letters[0]?.text).toContain('facturas@mitienda.ec');
});

test('a wrong password and a mailbox that is not there are told without password or address', async () => {
  const letter = { to: ['ana@b.ec'], subject: 's', text: 't' };
  const failing = [(await openServer()).mail('otra clave'), (await openServer({ refuse: true })).mail()];
  for (const mailer of failing) {
    const error = await mailer.send(letter).catch((one: unknown) => one);
    expect(error).toMatchObject({ code: 'mail-failed', retryable: true });
    expect(inspect(error, { depth: 9 })).not.toMatch(/otra clave|clave del|ana@b/);
  }
});
