import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../sandbox/shops/loopback.ts';
import { sales, toWooOrder } from '../../sandbox/shops/woocommerce-orders.ts';
import { openWooCommerceShop } from '../../sandbox/shops/woocommerce-shop.ts';
import { hrefOf, visit } from '../adapters/woocommerce/bridge.ts';
import { trustedCertificate } from '../support/certificate.ts';
import { eventually } from '../support/eventually.ts';
import { run } from '../support/run.ts';
import { openTlsFront } from '../support/tls-front.ts';

const guide = readFileSync(new URL('../../docs/woocommerce.md', import.meta.url), 'utf8');
const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

const commands = [...guide.replace(/\\\n\s*/g, '').matchAll(/npx facturapuente ([^`\n]+)/g)].map((found) =>
  (found[1] ?? '').trim(),
);

/** The arguments of the guide's command that is, or begins, so. */
function commandOf(beginning: string): string[] {
  const found =
    commands.find((one) => one === beginning) ?? commands.find((one) => one.startsWith(`${beginning} `));
  if (found === undefined) throw new Error(`The guide has no command ${beginning}.`);
  return found.split(/ +/);
}

test('the guide’s own file and commands lead from nothing to an authorised test factura', async () => {
  const certificate = trustedCertificate();
  const folder = await mkdtemp(join(tmpdir(), 'fp-guide-'));
  // What the guide has openssl write into .env.
  const secret = randomBytes(32).toString('base64');
  const env = {
    NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
    FACTURA_WEBHOOK_SECRET: secret,
    SANDBOX_WEBHOOK_SECRET: secret,
  };
  await writeFile(env.NODE_EXTRA_CA_CERTS, certificate.cert);
  const [port, servicePort] = [String(await freePort()), String(await freePort())];
  const shop = await openWooCommerceShop({
    orders: [],
    consumerKey: 'ck_propia',
    consumerSecret: 'cs_propia',
  });
  const front = await openTlsFront(`http://127.0.0.1:${port}`, certificate);
  const started: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of started) {
      const gone = once(child, 'exit');
      if (child.kill('SIGKILL')) await gone;
    }
    await shop.close();
    await front.close();
    await rm(folder, { recursive: true });
  });
  /** The guide with the places of this test instead of its own. */
  const places: Record<string, string> = {
    'https://facturas.mitienda.ec': front.url,
    'https://mitienda.ec': shop.url,
    4010: servicePort,
    8080: port,
  };
  // All at once: a port that was put in may look like one of the guide.
  const here = (text: string): string =>
    text.replace(/https:\/\/(?:facturas\.)?mitienda\.ec|4010|8080/g, (place) => places[place] ?? place);
  const yaml = (/```yaml\n([\s\S]*?)```/.exec(guide)?.[1] ?? '').replace(/^ {3}/gm, '');
  const file = join(folder, 'facturapuente.config.yaml');
  await writeFile(file, here(yaml));
  const withConfig = (args: string[]) => [
    ...args.map(here),
    ...(args[0] === 'sandbox' ? [] : ['--config', file]),
  ];
  const start = (beginning: string) => {
    const { DATABASE_URL: _database, REDIS_URL: _redis, ...clean } = process.env;
    const args = [bin, ...withConfig(commandOf(beginning))];
    started.push(spawn(process.execPath, args, { env: { ...clean, ...env }, stdio: 'ignore' }));
  };
  const command = (beginning: string, ...more: string[]) =>
    run([...withConfig(commandOf(beginning)), ...more], env);

  start('sandbox');
  start('start');
  const answers = async (url: string) => (await fetch(url).catch(() => null))?.ok;
  await eventually(() => answers(`http://127.0.0.1:${servicePort}`), 'the sandbox to be ready', 30_000);
  await eventually(() => answers(`http://127.0.0.1:${port}/readyz`), 'start to be ready', 30_000);

  const check = await command('install --store tienda --check');
  const lacking = check.stdout.split('\n').filter((line) => line.includes('✘'));
  expect(lacking).toEqual([
    '  ✘ distinto  Webhook del servicio',
    '  ✘ falta  Empresa 1790012345001',
    '  ✘ falta  Claves de la API',
  ]);
  const planned = await command('install --store tienda');
  const link = /(https:\S+connect\S+)/.exec(planned.stdout)?.[1] ?? '';
  const form = await visit(link);
  const ticket = /name="ticket" value="([^"]*)"/.exec(form.html)?.[1] ?? '';
  const { location } = await visit(link, { ticket, store: 'tienda' });
  const approved = await visit(hrefOf((await visit(location)).html, 'Approve'));
  expect((await visit(approved.location)).title).toBe('La tienda «tienda» quedó conectada');
  expect((await command('install --store tienda')).stdout).toMatch(/Todo listo/);

  // A product of less than 50 dollars, added in wp-admin to a buyer without identification.
  const [sale] = sales;
  if (!sale) throw new Error('The demo sells nothing.');
  shop.put({ ...toWooOrder(sale, new Date()), meta_data: [] });
  shop.happened('order.created', sale.id);
  expect((await shop.visit()).map(({ status }) => status)).toEqual([200]);
  const documents = async () =>
    JSON.parse((await command('documents', '--json')).stdout) as { state: string }[];
  await eventually(async () => (await documents())[0]?.state === 'authorized', 'the factura', 30_000);
  await eventually(
    () => shop.notes(sale.id).some((note) => note.customer_note),
    'the note on the order',
    30_000,
  );
  expect((await command('documents')).stdout).toMatch(/autorizada/);
}, 120_000);
