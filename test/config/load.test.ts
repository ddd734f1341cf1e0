import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadConfig, parseConfig } from '../../src/config/load.ts';
import { ConfigError } from '../../src/domain/errors.ts';
import { env, folderWith, plain } from './example.ts';

const name = 'facturapuente.config.yaml';
const load = async (yaml: string, more: Record<string, string> = env) =>
  loadConfig({ cwd: await folderWith({ [name]: yaml }), env: more });
const written = {
  publicUrl: 'https://facturas.ec',
  accounts: { principal: { baseUrl: 'https://servicio.example', apiKey: `${'$'}{FACTURA_API_KEY}` } },
  issuers: {},
  stores: {},
};
const refusal = async (yaml: string, more: Record<string, string> = env): Promise<ConfigError> => {
  const error = await load(yaml, more).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ConfigError)) throw new Error(`Expected a ConfigError, got ${String(error)}`);
  return error;
};

describe('the log', () => {
  test('has the level of the config, else of LOG_LEVEL, in either case; a file is relative to the config', async () => {
    const loud = { ...env, LOG_LEVEL: 'WARN' };
    expect((await load(plain)).log).toEqual({});
    expect((await load(plain, loud)).log).toEqual({ level: 'warn' });
    const config = await load(`${plain}log: { level: debug, file: logs/a.log }\n`, loud);
    expect(config.log).toEqual({ level: 'debug', file: join(config.file, '../logs/a.log') });
    expect((await load(`${plain}log: { file: /var/log/a.log }\n`, loud)).log).toEqual({
      level: 'warn',
      file: '/var/log/a.log',
    });
  });

  test('and what else is watched are off, or for this machine alone, unless configured', async () => {
    expect(await load(plain)).toMatchObject({ metrics: {}, tracing: { enabled: false, ratio: 1 } });
    const { message } = await refusal(`${plain}operator: { user: ana, passwordHash: secreta }\n`);
    expect(message).not.toContain('secreta');
    expect(message).toContain('facturapuente hash-password');
  });

  test('the panel is for named people, each once, who may only look by default', async () => {
    const passwordHash = `scrypt:15:8:3:${'a'.repeat(22)}:${'b'.repeat(43)}`;
    expect((await load(plain)).panel).toEqual({ users: [], secondFactor: 'required' });
    const { panel } = await load(
      `${plain}panel: { users: [{ user: ana, passwordHash: "${passwordHash}" }] }\n`,
    );
    expect(panel).toEqual({
      users: [{ user: 'ana', passwordHash, role: 'read' }],
      secondFactor: 'required',
    });
  });

  test.each(['14:8:4', '1:8:1', '15:1:3', '15:8:2', '15:8:1', '19:8:1', '17:8:5'])(
    'a password hash whose cost is %s is refused: guessed too fast, or more memory than there is',
    async (cost) => {
      const passwordHash = `scrypt:${cost}:${'a'.repeat(22)}:${'b'.repeat(43)}`;
      const { message } = await refusal(`${plain}operator: { user: ana, passwordHash: "${passwordHash}" }\n`);
      expect(message).toContain('operator.passwordHash: Su costo debe ser el de scrypt:15:8:3 como mínimo');
      expect(message).not.toContain('bbb');
    },
  );

  test('no proxy is trusted unless it is named, and never everybody', async () => {
    expect((await load(plain)).trustedProxies).toEqual([]);
    const written = 'trustedProxies: [127.0.0.1/32, "fd00::/8"]';
    expect((await load(`${plain}${written}\n`)).trustedProxies).toEqual(['127.0.0.1/32', 'fd00::/8']);
    for (const wrong of ['0.0.0.0/0', '128.0.0.0/1', '"::/0"', '"2000::/3"', 'loopback', '10.0.0.1'])
      expect((await refusal(`${plain}trustedProxies: [${wrong}]\n`)).message).toContain('trustedProxies.0');
  });
});

describe('reading the file', () => {
  test('a plain YAML file gets its defaults', async () => {
    const cwd = await folderWith({ [name]: plain });
    const config = await loadConfig({ cwd, env });
    expect(config).toMatchObject({
      file: join(cwd, name),
      publicUrl: 'https://facturas.mitienda.ec',
      port: 8080,
      redis: null,
      ledger: { directory: join(cwd, '.facturapuente') },
      apps: {},
      platforms: [],
    });
    expect(config.stores.tienda).toMatchObject({
      series: { establecimiento: '001', puntoEmision: '002', first: 1, firstCreditNote: 1 },
      policy: {
        freeOrders: 'nothing',
        finalConsumer: { allowed: true, limit: '50.00' },
        tax: { rules: [], byClass: {}, byRateId: {}, untaxed: null },
        payments: {},
      },
    });
  });

  test('a variable may be used inside brackets and its value cannot change the structure', async () => {
    const config = await load(plain);
    expect(config.accounts.principal?.webhookSecrets).toEqual([
      'secreto: } # nuevo del servicio 0123456789',
      'el-secreto-anterior-0123456789abcdef',
    ]);
  });

  test('a variable in a comment need not exist', async () => {
    expect((await load(`# secret: \${NOWHERE}\n${plain}`)).port).toBe(8080);
  });

  test('a port may come from a variable', async () => {
    expect((await load(`${plain}\nport: \${PORT}`, { ...env, PORT: '9000' })).port).toBe(9000);
  });

  test('JSON is read like YAML', async () => {
    const json = JSON.stringify(written);
    const cwd = await folderWith({ 'facturapuente.config.json': json });
    expect((await loadConfig({ cwd, env })).accounts.principal?.apiKey).toBe('llave');
  });

  test('TypeScript is read with its types', async () => {
    const source = `const config: object = ${JSON.stringify(written)} satisfies object;\nexport default config;\n`;
    const cwd = await folderWith({ 'facturapuente.config.ts': source });
    expect((await loadConfig({ cwd, env })).accounts.principal?.apiKey).toBe('llave');
  });

  test('an explicit path is relative to the working directory', async () => {
    const cwd = await folderWith({ 'otra.yml': plain });
    expect((await loadConfig({ cwd, path: 'otra.yml', env })).file).toBe(join(cwd, 'otra.yml'));
  });
});

describe('the environment', () => {
  test('DATABASE_URL and REDIS_URL count where the config is silent', async () => {
    const config = await load(plain, {
      ...env,
      DATABASE_URL: 'postgresql://db/uno',
      REDIS_URL: 'redis://cache:6379',
    });
    expect(config.ledger).toEqual({ url: 'postgresql://db/uno' });
    expect(config.redis).toEqual({ url: 'redis://cache:6379', prefix: '{facturapuente}' });
  });

  test('they count beside a schema or a prefix, which name no place', async () => {
    const config = await load(`${plain}\nledger: { schema: facturas }\nredis: { prefix: '{a}' }`, {
      ...env,
      DATABASE_URL: 'postgresql://db/uno',
      REDIS_URL: 'redis://cache:6379',
    });
    expect(config.ledger).toEqual({ url: 'postgresql://db/uno', schema: 'facturas' });
    expect(config.redis).toEqual({ url: 'redis://cache:6379', prefix: '{a}' });
    expect(config.overrides).toEqual([]);
  });

  test('they count where a config in TypeScript leaves the place open', async () => {
    const section = { url: undefined };
    const said = { ...env, DATABASE_URL: 'postgresql://db/uno', REDIS_URL: 'redis://cache:6379' };
    const open = { ...written, ledger: { ...section, directory: undefined }, redis: section };
    const config = parseConfig(open, { file: '/srv/facturapuente.config.ts', env: said });
    expect(config.ledger).toEqual({ url: 'postgresql://db/uno' });
    expect(config.redis?.url).toBe('redis://cache:6379');
  });

  test('a schema without them is refused: the ledger would begin anew on SQLite', async () => {
    const read = load(`${plain}\nledger: { schema: facturas }`);
    await expect(read).rejects.toThrow('ledger: schema solo existe en PostgreSQL; quítelo, o escriba url');
  });

  test('the config wins over DATABASE_URL, and is known to override it', async () => {
    const config = await load(`${plain}\nledger: { directory: datos }`, {
      ...env,
      DATABASE_URL: 'postgresql://db/uno',
    });
    expect(config.ledger).toEqual({ directory: join(config.file, '..', 'datos') });
    expect(config.overrides).toEqual(['ledger.directory']);
  });

  test('so is one that names another server than a variable does', async () => {
    const other = `${plain}\nledger: { url: postgresql://db/dos }\nredis: { url: redis://otro }`;
    const config = await load(other, {
      ...env,
      DATABASE_URL: 'postgresql://db/uno',
      REDIS_URL: 'redis://cache:6379',
    });
    expect(config.ledger).toEqual({ url: 'postgresql://db/dos' });
    expect(config.overrides).toEqual(['ledger.url', 'redis.url']);
  });

  test.each([
    [
      'names none',
      { DATABASE_URL: '', REDIS_URL: '' },
      'ledger: { directory: datos }\nredis: { url: redis://r }',
    ],
    ['names the same', { DATABASE_URL: 'postgresql://db/uno' }, `ledger: { url: '$${'{DATABASE_URL}'}' }`],
    ['alone names one', { DATABASE_URL: 'postgresql://db/uno', REDIS_URL: 'redis://r' }, ''],
  ])('nothing is overridden where the environment %s', async (_, said, sections) => {
    expect((await load(`${plain}\n${sections}`, { ...env, ...said })).overrides).toEqual([]);
  });

  test('a test clock may come from the environment', async () => {
    const clock = 'anchor=2026-11-20T00:00:00Z,offset=0,rate=60';
    expect((await load(plain, { ...env, FACTURAPUENTE_TEST_CLOCK: clock })).testClock).toBe(clock);
  });

  test('every missing or empty variable is named with its path', async () => {
    const error = await refusal(plain, { FACTURA_API_KEY: '' });
    expect(error.merchant).toContain('accounts.principal.apiKey: La variable de entorno FACTURA_API_KEY');
    expect(error.merchant).toContain(
      'accounts.principal.webhookSecrets.0: La variable de entorno FACTURA_WEBHOOK_SECRET',
    );
  });
});

describe('what is wrong is said in Spanish with its path', () => {
  test.each([
    [
      'a number where text belongs',
      plain.replace("'001'", '001'),
      'stores.tienda.series.establecimiento: Debe ser un texto: escriba el número entre comillas.',
    ],
    [
      'a RUC of a person without establishment',
      plain.replace('1790012345001', '1790012345'),
      'issuers.mi-empresa.ruc: El RUC tiene 13 dígitos',
    ],
    [
      'a missing name',
      plain.replace('    nombre_comercial: Mi Tienda\n', ''),
      'issuers.mi-empresa.nombre_comercial: Falta este dato.',
    ],
    [
      'an address over 300 characters',
      plain.replace('direccion_matriz: Quito', `direccion_matriz: ${'q'.repeat(301)}`),
      'issuers.mi-empresa.direccion_matriz: Admite hasta 300 caracteres.',
    ],
    ['an unknown name', plain.replace('puntoEmision', 'punto'), 'stores.tienda.series: No se conoce: punto.'],
    [
      'another ambiente',
      plain.replace('ambiente: 1', 'ambiente: 3'),
      'issuers.mi-empresa.ambiente: Debe ser uno de estos valores: 1, 2',
    ],
    [
      'a store name with a slash',
      plain.replace('  tienda:', '  tien/da:'),
      'stores.tien/da: Los nombres llevan minúsculas',
    ],
    [
      'a day that does not exist',
      `${plain}    invoiceFrom: 2026-02-31\n`,
      'stores.tienda.invoiceFrom: Es un día',
    ],
    [
      'an instant without a zone',
      `${plain}    invoiceFrom: 2026-02-01T08:00:00\n`,
      'stores.tienda.invoiceFrom: Es un día',
    ],
    [
      'an amount as a number',
      `${plain}    policy: { finalConsumer: { limit: 50 } }\n`,
      'stores.tienda.policy.finalConsumer.limit: Debe ser un texto',
    ],
    [
      'a tax code that is none',
      `${plain}    policy: { tax: { byClass: { exento: 9 } } }\n`,
      'stores.tienda.policy.tax.byClass.exento: Debe ser uno de estos valores',
    ],
    [
      'a payment code that is none',
      `${plain}    policy: { payments: { payphone: '99' } }\n`,
      'stores.tienda.policy.payments.payphone: Debe ser uno de estos valores',
    ],
    [
      'both ledgers',
      `${plain}\nledger: { directory: a, url: 'postgresql://db/uno' }`,
      'ledger: Escriba directory (SQLite) o url (PostgreSQL), no ambos.',
    ],
    ['a short secret', `${plain}\nsecret: corto`, 'secret: El secreto debe tener al menos 32 caracteres'],
    [
      'both RIMPE regimes',
      plain.replace('    account', '    regimen_rimpe: true\n    regimen_rimpe_popular: true\n    account'),
      'issuers.mi-empresa.regimen_rimpe_popular: Solo un régimen RIMPE',
    ],
    [
      'a withholding agent without resolution',
      plain.replace('    account', '    agente_retencion: true\n    account'),
      'issuers.mi-empresa.numero_resolucion: Un agente de retención',
    ],
    ['an unreadable test clock', `${plain}\ntestClock: mañana`, 'testClock: Escriba anchor='],
    [
      'a public address without scheme',
      plain.replace('https://facturas.mitienda.ec/', 'facturas.mitienda.ec'),
      'publicUrl: Debe ser una dirección completa',
    ],
  ])('%s', async (_what, yaml, expected) => {
    expect((await refusal(yaml)).merchant).toContain(expected);
  });

  test('broken YAML names line and column and quotes nothing of the file', async () => {
    const error = await refusal('secret: "muy-secreto\naccounts: [');
    expect(error.merchant).toMatch(/tiene un error de escritura en la línea \d+, columna \d+/);
    expect(`${error.merchant} ${error.message}`).not.toContain('muy-secreto');
  });

  test('a broken file in TypeScript quotes nothing of itself, not in the stack of its cause either', async () => {
    const name = 'facturapuente.config.ts';
    const cwd = await folderWith({ [name]: "export default { secret: 'muy-secreto' otra };\n" });
    const error = await loadConfig({ cwd, path: name, env }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'config-invalid', params: { why: 'unreadable' } });
    expect(inspect(error, { depth: 9 })).not.toContain('muy-secreto');
  });

  test('a value never appears in the message', async () => {
    const error = await refusal(`${plain}\nsecret: clave-muy-corta`);
    expect(`${error.merchant} ${error.message}`).not.toContain('clave-muy-corta');
  });

  test('no file at all says what to create', async () => {
    const cwd = await folderWith({});
    await expect(loadConfig({ cwd, env })).rejects.toMatchObject({ code: 'config-missing' });
    await expect(load('# vacía\n')).rejects.toMatchObject({ code: 'config-missing' });
    await expect(loadConfig({ cwd, path: 'nada.yaml', env })).rejects.toMatchObject({
      code: 'config-invalid',
    });
  });

  test('a file of another ending is not read', async () => {
    const cwd = await folderWith({ 'otra.txt': plain });
    await expect(loadConfig({ cwd, path: 'otra.txt', env })).rejects.toMatchObject({
      code: 'config-invalid',
    });
  });
});
