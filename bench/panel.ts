import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../src/cli/demo/run.ts';
import { hashPassword } from '../src/web/password.ts';
import { type Line, line } from './line.ts';
import { growForPanel, known, panelStores, sendKnown } from './panel-stock.ts';
import { startInstalled } from './processes.ts';
import { install, openInstallation } from './stocked.ts';

const password = 'una clave para medir';
const times = 40;

/** The measured pages; the last search result is far in the past. */
const pages: readonly [name: string, path: string][] = [
  ['work list', ''],
  ['newest documents', '/buscar'],
  ['search for an order', `/buscar?q=${known.order}`],
  ['search for a number', '/buscar?q=001-999-000123456'],
  ['search for an access key', `/buscar?q=${known.accessKey}`],
  ['search for an amount', '/buscar?q=33.23'],
  ['search for a buyer', '/buscar?q=0000000777'],
  ['search for what is not there', '/buscar?q=nada'],
  ['a store’s cancelled documents', '/buscar?tienda=t2&estado=cancelled'],
  ['a store’s credit notes it has none of', '/buscar?tienda=t3&tipo=nota-credito'],
  ['documents of a day two months ago', `/buscar?desde=${known.day}&hasta=${known.day}`],
  ['timeline of a document', `/documento/${known.document}`],
  ['order with ten documents', `/pedido/t0/${known.order}`],
  ['stores', '/tiendas'],
  ['charts of 30 days', '/graficos'],
  ['charts of 90 days', '/graficos?dias=90'],
  ['the close of a day', '/cierre'],
  ['who did what', '/registro'],
];

/** Every page of the panel on SQLite, which answers nobody else meanwhile, with 1,000,000 documents stored. */
export async function panel(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'facturapuente-bench-'));
  const directory = process.env.BENCH_PANEL_LEDGER ?? join(folder, 'ledger');
  if (process.env.BENCH_PANEL_LEDGER === undefined) await growForPanel(directory);
  const users = [{ user: 'carla', passwordHash: await hashPassword(password), role: 'configure' }];
  const port = await freePort();
  const options = { serviceUrl: 'http://127.0.0.1:9', port, stores: panelStores, ledger: directory };
  const installation = install({ ...options, panel: { users, secondFactor: 'off' } });
  const runtime = await openInstallation(installation.file);
  await sendKnown(runtime);
  await runtime.close();
  const product = await startInstalled(installation, 'web');
  try {
    const cookie = await signIn(product.url);
    const lines: Line[] = [];
    const [first] = await timed(product.url, '/graficos?dias=90', cookie, 1);
    lines.push(line('panel, charts of 90 days for the first time ever', 'ms', [first ?? Number.NaN]));
    for (const [name, path] of pages) {
      const before = product.cpuMs();
      const taken = (await timed(product.url, path, cookie, times)).toSorted((a, b) => a - b);
      const cpu = (product.cpuMs() - before) / times;
      const p95 = taken[Math.ceil(taken.length * 0.95) - 1] ?? Number.NaN;
      lines.push(line(`panel with 1,000,000 documents, ${name}: p95`, 'ms', [p95], { below: 200 }));
      // Steadier on a shared machine.
      lines.push(line(`panel, ${name}: processor time`, 'ms', [cpu]));
    }
    return lines;
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/panel/entrar`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ usuario: 'carla', clave: password }),
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (answer.status !== 303 || cookie === undefined)
    throw new Error(`The sign-in was answered with ${answer.status}.`);
  return cookie;
}

/** Milliseconds from the request to the whole answer. */
async function timed(url: string, path: string, cookie: string, count: number): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < count; n += 1) {
    const began = performance.now();
    const answer = await fetch(`${url}/panel${path}`, { redirect: 'manual', headers: { cookie } });
    const text = await answer.text();
    taken.push(performance.now() - began);
    if (answer.status !== 200 || !text.includes('</html>'))
      throw new Error(`${path} was answered with ${answer.status}.`);
  }
  return taken;
}
