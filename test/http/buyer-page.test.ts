import { describe, expect, test } from 'vitest';
import { isCedula } from '../../src/domain/identification.ts';
import type { Order } from '../../src/domain/order.ts';
import { document as sample } from '../ledger/samples.ts';
import { openHostile } from '../service/hostile.ts';
import { order as madeOrder } from '../support/orders.ts';
import { type Installation, type InstallationOptions, now, openInstallation } from './installation.ts';

const platform = 'woocommerce';
const shop = 'https://cuenca.example.ec';
const at = (ms: number) => new Date(now.getTime() + ms);
const hour = 3_600_000;
const good = { tipo: 'cedula', identificacion: '1710034065', nombre: 'Ana Torres', correo: '' };

/** A factura that is held because its buyer's cédula is wrong, and the page of its question. */
async function openQuestion(installation: Installation, orderName = '#1001', orderId = '42') {
  const document = await installation.ledger.documents.create(
    sample({
      ...{ platform, shop, sourceId: orderId, ordinal: 1, storeId: 'cuenca', orderId, orderName },
      ...{ ruc: '1792146739001', establecimiento: '002', puntoEmision: '001', charged: '60.00' },
      ...{ total: null, state: 'held', code: 'buyer-id-wrong', reason: 'x', now },
    }),
  );
  if (!document) throw new Error('The document exists already.');
  const order: Order = { ...madeOrder({}), platform, shop, id: orderId, name: orderName };
  order.buyer = {
    ...order.buyer,
    name: 'Comprador Secreto',
    email: 'secreto@example.ec',
    phone: '0999999999',
  };
  const key = { platform, shop, orderId };
  await installation.ledger.orders.save({
    ...{
      ...key,
      storeId: 'cuenca',
      name: orderName,
      snapshot: order,
      sourceUpdatedAt: now.toISOString(),
      readAt: now,
    },
  });
  await installation.ledger.questions.open(key, { cutOffAt: at(2 * hour), expiresAt: at(48 * hour), now });
  const path = new URL(installation.links.identification(document.id, at(48 * hour))).pathname;
  const answer = (form: Record<string, string>) =>
    installation.post(path, new URLSearchParams(form).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
    });
  return { document, key, path, answer };
}

const textOf = async (answer: Response) =>
  (await answer.text()).replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

describe('the page that asks a buyer', () => {
  test('names the shop, the order and the total, keeps nothing, and tells nobody who the buyer is', async () => {
    const installation = await openInstallation();
    const { path } = await openQuestion(installation, '<b>&"1001"');
    const answer = await installation.get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'.*frame-ancestors 'none'/,
    );
    const page = await answer.text();
    expect(page).toContain('&lt;b&gt;&amp;&quot;1001&quot;');
    expect(page).toContain('USD 60.00');
    expect(page).not.toMatch(/Secreto|secreto@|0999999999|<script>|style=|onclick/);
    expect(path).not.toMatch(/1001|42/);
  });

  test.each(['.', ')', ',', '%20', '%E2%80%9D', ').'])(
    'followed by %s, as mail programs leave it, opens and takes the answer',
    async (tail) => {
      const installation = await openInstallation();
      const { path, key } = await openQuestion(installation);
      expect((await installation.get(`${path}${tail}`)).status).toBe(200);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const form = new URLSearchParams(good).toString();
      // Its redirect was followed.
      expect((await installation.post(`${path}${tail}`, form, headers)).status).toBe(200);
      expect((await installation.ledger.questions.get(key))?.answer).toMatchObject({ name: 'Ana Torres' });
    },
  );

  test('takes an answer once, and asks for the order to be planned at once', async () => {
    const installation = await openInstallation();
    const { document, key, path, answer } = await openQuestion(installation);
    const taken = await answer(good);
    expect([taken.status, taken.url.endsWith(path)]).toEqual([200, true]);
    expect(await textOf(taken)).toContain('Gracias: ya tenemos su identificación');
    expect(await installation.ledger.questions.get(key)).toMatchObject({
      answer: { type: 'cedula', id: '1710034065', name: 'Ana Torres', email: null },
    });
    expect((await installation.jobs()).map(({ kind }) => kind)).toEqual(['sync-order']);
    const again = await answer({ ...good, nombre: 'Otra Persona' });
    expect(await textOf(again)).toContain('Gracias: ya tenemos su identificación');
    expect(await installation.ledger.questions.get(key)).toMatchObject({ answer: { name: 'Ana Torres' } });
    const history = await installation.ledger.documents.history(document.id);
    expect(history.at(-1)).toMatchObject({ to: 'held', note: { code: 'buyer-answered', type: 'cedula' } });
    expect(JSON.stringify([history, installation.lines])).not.toMatch(/1710034065|Ana Torres/);
  });

  test('refuses what is no identification with the reason, whatever is sent, and keeps nothing', async () => {
    const installation = await openInstallation();
    const { key, path, answer } = await openQuestion(installation);
    const wrong: Record<string, string>[] = [
      {},
      { ...good, identificacion: '1710034066' },
      { ...good, identificacion: '9999999999999' },
      { ...good, tipo: '07' },
      { ...good, nombre: '' },
      { ...good, correo: 'ana@' },
      { ...good, identificacion: '1'.repeat(401) },
      { ...good, nombre: '<script>alert(1)</script>', identificacion: '' },
    ];
    for (const form of wrong) {
      const refused = await answer(form);
      expect([form, refused.status]).toEqual([form, 422]);
      const page = await refused.text();
      expect(page).toContain('Revise lo marcado');
      expect(page).not.toContain('<script>alert');
    }
    expect((await installation.post(path, '{"tipo":"cedula"}')).status).toBe(422);
    expect(await installation.ledger.questions.get(key)).toMatchObject({ answer: null });
    expect(await installation.jobs()).toEqual([]);
  });

  test('is reached and answered also where the link ends in a slash', async () => {
    const installation = await openInstallation();
    const { path } = await openQuestion(installation);
    const page = await fetch(`${installation.url}${path}/`);
    expect([page.status, new URL(page.url).pathname]).toEqual([200, path]);
    const taken = await fetch(`${installation.url}${path}/`, {
      method: 'POST',
      body: new URLSearchParams(good),
    });
    expect([taken.status, new URL(taken.url).pathname]).toEqual([200, path]);
    expect(await taken.text()).toContain('Gracias: ya tenemos su identificación');
  });

  test('looks up no name where the policy does not want it', async () => {
    const installation = await openInstallation();
    const { path } = await openQuestion(installation);
    const form = new URLSearchParams({ tipo: 'cedula', identificacion: '1710034065' }).toString();
    const answer = await installation.post(`${path}/nombre`, form, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(await answer.json()).toEqual({ nombre: null });
  });

  describe('offers the name of the registry where the policy wants it', () => {
    const cedulas = Array.from({ length: 60 }, (_, n) => String(1_700_000_000 + n)).filter(isCedula);
    const [one = '', two = '', three = '', four = ''] = cedulas;

    /** A registry that knows everybody, and how often it was asked. */
    async function openRegistry(options: Partial<InstallationOptions> = {}) {
      let asked = 0;
      const serviceUrl = await openHostile((_req, res) => {
        asked += 1;
        const body = { success: true, data: { nombre: 'TORRES ANA' }, cache: false, costo: 0 };
        res.setHeader('content-type', 'application/json').end(JSON.stringify(body));
      });
      const installation = await openInstallation({ serviceUrl, registry: 'when-missing', ...options });
      return { installation, asked: () => asked };
    }
    const nameIn = async (answer: Response) => /TORRES ANA/.test(await answer.text());

    test('three times a day for one link, by whichever of its two ways; then its buyer writes it', async () => {
      const { installation, asked } = await openRegistry();
      const { path, answer } = await openQuestion(installation);
      const script = async (identificacion: string) => {
        const form = new URLSearchParams({ tipo: 'cedula', identificacion }).toString();
        const type = { 'content-type': 'application/x-www-form-urlencoded' };
        const said = await installation.post(`${path}/nombre`, form, type);
        return [said.status, ((await said.json()) as { nombre: string | null }).nombre];
      };
      const form = (identificacion: string) => answer({ ...good, identificacion, nombre: '' });
      // What is no cédula asks nobody and is not counted.
      expect(await script('1710034066')).toEqual([200, null]);
      expect(await script(one)).toEqual([200, 'TORRES ANA']);
      // Remembered, and told all the same.
      expect(await nameIn(await form(one))).toBe(true);
      expect(await nameIn(await form(two))).toBe(true);
      expect(asked()).toBe(2);
      const after = await form(three);
      expect(after.status).toBe(422);
      expect(await after.text()).toContain('Revise lo marcado');
      expect(await script(four)).toEqual([200, null]);
      expect(await nameIn(await form(one))).toBe(false);
      expect(asked()).toBe(2);
    });

    test('for all links of a store as often as half of its limit, and tells a person once it is used up', async () => {
      const { installation, asked } = await openRegistry({ registryPerDay: 6 });
      const pages = await Promise.all(
        ['41', '42', '43', '44'].map((orderId) => openQuestion(installation, `#${orderId}`, orderId)),
      );
      const answers = await Promise.all(
        pages.map(({ answer }, n) => answer({ ...good, identificacion: cedulas[n] ?? '', nombre: '' })),
      );
      const offered = await Promise.all(answers.map(nameIn));
      expect([offered.filter(Boolean).length, asked()]).toEqual([3, 3]);
      expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
      const reported = installation.lines.filter(({ fields }) => fields.alert === 'registry-limit');
      expect(reported).toHaveLength(1);
    });
  });

  test('has a page of its own for every state in which nothing is asked', async () => {
    const installation = await openInstallation();
    const { document, path } = await openQuestion(installation);
    const { id } = document;
    const move = (
      from: 'held' | 'ready' | 'sending' | 'processing',
      to: 'ready' | 'sending' | 'processing' | 'authorized',
    ) => installation.ledger.documents.move(id, { from: [from], to, now });
    const reported = async () => {
      const answer = await installation.get(path);
      return [answer.status, await textOf(answer)] as const;
    };
    const ended = new URL(installation.links.identification(id, now)).pathname;
    expect(await textOf(await installation.get(ended))).toContain('Este enlace venció');
    expect((await installation.get(ended)).status).toBe(410);
    await move('held', 'ready');
    expect(await reported()).toEqual([200, expect.stringContaining('Su factura está en trámite')]);
    await move('ready', 'sending');
    await move('sending', 'processing');
    await move('processing', 'authorized');
    expect(await reported()).toEqual([200, expect.stringContaining('La factura 002-001-000000001')]);
    expect((await reported())[1]).not.toContain('/d/');
    for (const url of [installation.links.pdf(id), installation.links.page(id)]) {
      const token = new URL(url).pathname.replace('/d/', '').replace('.pdf', '');
      expect((await installation.get(`/identificacion/${token}`)).status).toBe(404);
    }
    expect((await installation.get('/identificacion/x')).status).toBe(404);
  });

  test('says that the order needs no factura any more where it was dropped', async () => {
    const installation = await openInstallation();
    const { document, path } = await openQuestion(installation);
    await installation.ledger.documents.move(document.id, { from: ['held'], to: 'cancelled', now });
    expect((await installation.get(path)).status).toBe(410);
  });
});

describe('too many', () => {
  test('answers to one question are refused for ten minutes, in a page; other questions are not', async () => {
    const installation = await openInstallation();
    const { answer, path } = await openQuestion(installation);
    const statuses = new Set<number>();
    for (let n = 0; n < 20; n += 1) statuses.add((await answer({ ...good, nombre: '' })).status);
    expect([...statuses]).toEqual([422]);
    const refused = await answer(good);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '600']);
    expect(await textOf(refused)).toContain('Demasiados intentos');
    expect((await installation.get(path)).status).toBe(200);
  });

  test('wrong links from one client are refused for a minute, and never a genuine one for them', async () => {
    const installation = await openInstallation();
    const { path } = await openQuestion(installation);
    const answers = new Set<number>();
    for (let n = 0; n < 61; n += 1) answers.add((await installation.get(`/identificacion/${n}`)).status);
    expect([...answers]).toEqual([404, 429]);
    expect((await installation.get(path)).status).toBe(200);
  });

  test('a genuine link is opened 120 times a minute, and others are not limited with it', async () => {
    const installation = await openInstallation();
    const { path } = await openQuestion(installation);
    const answers = [];
    for (let n = 0; n < 121; n += 1) answers.push((await installation.get(path)).status);
    expect([answers.filter((status) => status === 200).length, answers.at(-1)]).toEqual([120, 429]);
    expect((await installation.get(new URL(installation.links.page('otro')).pathname)).status).toBe(404);
  });
});
