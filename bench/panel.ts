import { freePort } from '../sandbox/shops/loopback.ts';
import { hashPassword } from '../src/panel/people.ts';
import type { Known } from './grown.ts';
import { type BenchStore, install, openFile } from './installation.ts';
import { type Line, line, percentile } from './line.ts';
import type { Starter } from './starter.ts';

const password = 'una clave para medir';

/** Every page of the panel on SQLite, which answers nobody else meanwhile. */
export async function measurePanel(
  start: Starter,
  options: { directory: string; stores: readonly BenchStore[]; known: Known; times: number },
): Promise<Line[]> {
  const { directory, stores, known, times } = options;
  const users = [{ user: 'carla', passwordHash: await hashPassword(password), role: 'configure' }];
  const installation = install(start.folder(), {
    serviceUrl: 'http://127.0.0.1:9',
    port: await freePort(),
    stores,
    ledger: { directory },
    panel: { users, secondFactor: 'off' },
  });
  await addAttempt(installation.file, known);
  const product = await start.product(installation, { role: 'web' });
  const cookie = await signIn(product.url);
  const lines: Line[] = [];
  for (const [name, path, asked = times] of pagesOf(known)) {
    const taken: number[] = [];
    for (let n = 0; n < asked; n += 1) taken.push(await timed(`${product.url}/panel${path}`, cookie));
    const goal = asked === 1 ? null : { atMost: 200 };
    lines.push(line(name, 'ms', [percentile(taken, 0.95)], goal));
  }
  await product.stop();
  return lines;
}

const pagesOf = (known: Known): [name: string, path: string, times?: 1][] => [
  ['Charts of 90 days for the first time', '/graficos?dias=90', 1],
  ['Charts of 90 days', '/graficos?dias=90'],
  ['Work list with 7,000 waiting documents, 500 of them shown', ''],
  ['Newest documents', '/buscar'],
  ['Documents of a day two months ago', `/buscar?desde=${known.day}&hasta=${known.day}`],
  ['Search by number', `/buscar?q=${known.number}`],
  ['Search by access key', `/buscar?q=${known.accessKey}`],
  ['Search by amount', '/buscar?q=33.23'],
  ['Search by identification', '/buscar?q=0000000777'],
  ['A filter with few matches', '/buscar?tienda=t3&tipo=nota-credito'],
  ['Timeline of a document', `/documento/${known.document}`],
  ['An order with ten documents', `/pedido/t0/${known.order}`],
  ['Stores', '/tiendas'],
  ['The close of a day', '/cierre'],
  ['Who did what', '/registro'],
];

/** The sent body of the document whose timeline is measured; only the product can encrypt it. */
async function addAttempt(file: string, known: Known): Promise<void> {
  const runtime = await openFile(file);
  const lines = Array.from({ length: 10 }, (_, n) => ({ codigo: `SKU-${n}`, cantidad: 1, precio: 3.375 }));
  await runtime.ledger.attempts.add({
    documentId: known.document,
    issueDate: known.day,
    secuencial: known.number.slice(-9),
    body: JSON.stringify({ comprador: { identificacion: '1710034065' }, detalles: lines }),
    total: '33.75',
    buyerId: '1710034065',
    nettedRefunds: [],
    overpaid: '0.00',
    lineReferences: [],
    leftOut: [],
    now: new Date(),
  });
  await runtime.close();
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
async function timed(url: string, cookie: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
  const text = await answer.text();
  const took = performance.now() - began;
  if (answer.status !== 200 || !text.includes('</html>'))
    throw new Error(`${url} was answered with ${answer.status}.`);
  return took;
}
