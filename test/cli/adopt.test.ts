import { expect, it, onTestFinished } from 'vitest';
import { readTestClock } from '../../sandbox/emulator/index.ts';
import { eventually } from '../support/eventually.ts';
import { fastClock } from '../support/fast-clock.ts';
import { engines, openProduct, written } from '../support/product.ts';
import { run } from '../support/run.ts';

it.each(engines)(
  'facturapuente adopt on %s: a key no webhook told authorises the factura, which start then writes onto its order',
  { timeout: 90_000 },
  async (engine) => {
    // An hour is a second: the 85 minutes a lost webhook gets pass at once.
    const testClock = fastClock(600);
    const product = await openProduct({
      engine,
      config: { testClock },
      sandbox: { now: readTestClock(testClock), codigoNumerico: 'aleatorio' },
    });
    onTestFinished(() => product.close());
    product.sandbox.faults.add({ dropAnswer: true, dropWebhooks: { times: 100 } });
    await product.start();
    await product.deliver('1201');
    await eventually(
      () =>
        written(product, '1201').estado === 'REQUIERE ATENCIÓN' ||
        product.shop.notes('1201').some(({ note }) => note.includes('facturapuente adopt')),
      'a person to be asked',
      45_000,
    );
    const key = product.sandbox.documents().find(({ estado }) => estado === 4)?.claveacceso ?? '';
    const adopt = (...args: string[]) => run(['adopt', ...args, '--config', product.file]);

    const unknown = await adopt('001-001-000000077', key);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no tiene ningún documento')]);
    const wrong = await adopt('001-001-000000001', `${key.slice(0, 48)}x`);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('49 dígitos')]);
    const { code, stdout } = await adopt('001-001-000000001', key, '--kind', 'factura', '--store', 'tienda');
    expect([code, stdout]).toEqual([0, expect.stringContaining('queda autorizada, comprobada con su XML')]);
    await eventually(() => written(product, '1201').pdf, 'the factura on its order', 45_000);
    expect(written(product, '1201').clave_acceso).toBe(key);
  },
);
