import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { openMail } from '../../../src/observability/notify/mail.ts';

const password = 'clave del buzón/1';

/** A mail server on loopback that asks for a password and keeps the letters. */
async function openServer({ refuse = false, host = '127.0.0.1' } = {}) {
  const passwords: string[] = [];
  const letters: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: false,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (auth, _session, done) => {
      passwords.push(auth.password ?? '');
      if (auth.password === password) done(null, { user: auth.username ?? '' });
      else done(new Error('Wrong password'));
    },
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
  server.listen(0, host);
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  const mail = (pass = password) => {
    const mailer = openMail({
      url: `smtp://${pass === '' ? '' : `tienda:${encodeURIComponent(pass)}@`}${host}:${port}`,
      from: 'Mi Tienda <facturas@mitienda.ec>',
    });
    onTestFinished(() => mailer.close());
    return mailer;
  };
  return { letters, passwords, mail };
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

test.each([
  ['with a password', password],
  ['without one', ''],
])(
  'a letter leaves this machine by TLS alone, %s: a server that offers none gets nothing',
  async (_how, pass) => {
    // Another machine, as far as anybody knows: only what is written as 127.0.0.1, localhost or [::1] is this one.
    const { letters, passwords, mail } = await openServer({ host: '127.0.0.2' });
    const error = await mail(pass)
      .send({ to: ['ana@b.ec'], subject: 's', text: 't' })
      .catch((one: unknown) => one);
    expect(error).toMatchObject({ code: 'mail-failed', merchant: expect.stringContaining('smtps://') });
    expect([letters, passwords]).toEqual([[], []]);
  },
);
