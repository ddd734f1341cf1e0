import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { apiKey, listen, start } from './support.ts';

const open = async (body: object = {}) => {
  const client = await start({ accounts: [{ apiKey, beta: true }], allowLoopbackWebhooks: true });
  const created = await client.send('POST', '/api/id/verificaciones', { tipo: 'completa', ...body });
  const { id, url_verificacion: url } = created.body as { id: string; url_verificacion: string };
  const state = async () => (await client.get(`/api/id/verificaciones/${id}`)).body.estado;
  return { ...client, id, url, state };
};
/** As a browser does: the form's action is resolved against the page it stands on. */
const press = async (url: string, button: string) => {
  const text = await (await fetch(url)).text();
  const action = [...text.matchAll(/action="([^"]+)"/g)]
    .map(([, to]) => to)
    .find((to) => to?.endsWith(button));
  return fetch(new URL(action ?? 'no-such-form', url), { method: 'POST' });
};

test.each([
  ['aprobar', 'aprobada'],
  ['rechazar', 'rechazada'],
])('url_verificacion is a page without a key on which the end user can %s', async (button, estado) => {
  const hook = await listen();
  const { url, state } = await open({ webhook_url: hook.url });
  const after = await press(url, button);
  expect([after.status, after.url]).toEqual([200, url]);
  expect(await after.text()).toContain(`La verificación fue ${estado}.`);
  expect(await state()).toBe(estado);
  await eventually(() => hook.received.length === 1, 'verificacion.finalizada');
  expect(hook.received[0]?.body).toMatchObject({ evento: 'verificacion.finalizada', estado });
});

test('what has ended offers no button, and one pressed late changes nothing: 409', async () => {
  const { url, state } = await open();
  await press(url, 'rechazar');
  expect(await (await fetch(url)).text()).not.toContain('<form');
  expect((await fetch(`${url}/aprobar`, { method: 'POST' })).status).toBe(409);
  expect(await state()).toBe('rechazada');
});

test('when its time is up the page says so', async () => {
  const { url, sandbox, state } = await open({ tiempo_expiracion_minutos: 5 });
  sandbox.clock.step(5 * 60_000);
  expect((await fetch(`${url}/aprobar`, { method: 'POST' })).status).toBe(409);
  expect(await (await fetch(url)).text()).toContain('El plazo de la verificación terminó.');
  expect(await state()).toBe('expirada');
});

test('an unknown verification is 404; the page takes neither scripts nor frames', async () => {
  const { url, id } = await open();
  const unknown = await fetch(url.replace(id, '<script>'));
  expect([unknown.status, (await unknown.text()).includes('<script>')]).toEqual([404, false]);
  const policy = (await fetch(url)).headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
});
