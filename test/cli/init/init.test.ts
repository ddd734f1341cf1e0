import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { parseEnv } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openSettings } from '../../../src/app/settings.ts';
import { init } from '../../../src/cli/init/run.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { isPassword } from '../../../src/panel/people.ts';
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
    expect(await read('.env.example')).toMatch(/^SHOPIFY_CLIENT_SECRET=$[\s\S]*^FIRMA_PASSWORD=$/m);
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

  it('writes the secrets it is given into .env, whatever signs they carry, and into nothing else', async () => {
    const secrets = {
      apiKey: 'clave#1',
      consumerKey: 'ck_1234',
      consumerSecret: 'cs_5678',
      signaturePassword: `la "de" 'Ñandú'`,
    };
    const made = await init({ ...options, folder, given: { ...given, ...secrets, signature: 'f.p12' } });
    const own = parseEnv(await read('.env'));
    expect(own).toMatchObject({
      FACTURA_API_KEY: secrets.apiKey,
      WOO_CONSUMER_KEY: secrets.consumerKey,
      WOO_CONSUMER_SECRET: secrets.consumerSecret,
      FIRMA_PASSWORD: secrets.signaturePassword,
    });
    expect(made.lacking).toEqual([]);
    const others = `${await read('facturapuente.config.yaml')}${await read('.env.example')}`;
    for (const value of Object.values(secrets)) expect(others).not.toContain(value);
    const { connection } = (await loadConfig({ cwd: folder, env: own })).stores.tienda ?? {};
    expect(connection).toMatchObject({ consumerKey: 'ck_1234', consumerSecret: 'cs_5678' });
  });

  it('names what a kept .env lacks', async () => {
    await writeFile(join(folder, '.env'), 'FACTURA_API_KEY=una\nWOO_CONSUMER_KEY=\n');
    const own = { ...given, wooKeys: 'own', apiKey: 'otra' };
    expect((await init({ ...options, folder, given: own })).lacking).toEqual([
      'WOO_CONSUMER_KEY',
      'WOO_CONSUMER_SECRET',
      'FACTURA_WEBHOOK_SECRET',
    ]);
    expect(parseEnv(await read('.env')).FACTURA_API_KEY).toBe('una');
  });

  it('makes a password for the first user of the panel, who may configure with a second factor', async () => {
    const { panel } = await init({
      ...options,
      folder,
      given: { ...given, publicUrl: 'https://facturas.mitienda.ec/', panelUser: 'ana, la dueña' },
    });
    expect(panel).toMatchObject({ url: 'https://facturas.mitienda.ec/panel', user: 'ana, la dueña' });
    const config = await loadConfig({ cwd: folder, env });
    expect(config.panel).toMatchObject({
      secondFactor: 'required',
      users: [{ user: 'ana, la dueña', role: 'configure' }],
    });
    expect(await isPassword(panel.password ?? '', config.panel.users[0]?.passwordHash ?? '')).toBe(true);
  });

  it('asks for no code in a panel that only this machine reaches', async () => {
    const here = { ...given, publicUrl: 'http://127.0.0.1:8080', panelUser: 'ana' };
    await init({ ...options, folder, given: here });
    const keys = { WOO_CONSUMER_KEY: `ck_${'1'.repeat(40)}`, WOO_CONSUMER_SECRET: `cs_${'2'.repeat(40)}` };
    expect((await loadConfig({ cwd: folder, env: { ...env, ...keys } })).panel.secondFactor).toBe('off');
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
    const keys = { consumerKey: 'cs_1', consumerSecret: 'ck_1', clientSecret: 'corto', apiKey: `'"\` #` };
    await expect(init({ ...options, folder, given: { ...given, ...keys } })).rejects.toMatchObject({
      merchant: expect.stringMatching(
        /--api-key: [\s\S]*--consumer-key: .*ck_[\s\S]*--consumer-secret: .*cs_[\s\S]*--client-secret: .*32/,
      ),
    });
    await expect(init({ ...options, folder, given, yes: false })).rejects.toMatchObject({
      code: 'input-invalid',
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
    await wait('Usuario para entrar al panel');
    input.write('carla\r');
    await wait('Contraseña para el panel');
    input.write('corta\r');
    await wait('al menos 12 caracteres');
    input.write(' pero ya no\r');
    await wait('otra vez');
    input.write('otra\r');
    await wait('no son iguales');
    for (const words of ['Contraseña para el panel', 'otra vez']) {
      await wait(words);
      input.write('una frase de carla\r');
    }
    const { panel } = await asked;
    expect(panel).toMatchObject({ user: 'carla', password: null });
    const config = await loadConfig({ cwd: folder, env });
    expect(config.issuers['mi-empresa']).toMatchObject({ ruc: '1790012345001', obligado_contabilidad: 'NO' });
    expect(await read('.env')).toContain("FACTURA_API_KEY='clave-secreta#1'");
    // The library brings words of its own, and the screen is Spanish; the key is never shown.
    expect(text()).not.toMatch(/navigate|confirm|Yes|clave-secreta|una frase/);
    const [carla] = config.panel.users;
    expect(await isPassword('una frase de carla', carla?.passwordHash ?? '')).toBe(true);
  });

  it('is a command whose flags are the answers, and .env is read by the others', async () => {
    const flags = Object.entries(given).flatMap(([id, value]) => [
      `--${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      value,
    ]);
    const made = await runIn(folder, ['init', '--yes', ...flags]);
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /Se escribió .*\.env\.\n\n1\. .*FACTURA_API_KEY\.\n2\. .*start.*\n3\. .*install --check.*\n4\. .*install».*\n5\. .*hash-password/,
      ),
    });
    const withUser = await runIn(folder, ['init', '--yes', '--force', ...flags, '--panel-user', 'ana']);
    expect(withUser.stdout).toMatch(
      /\n5\. El panel: https:\/\/facturas\.mitienda\.ec\/panel\n {3}Usuario: ana\n {3}Contraseña.*: [0-9a-f]{24}\n/,
    );
    expect(withUser.stdout).not.toContain('hash-password');
    const { stderr } = await runIn(folder, ['documents']);
    expect(stderr).toContain('FACTURA_API_KEY no está definida');
    await writeFile(
      join(folder, '.env'),
      `FACTURA_API_KEY=clave\nFACTURA_WEBHOOK_SECRET=el-secreto-de-los-avisos-0123456789abcdef\n`,
    );
    expect((await runIn(folder, ['documents'])).stderr).toContain('Inicie facturapuente start una vez');
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
  let seen = 0;
  /** Waits for words after those of the wait before. */
  const wait = (words: string) =>
    eventually(() => {
      const at = text.indexOf(words, seen);
      if (at >= 0) seen = at + words.length;
      return at >= 0;
    }, `the terminal to show «${words}»`);
  return { input, saw, wait, text: () => text };
}

const runIn = (cwd: string, args: readonly string[]) => run(args, {}, '', cwd);
