import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox } from '../../sandbox/emulator/index.ts';
import { BusyError, impatientRateLimit } from '../../src/http/limits.ts';
import { document as sample } from '../ledger/samples.ts';
import { factura, noon } from '../sandbox/support.ts';
import { openHostile } from '../service/hostile.ts';
import { eventually } from '../support/eventually.ts';
import { apiKey, type Installation, now, openInstallation } from './installation.ts';

/** A sandbox that holds one authorised factura. */
async function openSandbox() {
  const sandbox = await createSandbox({ accounts: [{ apiKey }], authorizeDelayMs: 1, now: noon });
  onTestFinished(() => sandbox.close());
  await fetch(`${sandbox.url}/api/factura/emision`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(factura()),
  });
  const document = await eventually(
    () => sandbox.documents().find(({ estado }) => estado === 4),
    'authorised',
  );
  return { sandbox, accessKey: document.claveacceso };
}

/** Our document, as far as the steps brought it. */
async function addDocument(
  { ledger }: Installation,
  accessKey: string | null,
  state: 'processing' | 'authorized',
  keyHash = 'otra',
) {
  const document = await ledger.documents.create(
    sample({
      ...{
        shop: 'quito.myshopify.com',
        storeId: 'quito',
        keyHash,
        ruc: '1792146739001',
        puntoEmision: '001',
      },
      ...{ firstSecuencial: 123, charged: '47.98', total: '47.98', state: 'ready', now },
    }),
  );
  if (!document) throw new Error('The document exists already.');
  await ledger.documents.move(document.id, { from: ['ready'], to: 'sending', now });
  await ledger.documents.move(document.id, {
    from: ['sending'],
    to: 'processing',
    patch: { accessKey },
    now,
  });
  if (state === 'authorized') {
    await ledger.documents.move(document.id, { from: ['processing'], to: 'authorized', now });
  }
  return document.id;
}

const pathOf = (url: string) => new URL(url).pathname;

describe('the link of a document', () => {
  test('opens the PDF and the XML of the service, for whoever has it, and no cache in between keeps them', async () => {
    const { sandbox, accessKey } = await openSandbox();
    const installation = await openInstallation({ serviceUrl: sandbox.url });
    const id = await addDocument(installation, accessKey, 'authorized');
    const pdf = await installation.get(pathOf(installation.links.pdf(id)));
    expect(pdf.status).toBe(200);
    expect(pdf.headers.get('content-type')).toBe('application/pdf');
    expect(pdf.headers.get('content-disposition')).toBe(`inline; filename="${accessKey}.pdf"`);
    expect(pdf.headers.get('cache-control')).toMatch(/^private/);
    const bytes = Buffer.from(await pdf.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(bytes.length).toBe(Number(pdf.headers.get('content-length')));
    const xml = await installation.get(pathOf(installation.links.xml(id)));
    // XML of the service is no page of ours: nothing in it is shown as one.
    const policies = [pdf, xml].map(({ headers }) => headers.get('content-security-policy') ?? '');
    for (const policy of policies)
      expect(policy).toMatch(/^default-src 'none'; (?!.*script-src).*frame-ancestors 'self'/);
    expect(policies.map((policy) => policy.endsWith('; sandbox'))).toEqual([false, true]);
    expect(xml.headers.get('content-type')).toBe('application/xml; charset=utf-8');
    expect(await xml.text()).toContain(`<claveAcceso>${accessKey}</claveAcceso>`);
  });

  test('says to the buyer that a document was annulled at the portal of the SRI, and only then', async () => {
    const installation = await openInstallation();
    const id = await addDocument(installation, '1'.repeat(49), 'authorized');
    const page = async () => (await installation.get(pathOf(installation.links.page(id)))).text();
    expect(await page()).not.toContain('ANULADO');
    await installation.ledger.documents.annulled(id, now);
    expect(await page()).toContain('figura ANULADO en el SRI y ya no tiene validez');
  });

  test('of a document that an older key issued are read with that key, while it is in the config', async () => {
    const { sandbox, accessKey } = await openSandbox();
    const keyHash = createHash('sha256').update(apiKey).digest('hex');
    const installation = await openInstallation({ serviceUrl: sandbox.url, newestKey: 'clave-nueva-0002' });
    const id = await addDocument(installation, accessKey, 'authorized', keyHash);
    expect((await installation.get(pathOf(installation.links.pdf(id)))).status).toBe(200);
  });

  test.each([
    ...['.', ')', ',', ';', ':', '!', '?', '%20', '%22', "'", '%3E', '].', ').', '*', '...', '%20.'],
    ...['%C2%A0', '%E2%80%9D', '%C2%BB', ')%0A', '%E2%80%A6'],
  ])('followed by %s, as mail programs and people leave it, opens all the same', async (tail) => {
    const { sandbox, accessKey } = await openSandbox();
    const installation = await openInstallation({ serviceUrl: sandbox.url });
    const id = await addDocument(installation, accessKey, 'authorized');
    const { pdf, xml, page } = installation.links;
    for (const [link, type] of [
      [pdf(id), /^application\/pdf/],
      [xml(id), /^application\/xml/],
      [page(id), /^text\/html/],
    ] as const) {
      const answer = await installation.get(`${pathOf(link)}${tail}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringMatching(type)]);
    }
  });

  test.each(['A', '-', '_', 'x.', '/', '/.', '.pdf', '.html', '%', '%2', `.${'.'.repeat(30)}`])(
    'followed by %s is another link',
    async (tail) => {
      const installation = await openInstallation();
      const id = await addDocument(installation, '1'.repeat(49), 'authorized');
      const { status } = await installation.get(`${pathOf(installation.links.pdf(id))}${tail}`);
      expect(status).toBe(404);
    },
  );

  test('altered in any single character is the same 404 page, and so is every other wrong link', async () => {
    const installation = await openInstallation({ trustedProxies: ['127.0.0.1/32'] });
    const id = await addDocument(installation, '1'.repeat(49), 'authorized');
    const path = pathOf(installation.links.pdf(id));
    const { pathname: forgotten } = new URL(installation.links.pdf('99999'));
    const wrong = [
      forgotten,
      '/d',
      '/d/',
      '/d/x',
      '/d/%ff.pdf',
      `${path}/`,
      path.replace('.pdf', '.xml'),
      `/d/x${path}`,
    ];
    for (let at = '/d/'.length; at < path.length; at += 1) {
      wrong.push(`${path.slice(0, at)}${path[at] === 'A' ? 'B' : 'A'}${path.slice(at + 1)}`);
    }
    const pages = new Set<string>();
    for (const [n, one] of wrong.entries()) {
      const answer = await installation.get(one, { 'x-forwarded-for': `198.51.100.${n}` });
      expect([one, answer.status]).toEqual([one, 404]);
      pages.add(await answer.text());
    }
    expect(pages.size).toBe(1);
    expect([...pages][0]).toContain('Este enlace no corresponde a ningún comprobante.');
  });

  test('is opened however many wrong ones the same client tries, which are refused after sixty', async () => {
    const installation = await openInstallation();
    const id = await addDocument(installation, '1'.repeat(49), 'authorized');
    const statuses = [];
    for (let n = 0; n < 61; n += 1)
      statuses.push((await installation.get(`/d/${'x'.repeat(40)}.${n}`)).status);
    expect([new Set(statuses.slice(0, 60)), statuses[60]]).toEqual([new Set([404]), 429]);
    expect((await installation.get(pathOf(installation.links.page(id)))).status).toBe(200);
  });

  test('to a document that is not authorised yet asks for patience', async () => {
    const installation = await openInstallation();
    const id = await addDocument(installation, '1'.repeat(49), 'processing');
    const answer = await installation.get(pathOf(installation.links.pdf(id)));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('120');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toContain('Su comprobante todavía no está autorizado por el SRI.');
  });

  test.each([
    ['nothing answers', async () => 'http://127.0.0.1:9'],
    ['the service answers HTML', () => openHostile((_req, res) => res.end('<html>'))],
    ['the service does not know the key', async () => (await openSandbox()).sandbox.url],
  ])('is a 503 with a Spanish sentence when %s', async (_, serviceUrl) => {
    const installation = await openInstallation({ serviceUrl: await serviceUrl() });
    const id = await addDocument(installation, '1'.repeat(49), 'authorized');
    for (const link of [installation.links.pdf(id), installation.links.xml(id)]) {
      const answer = await installation.get(pathOf(link));
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('60');
      expect(await answer.text()).toContain('En este momento no podemos obtener su comprobante.');
    }
  });

  test('whose PDF breaks off is never passed for whole, nor kept', async () => {
    const serviceUrl = await openHostile((req, res) => {
      res.writeHead(200, { 'content-length': 1000 });
      res.write('%PDF-1.7', () => setTimeout(() => req.socket.destroy(), 20));
    });
    const installation = await openInstallation({ serviceUrl });
    const id = await addDocument(installation, '1'.repeat(49), 'authorized');
    expect((await installation.get(pathOf(installation.links.pdf(id)))).status).toBe(503);
    expect(await installation.ledger.files.kinds(id)).toEqual([]);
  });

  test('works with the service away once its files were fetched, byte for byte the same', async () => {
    const { sandbox, accessKey } = await openSandbox();
    const installation = await openInstallation({ serviceUrl: sandbox.url });
    const id = await addDocument(installation, accessKey, 'authorized');
    const files = [installation.links.pdf(id), installation.links.xml(id)].map(pathOf);
    const read = async () =>
      Promise.all(files.map(async (path) => Buffer.from(await (await installation.get(path)).arrayBuffer())));
    const first = await read();
    await sandbox.close();
    expect(await read()).toEqual(first);
    expect((await installation.get(pathOf(installation.links.page(id)))).status).toBe(200);
  });

  test('is gone once it was revoked, page and files alike; a new one works', async () => {
    const { sandbox, accessKey } = await openSandbox();
    const installation = await openInstallation({ serviceUrl: sandbox.url });
    const id = await addDocument(installation, accessKey, 'authorized');
    const { page, pdf, xml } = installation.links;
    const version = await installation.ledger.documents.revokeLinks(id);
    for (const url of [page(id), pdf(id), xml(id), pdf(id, version + 1)]) {
      const answer = await installation.get(pathOf(url));
      expect(answer.status).toBe(410);
      expect(await answer.text()).toContain('La tienda anuló este enlace.');
    }
    for (const url of [page(id, version), pdf(id, version), xml(id, version)])
      expect((await installation.get(pathOf(url))).status).toBe(200);
  });

  test('is gone from what keeps copies as well: each is asked for again, and told unchanged until it was revoked', async () => {
    const { sandbox, accessKey } = await openSandbox();
    const installation = await openInstallation({ serviceUrl: sandbox.url });
    const id = await addDocument(installation, accessKey, 'authorized');
    for (const url of [installation.links.pdf(id), installation.links.xml(id)].map(pathOf)) {
      const first = await installation.get(url);
      expect(first.headers.get('cache-control')).toBe('private, no-cache');
      // As a browser asks; `fetch` alone would say no-cache.
      const copy = { 'if-none-match': first.headers.get('etag') ?? '', 'cache-control': 'max-age=0' };
      expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(100);
      const again = await installation.get(url, copy);
      expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    }
    const etag = (await installation.get(pathOf(installation.links.pdf(id)))).headers.get('etag') ?? '';
    await installation.ledger.documents.revokeLinks(id);
    expect(
      (
        await installation.get(pathOf(installation.links.pdf(id)), {
          'if-none-match': etag,
          'cache-control': 'max-age=0',
        })
      ).status,
    ).toBe(410);
    expect((await installation.get(pathOf(installation.links.page(id)))).headers.get('cache-control')).toBe(
      'no-store',
    );
  });

  test('is over at its end, page and files alike, and its files end with the page they stand on', async () => {
    const { sandbox, accessKey } = await openSandbox();
    const installation = await openInstallation({ serviceUrl: sandbox.url });
    const id = await addDocument(installation, accessKey, 'authorized');
    const { page, pdf, xml, read } = installation.links;
    for (const link of [page, pdf, xml]) {
      const over = await installation.get(pathOf(link(id, 0, now)));
      expect(over.status).toBe(410);
      expect(await over.text()).toContain('Pida a la tienda uno nuevo');
      expect((await installation.get(pathOf(link(id, 0, new Date(now.getTime() + 1_000))))).status).toBe(200);
    }
    const end = new Date(now.getTime() + 3_600_000);
    const shown = await (await installation.get(pathOf(page(id, 0, end)))).text();
    const tokens = [...shown.matchAll(/href="([\w-]+\.[\w-]+)\.(?:pdf|xml)"/g)].map(
      ([, token]) => token ?? '',
    );
    expect(tokens.length).toBeGreaterThanOrEqual(2);
    for (const token of tokens) expect(read(token)?.expiresAt).toEqual(end);
  });

  test('of one purpose opens nothing else, and the one that asks a buyer opens no document', async () => {
    const installation = await openInstallation();
    const id = await addDocument(installation, '1'.repeat(49), 'authorized');
    const { page, pdf, xml, identification } = installation.links;
    const asking = pathOf(identification(id, new Date('2026-12-01T00:00:00Z')));
    const wrong = [
      `${pathOf(page(id))}.pdf`,
      pathOf(pdf(id)).replace('.pdf', ''),
      pathOf(xml(id)).replace('.xml', '.pdf'),
      asking.replace('/identificacion/', '/d/'),
      `${asking.replace('/identificacion/', '/d/')}.pdf`,
      ...[page(id), pdf(id), xml(id)].map((url) =>
        pathOf(url)
          .replace(/\.(pdf|xml)$/, '')
          .replace('/d/', '/identificacion/'),
      ),
    ];
    for (const path of wrong) expect([path, (await installation.get(path)).status]).toEqual([path, 404]);
  });
});

describe('the page of a document', () => {
  test('tells number, order, total and access key, leads to both files, and names no buyer', async () => {
    const { sandbox, accessKey } = await openSandbox();
    const installation = await openInstallation({ serviceUrl: sandbox.url });
    const id = await addDocument(installation, accessKey, 'authorized');
    const answer = await installation.get(pathOf(installation.links.page(id)));
    const text = await answer.text();
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    for (const part of ['Factura 001-001-000000123', '#1001', 'USD 47.98', accessKey, 'Verificar en el SRI'])
      expect(text).toContain(part);
    for (const [, href = ''] of text.matchAll(/href="([^"]+\.(?:pdf|xml))"/g))
      expect((await installation.get(`/d/${href}`)).status).toBe(200);
    expect(text).not.toMatch(/<script>|style=|onclick/);
  });
});

const slow = async () => {};

test('a caller who waits too long is sent away, and so is everybody while all places are taken', async () => {
  const turns: (() => void)[] = [];
  const rateLimit = impatientRateLimit(
    { take: () => new Promise((resolve) => turns.push(resolve)), slow },
    2,
    20,
  );
  const waiting = [rateLimit.take('download'), rateLimit.take('download')];
  await expect(rateLimit.take('download')).rejects.toThrow(BusyError);
  for (const one of waiting) await expect(one).rejects.toThrow(BusyError);
  // Their slots are still booked: the places come free with them, so the line behind never grows.
  await expect(rateLimit.take('download')).rejects.toThrow(BusyError);
  expect(turns).toHaveLength(2);
  for (const turn of turns.splice(0)) turn();
  await new Promise((resolve) => setImmediate(resolve));
  const next = rateLimit.take('download');
  turns[0]?.();
  await next;
});

test('a budget that fails fails as it is', async () => {
  const rateLimit = impatientRateLimit({ take: () => Promise.reject(new Error('ledger gone')), slow });
  await expect(rateLimit.take('download')).rejects.toThrow('ledger gone');
});
