import { describe, expect, test } from 'vitest';
import { documentKey } from '../../src/domain/document.ts';
import type { Order } from '../../src/domain/order.ts';
import { Html, html } from '../../src/domain/text.ts';
import { type Installation, now, openInstallation } from '../http/installation.ts';
import { openPanel } from '../panel/installation.ts';
import { order as madeOrder } from '../support/orders.ts';
import { panelPages } from '../support/panel-tables.ts';

/** Each would run, close its attribute, or end the page's own elements, if it came through as it is. */
const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onfocus=alert(1) autofocus='",
  '</title><svg onload=alert(1)>',
  '<!--',
  '</textarea><iframe src=javascript:alert(1)>',
];
const alive =
  /<script>alert|<img src=x|<svg onload|onfocus=alert\(1\) autofocus='|<!--(?!>)|<iframe src=javascript/;

const platform = 'woocommerce';
const shop = 'https://cuenca.example.ec';

/** A document of an order whose every text is hostile. */
async function addDocument(
  { ledger }: Pick<Installation, 'ledger'>,
  text: string,
  state: 'held' | 'authorized',
) {
  const identity = {
    platform,
    shop,
    ambiente: 1 as const,
    kind: 'factura' as const,
    sourceId: text,
    ordinal: 0,
  };
  const document = await ledger.documents.create({
    ...identity,
    key: documentKey(identity),
    ...{ storeId: 'cuenca', orderId: text, orderName: text, account: 'principal', keyHash: 'x' },
    ...{
      ruc: '1792146739001',
      codDoc: '01',
      establecimiento: '002',
      puntoEmision: '001',
      firstSecuencial: 1,
    },
    ...{ charged: '60.00', total: '60.00', now },
    ...(state === 'held'
      ? { state, code: 'buyer-id-wrong', reason: text }
      : { state: 'ready' as const, code: null, reason: null }),
  });
  if (!document) throw new Error('The document exists already.');
  if (state === 'authorized') {
    await ledger.documents.move(document.id, { from: ['ready'], to: 'sending', now });
    const patch = { accessKey: '2011202601179214673900110020010000000011234567813' };
    await ledger.documents.move(document.id, { from: ['sending'], to: 'processing', patch, now });
    await ledger.documents.move(document.id, { from: ['processing'], to: 'authorized', now });
  }
  const order: Order = { ...madeOrder({}), platform, shop, id: text, name: text, note: text };
  order.buyer = { ...order.buyer, name: text, company: text, email: text, phone: text };
  order.lines = order.lines.map((line) => ({ ...line, name: text, sku: text }));
  const key = { platform, shop, orderId: text };
  const readAt = now;
  await ledger.orders.save({
    ...key,
    storeId: 'cuenca',
    name: text,
    snapshot: order,
    sourceUpdatedAt: now.toISOString(),
    readAt,
  });
  const at = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
  await ledger.questions.open(key, { cutOffAt: at(2), expiresAt: at(48), now });
  return { id: document.id, until: at(48) };
}

describe.each(hostile)('the text %s of a shop or a buyer', (text) => {
  test('stays text on the document’s page and on the page that asks the buyer, also when he sends it himself', async () => {
    const installation = await openInstallation();
    const { id } = await addDocument(installation, text, 'authorized');
    const page = await (await installation.get(new URL(installation.links.page(id)).pathname)).text();
    expect(page).toContain('Factura');
    expect(page).not.toMatch(alive);

    const held = await addDocument(installation, `${text} `, 'held');
    const path = new URL(installation.links.identification(held.id, held.until)).pathname;
    expect(await (await installation.get(path)).text()).not.toMatch(alive);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const fields = { tipo: 'pasaporte', identificacion: text, nombre: text, correo: text };
    const back = await installation.post(path, new URLSearchParams(fields).toString(), form);
    expect(back.status).toBe(422);
    expect(await back.text()).not.toMatch(alive);
  });
});

test('it stays text on every page of the panel, whatever is looked for', async () => {
  const installation = await openPanel();
  const made = await Promise.all(
    hostile.map((text, n) => addDocument(installation, text, n % 2 === 0 ? 'held' : 'authorized')),
  );
  const alert = {
    code: 'document-rejected',
    subject: hostile[0] ?? '',
    params: { order: hostile.join(' '), document: 'la factura', number: '', reason: hostile.join(' ') },
  } as const;
  await installation.ledger.alerts.raise(alert, now);
  await installation.ledger.auditLog.add({
    who: hostile[0] ?? '',
    what: 'retry',
    subject: hostile[1] ?? '',
    outcome: 'done',
    now,
  });
  const carla = await installation.signIn('carla');
  const files = panelPages.filter(({ path }) => !/\/(pdf|xml)$/.test(path));
  expect(files.length).toBeGreaterThan(8);
  let shown = '';
  for (const { path } of files)
    for (const [n, { id }] of made.entries()) {
      const order = encodeURIComponent(hostile[n] ?? '');
      const orderPath = path.startsWith('/pedido') ? path.replace(':id', order) : path;
      const filled = orderPath.replace(':id', id).replace(':store', 'cuenca');
      const answer = await installation.get(
        `/panel${filled}?q=${order}&texto=${order}&estado=${order}&desde=${order}`,
        { cookie: carla.cookie },
      );
      expect([filled, answer.status]).not.toEqual([filled, 500]);
      const page = await answer.text();
      expect([filled, alive.exec(page)?.[0]]).toEqual([filled, undefined]);
      shown += page;
    }
  // They were there, as text.
  for (const text of ['&lt;script&gt;alert', '&lt;svg onload', '&lt;img src']) expect(shown).toContain(text);
});

test('a template escapes whatever is no markup of its own, in lists and in attributes too', () => {
  for (const text of hostile) {
    const { text: made } = html`<p title="${text}">${[text, html`<b>${text}</b>`]}</p>`;
    expect(made).not.toMatch(alive);
    expect(made.match(/[<>]/g)).toHaveLength(8);
  }
  // What a reader of JSON hands over is never taken for markup, whatever it looks like.
  const fake = JSON.parse('{"text": "<script>alert(1)</script>"}') as string;
  expect(fake).not.toBeInstanceOf(Html);
  expect(() => html`${fake}`).toThrow(TypeError);
});
