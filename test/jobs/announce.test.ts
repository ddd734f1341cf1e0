import { afterEach, describe, expect, test } from 'vitest';
import type { DocumentEvent, DocumentListener } from '../../src/domain/document.ts';
import { type JobBench, openJobBench } from '../support/job-bench.ts';

/** Whoever integrates hears what becomes of documents: each lasting state once, nothing of the buyer. */
let bench: JobBench;
afterEach(() => bench?.close());

function listener(id = 'erp', wants: DocumentListener['wants'] = () => true) {
  const events: DocumentEvent[] = [];
  const one = {
    id,
    events,
    broken: false,
    wants,
    async notify(event: DocumentEvent) {
      if (one.broken) throw new Error('Nobody answers.');
      events.push(event);
    },
  };
  return one;
}

async function authorise() {
  await bench.sell();
  await bench.webhook();
}

/** Every text inside a value, names of fields left out. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : [];
}

describe('a listener hears', () => {
  test('of an authorised factura once, with its number, key and links', async () => {
    const erp = listener();
    bench = await openJobBench({ listeners: [erp] });
    await authorise();
    await bench.event(String((await bench.document()).accessKey));
    await bench.read();
    const document = await bench.document();
    expect(erp.events).toHaveLength(1);
    expect(erp.events[0]).toMatchObject({
      id: `${document.id}.${document.version}`,
      type: 'factura.authorized',
      timestamp: document.authorizedAt,
      data: {
        number: '001-001-000000001',
        accessKey: document.accessKey,
        orderId: '1201',
        store: 'tienda',
        total: document.total,
        pdfUrl: bench.deps.links.pdf(document.id, 0),
        reason: null,
      },
    });
  });

  test('nothing of the buyer', async () => {
    const erp = listener();
    bench = await openJobBench({ listeners: [erp] });
    await authorise();
    const order = (await bench.ledger.orders.get(await bench.document()))?.snapshot as {
      buyer: Record<string, unknown>;
    };
    const reported = JSON.stringify(erp.events);
    const words = texts(order.buyer).filter((word) => word.length >= 5);
    expect(words.length).toBeGreaterThan(3);
    expect(words.filter((word) => reported.includes(word))).toEqual([]);
  });

  test('of what it asked for only', async () => {
    const held = listener('retenidas', (type) => type === 'factura.held');
    const all = listener('todo');
    bench = await openJobBench({ listeners: [held, all] });
    await authorise();
    expect(held.events).toEqual([]);
    expect(all.events.map(({ type }) => type)).toEqual(['factura.authorized']);
  });

  test('later what it missed, and only how it stands by then', async () => {
    const erp = listener();
    erp.broken = true;
    bench = await openJobBench({ listeners: [erp] });
    bench.sandbox.faults.add({ outcome: { codigo: 52, times: 1 } });
    await bench.sell();
    await bench.webhook();
    expect((await bench.document()).state).toBe('rejected');
    erp.broken = false;
    bench.advance(2_000);
    await bench.run();
    expect(erp.events.map(({ type }) => type)).toEqual(['factura.rejected']);
  });

  test('of a refund that was credited', async () => {
    const erp = listener();
    bench = await openJobBench({ listeners: [erp] });
    await authorise();
    bench.shop.refund('1201', { amount: '5.00' });
    await bench.sell();
    await bench.wait(5);
    expect(erp.events.map(({ type }) => type)).toEqual(['factura.authorized', 'nota-credito.authorized']);
  });
});
