import { expect, test } from 'vitest';
import { openPanelBench } from './bench.ts';

const early = '2026-11-20T05:05:00Z';
const quarter = 15 * 60_000;

/** The figure of a tile of *Hoy*. */
const figure = (page: string, label: string) =>
  Number(new RegExp(`<dt>${label}</dt><dd><strong>(\\d+)</strong>`).exec(page)?.[1]);

test.each([
  [1, /Pedido #?1201/],
  [3, /3 documentos por el mismo motivo/],
])(
  '%i documents refused for the signature need attention until they are authorised',
  async (count, heading) => {
    const { bench, signIn } = await openPanelBench({ now: early });
    const rosa = await signIn('rosa');
    const today = () => rosa.text('/panel');
    bench.sandbox.faults.add({ outcome: { codigo: 39, times: count } });
    for (const order of ['1201', '1205', '1203'].slice(0, count)) await bench.sync(order);
    await bench.run();
    await bench.decided();
    const report = async () => {
      for (const { claveacceso } of bench.sandbox.documents()) await bench.event(claveacceso ?? '');
      await bench.run();
    };
    expect(figure(await today(), 'En trámite')).toBe(count);
    await report();

    const page = await today();
    expect([figure(page, 'En trámite'), figure(page, 'Requieren atención')]).toEqual([0, count]);
    expect(page).toMatch(heading);
    expect(page).toContain('Suba la firma electrónica vigente');
    expect(page).toContain('el SRI no la autoriza');
    // The alert says the same as the document.
    expect(page.match(/<li class="card/g)).toHaveLength(1);

    bench.advance(quarter);
    await bench.run();
    await bench.decided();
    await report();
    const after = await today();
    expect([figure(after, 'En trámite'), figure(after, 'Requieren atención')]).toEqual([0, 0]);
    expect(after).not.toContain('firma electrónica');
  },
);
