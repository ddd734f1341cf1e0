import type { Document } from '../../src/domain/document.ts';
import type { JobBench } from './job-bench.ts';

interface Stored {
  total: string;
  total_tax: string;
  fee_lines: object[];
}

/** Order 1201 gets 11.50 dearer by a fee, ten minutes after its shop told that it was paid: held for a person. */
export async function holdEdited(bench: JobBench): Promise<Document> {
  const { shop, ledger, clock } = bench;
  const now = () => clock.now().toISOString().slice(0, 19);
  await ledger.accept({
    ...{ connection: 'tienda', dedupeKey: 'pagado', topic: 'order.updated', job: null },
    ...{ platform: 'woocommerce', shop: shop.url, orderId: '1201', receivedAt: clock.now() },
    body: new TextEncoder().encode(JSON.stringify(shop.order('1201'))),
  });
  bench.advance(600_000);
  addFee(bench, now());
  await bench.sync('1201');
  await bench.run();
  const document = await bench.document();
  if (document.code !== 'changed-after-payment') throw new Error(`It is held for ${document.code}.`);
  return document;
}

/** USD 11.50 more, IVA included. */
export function addFee({ shop }: JobBench, modified: string): void {
  const order = shop.order('1201') as unknown as Stored;
  const fee = {
    ...{ id: 9_901, name: 'Empaque', tax_class: '', tax_status: 'taxable', total: '10.00' },
    ...{ total_tax: '1.50', taxes: [{ id: 1, total: '1.50' }], meta_data: [] },
  };
  const more = (amount: string, by: number) => (Number(amount) + by).toFixed(2);
  shop.put({
    ...order,
    fee_lines: [...order.fee_lines, fee],
    total: more(order.total, 11.5),
    total_tax: more(order.total_tax, 1.5),
    date_modified_gmt: modified,
  } as never);
}
