import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, onTestFinished, test } from 'vitest';
import { openMail } from '../../src/observability/notify/mail.ts';

interface Letter {
  to: string[];
  head: string;
  body: string;
}

async function openServer() {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const [head = '', ...body] = text.split('\r\n\r\n');
        letters.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          head,
          body: body.join('\r\n\r\n'),
        });
        done();
      });
    },
  });
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const mailer = openMail({
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    from: 'Mi Tienda <facturas@mitienda.ec>',
  });
  onTestFinished(() => mailer.close());
  return { letters, mailer };
}

test('a name in the subject adds no header and no recipient', async () => {
  const { letters, mailer } = await openServer();
  await mailer.send({
    to: ['ana@example.ec'],
    subject: 'Falta un dato de #1\r\nBcc: ladron@example.org\r\n\r\n<script>',
    text: 'Hola',
  });
  const [letter] = letters;
  expect(letter?.to).toEqual(['ana@example.ec']);
  expect(letter?.head).not.toMatch(/^bcc:/im);
  expect(letter?.body).toBe('Hola\r\n');
});

test('an address of a buyer with line breaks or a second address reaches nobody else', async () => {
  const { letters, mailer } = await openServer();
  const to = ['ana@example.ec\r\nRCPT TO:<ladron@example.org>', 'ana@example.ec,ladron@example.org'];
  for (const one of to) await mailer.send({ to: [one], subject: 'x', text: 'x' }).catch(() => {});
  expect(letters.flatMap((letter) => letter.to)).not.toContain('ladron@example.org');
});

test('letters are plain text: no name in them is ever markup', async () => {
  const { letters, mailer } = await openServer();
  await mailer.send({ to: ['ana@example.ec'], subject: 'x', text: '<img src=x onerror=alert(1)>' });
  expect(letters[0]?.head).toMatch(/^content-type: text\/plain/im);
  expect(letters[0]?.head).not.toMatch(/html|multipart/i);
});
