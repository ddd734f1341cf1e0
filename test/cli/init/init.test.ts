import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openSettings } from '../../../src/app/settings.ts';
import { init } from '../../../src/cli/init/run.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { eventually } from '../../support/eventually.ts';
import { run } from '../../support/run.ts';

const given = {
  platform: 'woocommerce',
  shopUrl: 'https://mitienda.ec',
  ruc: '1790012345001',
  razonSocial: "Café: «Ñandú» & Hijos #1 'S.A.'",
  direccion: 'Av. Amazonas N34-451, Quito',
  obligadoContabilidad: 'SI',
  establecimiento: '002',
  first: '1042',
  serviceUrl: 'https://servicio.example.ec',
  publicUrl: 'https://facturas.mitienda.ec',
};
const env = { FACTURA_API_KEY: 'clave', FACTURA_WEBHOOK_SECRET: 'el-secreto-de-los-avisos-0123456789abcdef' };

describe('facturapuente init', () => {
  let folder: string;
  const options = { yes: true, force: false, terminal: null };
  const read = (name: string) => readFile(join(folder, name), 'utf8');
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fp-init-'));
    return () => rm(folder, { recursive: true });
  });

  it('writes a config that start takes, whatever signs the names carry, for tests only', async () => {
    await init({ ...options, folder, given });
    const settings = await openSettings(await loadConfig({ cwd: folder, env }));
    const store = settings.stores.get('tienda');
    expect(store?.issuer).toEqual({
      ambiente: 1,
      ruc: '1790012345001',
      razon_social: given.razonSocial,
      nombre_comercial: given.razonSocial,
      direccion_matriz: given.direccion,
      direccion_establecimiento: given.direccion,
      obligado_contabilidad: 'SI',
    });
    expect(store?.series).toEqual({
      establecimiento: '002',
      puntoEmision: '001',
      first: 1042,
      firstCreditNote: 1,
    });
    expect(store?.shop).toBe('https://mitienda.ec');
  });

  it('warns a negocio popular that its regime issues notas de venta', async () => {
    const person = { ...given, ruc: '1710034065001' };
    const popular = await init({ ...options, folder, given: { ...person, regimen: 'rimpe-popular' } });
    expect(popular.caveats).toEqual([expect.stringMatching(/notas de venta, no facturas/)]);
    expect((await loadConfig({ cwd: folder, env })).issuers['mi-empresa']).toMatchObject({
      regimen_rimpe_popular: true,
    });
    const other = await init({ ...options, folder, given: { ...given, regimen: 'rimpe' }, force: true });
    expect(other.caveats).toEqual([]);
    const company = { ...given, regimen: 'rimpe-popular' };
    expect((await init({ ...options, folder, given: company, force: true })).caveats).toEqual([
      expect.stringMatching(/parece de una sociedad.*solo puede ser una persona natural/),
      expect.stringMatching(/notas de venta/),
    ]);
  });

  it('writes Shopify, its regime, the signature and the logo where they are said', async () => {
    const shopify = {
      platform: 'shopify',
      shop: 'mi-tienda.myshopify.com',
      regimen: 'rimpe',
      logo: './l.png',
    };
    await init({ ...options, folder, given: { ...given, ...shopify, signature: './mi firma.p12' } });
    const all = {
      ...env,
      SHOPIFY_CLIENT_ID: 'id',
      SHOPIFY_CLIENT_SECRET: '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',
    };
    const config = await loadConfig({ cwd: folder, env: all });
    expect(config.issuers['mi-empresa']).toMatchObject({
      regimen_rimpe: true,
      signature: { file: './mi firma.p12', passwordEnv: 'FIRMA_PASSWORD' },
      logo: './l.png',
    });
    const store = (await openSettings(config)).stores.get('tienda');
    expect(store?.shop).toBe('mi-tienda.myshopify.com');
    expect(Object.keys(store?.issuer ?? {})).not.toEqual(expect.arrayContaining(['signature']));
    expect(await read('.env.example')).toMatch(/^FIRMA_PASSWORD=$[\s\S]*^SHOPIFY_CLIENT_SECRET=$/m);
  });

  it('asks for keys of one’s own where the shop cannot hand its own over: without https', async () => {
    await init({ ...options, folder, given: { ...given, publicUrl: 'http://127.0.0.1:8081' } });
    const keys = { WOO_CONSUMER_KEY: 'ck_1', WOO_CONSUMER_SECRET: 'cs_1' };
    const config = await loadConfig({ cwd: folder, env: { ...env, ...keys } });
    expect(config.stores.tienda?.connection).toMatchObject({ consumerKey: 'ck_1', consumerSecret: 'cs_1' });
    expect(config.port).toBe(8081);
    expect(await read('.env.example')).toMatch(/^WOO_CONSUMER_KEY=$/m);
  });

  it('keeps secrets in .env alone, which it makes once and for its owner', async () => {
    await init({ ...options, folder, given });
    const own = await read('.env');
    expect(own).toMatch(/^FACTURA_API_KEY=$\n.*\n^FACTURA_WEBHOOK_SECRET=[\w-]{48}$/m);
    expect((await stat(join(folder, '.env'))).mode & 0o777).toBe(0o600);
    expect(await read('.env.example')).toMatch(/^FACTURA_WEBHOOK_SECRET=$/m);
    await init({ ...options, folder, given, force: true });
    expect(await read('.env')).toBe(own);
  });

  it('writes over no config, however it is called, unless it is forced to', async () => {
    await writeFile(join(folder, 'facturapuente.config.json'), '{}');
    const again = init({ ...options, folder, given });
    await expect(again).rejects.toMatchObject({
      code: 'init-exists',
      merchant: expect.stringMatching(/--force/),
    });
    await expect(read('facturapuente.config.yaml')).rejects.toMatchObject({ code: 'ENOENT' });
    await init({ ...options, folder, given, force: true });
    expect(await read('facturapuente.config.yaml')).toContain('1042');
  });

  it('names every flag that is missing and every answer that cannot be', async () => {
    const missing = init({ ...options, folder, given: { platform: 'shopify' } });
    await expect(missing).rejects.toMatchObject({
      merchant: expect.stringMatching(/--shop \(.*\n.*--ruc .*[\s\S]*--public-url/),
    });
    const wrong = {
      ...given,
      ruc: '1710034065',
      publicUrl: 'http://mitienda.ec',
      first: '0',
      shopUrl: 'https://a.ec/$' + '{X}',
    };
    await expect(init({ ...options, folder, given: wrong })).rejects.toMatchObject({
      merchant: expect.stringMatching(
        /--shop-url: [\s\S]*--ruc: [\s\S]*--first: [\s\S]*--public-url: .*https/,
      ),
    });
    await expect(init({ ...options, folder, given, yes: false })).rejects.toMatchObject({
      code: 'init-no-terminal',
    });
  });

  it('asks in the terminal what no flag said, and again after a wrong answer', async () => {
    const { input, saw, wait, text } = screen();
    const { ruc: _ruc, obligadoContabilidad: _si, ...known } = given;
    const rest = {
      nombreComercial: 'Ñandú',
      direccionEstablecimiento: 'x',
      puntoEmision: '001',
      regimen: 'general',
    };
    const quiet = {
      firstCreditNote: '1',
      signature: '',
      logo: '',
      port: '8080',
      ambiente: '1',
      wooKeys: 'link',
    };
    const asked = init({
      ...options,
      folder,
      given: { ...known, ...rest, ...quiet },
      yes: false,
      terminal: { input, output: saw },
    });
    await wait('RUC de quien factura');
    input.write('1790012345000\r');
    await wait('establecimiento');
    input.write('\b1\r');
    await wait('obligado a llevar contabilidad');
    input.write('\u001b[B');
    input.write('\r');
    await wait('Clave de API');
    input.write('clave-secreta#1\r');
    await asked;
    const config = await loadConfig({ cwd: folder, env });
    expect(config.issuers['mi-empresa']).toMatchObject({ ruc: '1790012345001', obligado_contabilidad: 'NO' });
    expect(await read('.env')).toContain("FACTURA_API_KEY='clave-secreta#1'");
    // The library brings words of its own, and the screen is Spanish; the key is never shown.
    expect(text()).not.toMatch(/navigate|confirm|Yes|clave-secreta/);
  });

  it('is a command whose flags are the answers, and .env is read by the others', async () => {
    const flags = Object.entries(given).flatMap(([id, value]) => [
      `--${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      value,
    ]);
    const made = await runIn(folder, ['init', '--yes', ...flags]);
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Se escribió .*\.env\.[\s\S]*install --check/),
    });
    const { stderr } = await runIn(folder, ['documents']);
    expect(stderr).toContain('FACTURA_API_KEY no está definida');
    await writeFile(
      join(folder, '.env'),
      `FACTURA_API_KEY=clave\nFACTURA_WEBHOOK_SECRET=el-secreto-de-los-avisos-0123456789abcdef\n`,
    );
    expect((await runIn(folder, ['documents'])).stderr).toContain('inicie facturapuente start una vez');
  });
});

/** A terminal of the test's own. */
function screen() {
  const input = new PassThrough();
  const saw = new PassThrough();
  let text = '';
  saw.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  onTestFinished(() => void input.end());
  const wait = (words: string) => eventually(() => text.includes(words), `the terminal to show «${words}»`);
  return { input, saw, wait, text: () => text };
}

const runIn = (cwd: string, args: readonly string[]) => run(args, {}, '', cwd);
