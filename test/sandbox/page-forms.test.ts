import { describe, expect, test } from 'vitest';
import { faultForms } from '../../sandbox/emulator/control/page/fault-forms.ts';
import { faultSchema } from '../../sandbox/emulator/faults/schema.ts';
import { eventually } from '../support/eventually.ts';
import { submit, visit } from './page-support.ts';
import { company, create, delivering, factura, listen, mail, ruc, start } from './support.ts';

describe('the forms of the page work without its script', () => {
  test.each<[string, Record<string, string>, string]>([
    ['an hour on', { paso: '3600000' }, '2026-11-20T16:00:00.000Z'],
    ['to midnight in Guayaquil', { medianoche: 'si' }, '2026-11-21T05:00:00.000Z'],
    ['to a given hour of Ecuador', { hora: '2027-01-01T08:30' }, '2027-01-01T13:30:00.000Z'],
  ])('the clock goes %s', async (_what, fields, now) => {
    const { sandbox } = await start();
    expect((await submit(sandbox.url, '/pagina/reloj', 'reloj', fields)).status).toBe(303);
    expect(sandbox.clock.now().toISOString()).toBe(now);
  });

  test('webhook.prueba is sent to the accounts that have a webhook, and refused in words without one', async () => {
    const hook = await listen();
    const { sandbox } = await start(delivering(hook.url));
    expect((await submit(sandbox.url, '/pagina/entregas', 'prueba')).status).toBe(303);
    await eventually(() => hook.received[0]?.body.evento === 'webhook.prueba', 'the test delivery');
    const without = await start();
    const sent = await submit(without.sandbox.url, '/pagina/entregas', 'prueba');
    expect([sent.status, sent.text.includes('Ninguna cuenta tiene un webhook activo.')]).toEqual([400, true]);
  });

  test('the headers of a delivery on the page are the ones that were sent, also with a false signature', async () => {
    const hook = await listen();
    const { sandbox, emit } = await start(delivering(hook.url));
    sandbox.faults.add({ badSignatureV1: true });
    await emit(factura());
    const text = await eventually(async () => {
      const seen = await visit(sandbox.url, '/pagina/entregas');
      return seen.text.includes('1 intento') && seen.text;
    }, 'it on the page');
    for (const name of ['Delivery', 'Signature', 'Timestamp', 'Signature-V2'].map(
      (one) => `X-Service-${one}`,
    ))
      expect(text).toContain(
        `<dt>${name}</dt><dd><code class="key">${hook.received[0]?.headers[name.toLowerCase()]}</code></dd>`,
      );
  });

  test.each<[string, Record<string, string>, number, string]>([
    ['of 50 USD buys documents', { cartera: 'facturacion', usd: '50' }, 303, '1842'],
    ['of no account is refused', { cuenta: '9', cartera: 'general', usd: '50' }, 400, 'Esa cuenta no existe'],
  ])('a recharge %s', async (_what, fields, status, shown) => {
    const { sandbox } = await start();
    const sent = await submit(sandbox.url, '/pagina/cuentas', 'recargas', fields);
    const { text } = sent.location ? await visit(sandbox.url, sent.location) : sent;
    expect([sent.status, text.includes(shown)]).toEqual([status, true]);
  });

  test('a document that ended with an error is sent to the authority again, any other is not', async () => {
    const { sandbox, emit, settled } = await start();
    const outcome = { identificacion: '2459999997', resultado: 'error', codigo: 39, times: 1 } as const;
    sandbox.faults.add({ outcome });
    const { claveacceso } = (await emit(factura())).body;
    await settled(claveacceso);
    const page = `/pagina/comprobantes/${claveacceso}`;
    const sent = await submit(sandbox.url, page, `comprobantes/${claveacceso}/reprocesar`);
    expect([sent.status, sent.location]).toEqual([303, `${page}?aviso=reproceso`]);
    expect((await settled(claveacceso)).autorizado).toBe(true);
    expect((await visit(sandbox.url, page)).text).not.toContain('reprocesar');
  });

  test('a registered company stands with its account, without what it sends mail with', async () => {
    const client = await start();
    await create(client, company({ razon_social: 'Comercial <Andina>', ...mail }));
    const { text } = await visit(client.sandbox.url, '/pagina/cuentas');
    expect(text).toContain(
      `Comercial &lt;Andina&gt;</span><span class="under"><code>${ruc}</code> · sin firma`,
    );
    expect([text, JSON.stringify(client.sandbox.requests())].join()).not.toContain(mail.smtp_password);
  });

  test('every kind of fault has a form, which adds it as it stands', async () => {
    expect(faultForms.map(({ kind }) => kind).sort()).toEqual(Object.keys(faultSchema.shape).sort());
    const { sandbox } = await start();
    for (const { kind, fields } of faultForms) {
      const preset = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
      const sent = await submit(sandbox.url, '/pagina/fallas', 'fallas', { falla: kind, ...preset });
      expect([sent.status, sandbox.faults.list().map((one) => one.kind)]).toEqual([303, [kind]]);
      sandbox.faults.clear();
    }
  });

  test('everything is forgotten only when the box is ticked', async () => {
    const { sandbox, emit } = await start();
    await emit(factura());
    expect((await submit(sandbox.url, '/pagina/auditoria', 'reiniciar')).status).toBe(400);
    expect(sandbox.documents()).toHaveLength(1);
    expect((await submit(sandbox.url, '/pagina/auditoria', 'reiniciar', { confirmo: 'si' })).status).toBe(
      303,
    );
    expect(sandbox.documents()).toEqual([]);
  });
});

describe('nobody but the page itself sends its forms', () => {
  test.each<[string, Record<string, string>, Record<string, string>]>([
    ['without the token of the page', { ficha: '' }, {}],
    ['with a token of another sandbox', { ficha: '0'.repeat(32) }, {}],
    ['from another site', {}, { origin: 'https://malo.example', 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', {}, { origin: 'http://127.0.0.1:1' }],
  ])('%s: refused, and nothing changes', async (_what, fields, headers) => {
    const { sandbox, emit } = await start();
    await emit(factura());
    const refused = async (page: string, action: string, more: Record<string, string>) =>
      (await submit(sandbox.url, page, action, { ...more, ...fields }, headers)).status;
    expect(await refused('/pagina/auditoria', 'reiniciar', { confirmo: 'si' })).toBe(403);
    expect(await refused('/pagina/fallas', 'fallas', { falla: 'dropAnswer' })).toBe(403);
    expect([sandbox.faults.list(), sandbox.documents().length]).toEqual([[], 1]);
  });

  test.each(['//malo.example', 'https://malo.example/', '/\\malo.example', '/pagina/../../x'])(
    'a form asking to come back to %s comes back to the list',
    async (volver) => {
      const { sandbox } = await start();
      const { location } = await submit(sandbox.url, '/', 'ejemplo', { volver });
      expect(location).toBe('/?aviso=ejemplo');
    },
  );

  test('an address cannot make the page say anything of its own', async () => {
    const { sandbox } = await start();
    for (const code of ['Pague+aqu%C3%AD', 'constructor', '__proto__']) {
      expect((await visit(sandbox.url, `/?aviso=${code}`)).text).toContain(
        '<div id="aviso" role="status"></div>',
      );
    }
  });
});
