import { describe, expect, test } from 'vitest';
import {
  allowed,
  apiKey,
  assumptionRows,
  conform,
  differences,
  secondKey,
  startSandbox,
  surprises,
  verdictOf,
} from './support.ts';

describe.each(['fijo', 'aleatorio'] as const)('the sandbox with codigoNumerico %s', (codigoNumerico) => {
  test('differs nowhere from the specification nor from any of our assumptions, in fewer than 300 requests', async () => {
    const sandbox = await startSandbox({ codigoNumerico });
    const report = await conform(sandbox.url, allowed);
    expect(differences(report)).toEqual([]);
    expect(surprises(report)).toEqual([]);
    expect(report.notes).toEqual([]);
    expect(report.checked.filter(({ finding }) => finding.verdict === 'agrees').length).toBeGreaterThan(220);
    expect(report.requests).toBeLessThan(300);
    expect(sandbox.documents().every(({ ambiente }) => ambiente === 1)).toBe(true);
    // No key and no secret stands anywhere in a report. A secret is 40 characters of hex; only access keys, all
    // digits, are longer.
    const text = JSON.stringify(report);
    for (const secret of [apiKey, secondKey]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/\b(?=[0-9]*[a-f])[0-9a-f]{40}\b/);
    const ids = report.checked.map(({ id }) => id);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    const looked = new Set(report.checked.map(({ inferred }) => String(inferred)));
    expect((await assumptionRows()).filter((row) => !looked.has(row))).toEqual([]);
  });
});

test('without permission nothing of the account changes: no webhook, company, verification or other series', async () => {
  const webhook = { url: 'http://127.0.0.1:9/nadie', secret: 'secreto-de-la-cuenta' };
  const sandbox = await startSandbox({ accounts: [{ apiKey, webhook, beta: true }] });
  const report = await conform(sandbox.url);
  expect(differences(report)).toEqual([]);
  const taken = sandbox.requests().filter(({ method, status }) => method !== 'GET' && status === 200);
  const routes = new Set(taken.map(({ path }) => path).filter((path) => !path.endsWith('/emision')));
  expect(routes).toEqual(new Set(['/api/ping', '/api/comprobante/reprocesar', '/api/consulta/ruc']));
  expect(new Set(sandbox.documents().map(({ puntoEmision }) => puntoEmision))).toEqual(new Set(['900']));
});

test("the account's own webhook is back in place afterwards, with its secret", async () => {
  const webhook = { url: 'http://127.0.0.1:9/nadie', secret: 'secreto-de-la-cuenta' };
  const sandbox = await startSandbox({ accounts: [{ apiKey, webhook }] });
  const report = await conform(sandbox.url, { webhook: { listen: 0 } });
  expect(differences(report)).toEqual([]);
  expect(verdictOf(report, 'webhook-secreto-generado')).toBe('unseen');
  // Saved once more without a secret, the account's own is kept and shown.
  const saved = await fetch(`${sandbox.url}/api/webhook`, {
    method: 'PUT',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url: webhook.url }),
  });
  expect(await saved.json()).toMatchObject(webhook);
  const [last] = sandbox
    .requests()
    .filter(({ path, method }) => path === '/api/webhook' && method === 'PUT')
    .slice(-2);
  expect(last?.body).toMatchObject({ url: webhook.url, activo: true });
});

test('a webhook that was switched off is on for the run, and off again afterwards', async () => {
  const sandbox = await startSandbox();
  const off = { url: 'http://127.0.0.1:9/nadie', activo: false };
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  await fetch(`${sandbox.url}/api/webhook`, { method: 'PUT', headers, body: JSON.stringify(off) });
  const report = await conform(sandbox.url, { webhook: { listen: 0 } });
  expect(verdictOf(report, 'firma-v2')).toBe('agrees');
  expect(await (await fetch(`${sandbox.url}/api/webhook`, { headers })).json()).toMatchObject(off);
});

test('an account with approved provider data and without beta shows RUC Proveedor and beta_privada', async () => {
  const sandbox = await startSandbox({ accounts: [{ apiKey, providerApproved: true }] });
  const report = await conform(sandbox.url);
  expect(differences(report)).toEqual([]);
  expect(verdictOf(report, 'ruc-proveedor-en-xml')).toBe('agrees');
  expect(verdictOf(report, 'beta-privada')).toBe('agrees');
});

test('private webhook URLs are tried where the service is not on this machine, the request limit when asked for', async () => {
  const sandbox = await startSandbox({ allowLoopbackWebhooks: false });
  const webhook = { url: 'https://conformidad.invalid/webhook' };
  const report = await conform(sandbox.url, { webhook, withRateLimit: true });
  expect(differences(report)).toEqual([]);
  const verdicts = ['webhook-url-privada', 'firma-v2', 'trescientas-por-minuto', 'supuesto-429'];
  expect(verdicts.map((id) => verdictOf(report, id))).toEqual(['agrees', 'unseen', 'agrees', 'agrees']);
});
