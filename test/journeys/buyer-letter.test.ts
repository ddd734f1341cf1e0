import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { wrongCedula } from '../support/nobody-named.ts';
import { engines, openProduct, written } from '../support/product.ts';

interface Received {
  to: string[];
  text: string;
}

/** A mail server on loopback that keeps the letters, their text decoded. */
async function openPostOffice() {
  const letters: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        letters.push({ to, text: decoded(Buffer.concat(chunks).toString('latin1')) });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { letters, url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}` };
}

/** The body of a quoted-printable letter. */
function decoded(raw: string): string {
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4).replace(/=\r\n/g, '');
  const bytes = body.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

it.each(engines)(
  'on %s the buyer of a held order gets one letter, answers through its link, and the factura leaves in that name',
  async (engine) => {
    const { letters, url } = await openPostOffice();
    const product = await openProduct({
      engine,
      orders: [wrongCedula(new Date(), '1202')],
      config: { mail: { url, from: 'Mi Tienda <facturas@mitienda.ec>' } },
    });
    onTestFinished(() => product.close());
    await product.start();
    await product.deliver('1202', 3);
    const letter = await eventually(() => letters[0], 'the letter');
    const buyer = product.shop.order('1202') as unknown as { billing: { email: string } };
    expect(letter.to).toEqual([buyer.billing.email]);
    const link = /https?:\S+\/identificacion\/\S+/.exec(letter.text)?.[0] ?? '';
    // Letter and order are told side by side.
    const onOrder = await eventually(
      () => written(product, '1202').enlace_comprador,
      'the link on the order',
    );
    expect(onOrder).toBe(link);

    const body = new URLSearchParams({
      tipo: 'cedula',
      identificacion: '1710034065',
      nombre: 'Ana Torres',
      correo: '',
    });
    const answer = await fetch(link, { method: 'POST', body, headers: { connection: 'close' } });
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringMatching(/Gracias|en trámite|ya fue emitida/),
    ]);
    await eventually(() => written(product, '1202').pdf, `the factura on the order\n${product.log()}`);
    expect(written(product, '1202').enlace_comprador).toBe('');
    const [stored] = product.sandbox.documents();
    expect(JSON.stringify(stored)).toContain('Ana Torres');
    expect(letters).toHaveLength(1);
    expect(product.log()).not.toMatch(/1710034065|Ana Torres/);
    expect(product.log()).not.toContain(buyer.billing.email);
  },
);
