import { describe, expect, test } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { addFee, holdEdited } from '../support/edited-order.ts';
import { wrongCedula } from '../support/nobody-named.ts';
import { openPanelBench } from './bench.ts';

/** What only a person can say of a shop's word: here that an order cost 45.25 all along, which was paid with 33.75. */
async function openEdited() {
  const panel = await openPanelBench();
  return { ...panel, document: await holdEdited(panel.bench) };
}
const button = /action="\/panel\/operacion\/accept"/;
const seen = (page: string) => ({
  document:
    /action="\/panel\/operacion\/accept"[\s\S]*?name="document" value="([^"]+)"/.exec(page)?.[1] ?? '',
  seen: /action="\/panel\/operacion\/accept"[\s\S]*?name="seen" value="(\d+)"/.exec(page)?.[1] ?? '',
});

describe('a person accepts in the panel what the shop says now', () => {
  test('by a button that names the total, beside looking again; then it is invoiced so', async () => {
    const panel = await openEdited();
    const { bench, document } = panel;
    const omar = await panel.signIn('omar');
    const today = await omar.text('/panel');
    for (const part of ['Se cobró USD 45.25: facturarlo', 'Actualizar desde la tienda'])
      expect(today).toContain(part);
    expect(seen(today).document).toBe(document.id);
    expect((await omar.post('/panel/operacion/accept', seen(today))).status).toBe(303);
    expect(await omar.text('/panel')).toContain('Queda aceptado');
    await bench.run();
    expect(bench.sandbox.documents().map(({ figures }) => figures?.importeTotal)).toEqual(['45.25']);
    const [auditEntry] = await panel.ledger.auditLog.of(document.id, 1);
    expect(auditEntry).toMatchObject({
      ...{ who: 'omar (panel)', what: 'accept', outcome: 'done' },
      facts: { code: 'changed-after-payment' },
    });
  });

  test('but not another total than the page showed', async () => {
    const panel = await openEdited();
    const { bench } = panel;
    const omar = await panel.signIn('omar');
    const shown = seen(await omar.text('/panel'));
    bench.advance(60_000);
    addFee(bench, bench.clock.now().toISOString().slice(0, 19));
    await bench.sync('1201');
    await bench.run();
    expect((await bench.document()).charged).toBe('56.75');
    await omar.post('/panel/operacion/accept', shown);
    await bench.run();
    expect(bench.sandbox.documents()).toEqual([]);
    expect(await bench.document()).toMatchObject({ state: 'held', code: 'changed-after-payment' });
  });

  test('or that an order was paid apart from the one it refers to', async () => {
    const [first] = wooOrders(new Date('2026-11-20T15:00:00Z'));
    const other = {
      ...structuredClone(first as object),
      id: 1299,
      number: '1299',
      order_key: 'wc_order_1299',
    };
    const { bench, signIn } = await openPanelBench({ orders: [first, { ...other, parent_id: 1201 }] });
    await bench.sell('1299');
    const omar = await signIn('omar');
    const today = await omar.text('/panel');
    expect(today).toContain('No es parte del otro cobro: facturarlo');
    await omar.post('/panel/operacion/accept', seen(today));
    await bench.run();
    const made = bench.sandbox.documents().map(({ figures }) => figures?.importeTotal);
    expect(made).toEqual(['33.75', '33.75']);
  });

  test('and nobody is offered it who may only read, nor for what is held for anything else', async () => {
    const panel = await openEdited();
    expect(await (await panel.signIn('rosa')).text('/panel')).not.toMatch(button);
    const held = await openPanelBench({ orders: [wrongCedula(new Date('2026-11-20T15:00:00Z'))] });
    await held.bench.sync('1201');
    await held.bench.run();
    const omar = await held.signIn('omar');
    expect(await omar.text('/panel')).not.toMatch(button);
    const { id, version } = await held.bench.document();
    for (const fields of [{ document: id }, { document: id, seen: ' ' }])
      expect((await omar.post('/panel/operacion/accept', fields)).status).toBe(422);
    await omar.post('/panel/operacion/accept', { document: id, seen: String(version) });
    expect(await omar.text('/panel')).toContain('no espera que nadie acepte');
  });
});
