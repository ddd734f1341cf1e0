import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whoAmI } from '../../src/cli/given.ts';
import { auditLogIn } from '../support/audit-log.ts';
import { openProduct, type Product } from '../support/product.ts';
import { run } from '../support/run.ts';

describe('facturapuente install', () => {
  let product: Product;
  let file: string;
  const call = (name: string, ...more: string[]) => run([name, '--config', file, ...more]);
  beforeAll(async () => {
    product = await openProduct({ engine: 'sqlite' });
    file = product.file;
  });
  afterAll(() => product?.close());

  it('says which stores there are when it is asked for another', async () => {
    const { code, stderr } = await call('install', '--store', 'otra', '--check');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('No hay ninguna tienda «otra»; hay: tienda.'),
    ]);
  });

  it('lists what is right, what is missing and what to do, and changes nothing when it only looks', async () => {
    const { code, stdout } = await call('install', '--store', 'tienda', '--check');
    expect(code).toBe(1);
    expect(stdout).toContain('Tienda «tienda»:');
    expect(stdout).toMatch(/✔ listo {2}API de la tienda\n[\s\S]*Versión de WooCommerce \(11\.0\.1\)/);
    expect(stdout).toMatch(/✘ problema {2}Dirección pública http:.*\n {6}Nadie responde ahí: inicie/);
    expect(stdout).toMatch(/✘ falta {2}Webhook order\.created/);
    expect(stdout).toMatch(
      /A la tienda le faltan 5 cosas; «facturapuente install --store tienda» hace lo que se puede/,
    );
    expect(product.shop.webhooks()).toEqual([]);
    expect(auditLogIn(product.ledger)).toEqual([]);
  });

  it('is done by the running start, and undone by it', async () => {
    await product.start();
    const { code, stdout } = await call('install', '--store', 'tienda');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        /Por hacer en la tienda «tienda»:\n {2}✘ falta {2}Webhook order\.created\n[\s\S]*✔ hecho {2}Webhook order\.created[\s\S]*Todo listo/,
      ),
    ]);
    expect(product.shop.webhooks()).toHaveLength(4);
    const gone = await call('uninstall', '--store', 'tienda');
    expect([gone.code, gone.stdout]).toEqual([0, expect.stringContaining('La tienda quedó desinstalada.')]);
    expect(product.shop.webhooks()).toEqual([]);
    // In the audit log of the process that did it, with the user of this command.
    const auditEntry = { who: whoAmI(), subject: 'tienda' };
    expect(auditLogIn(product.ledger)).toMatchObject([
      { ...auditEntry, what: 'install-service', facts: { production: false } },
      { ...auditEntry, what: 'install', outcome: 'done', facts: { open: [] } },
      { ...auditEntry, what: 'uninstall', outcome: 'done' },
    ]);
  });

  it('finds the running start by the folder of its ledger, wherever it listens', async () => {
    const config = JSON.parse(await readFile(file, 'utf8'));
    await writeFile(file, JSON.stringify({ ...config, port: 9 }));
    const { code, stdout } = await call('install', '--store', 'tienda', '--check');
    expect([code, stdout]).toEqual([1, expect.stringContaining('Tienda «tienda»:')]);
  });
});
