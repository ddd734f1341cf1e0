import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { settle } from '../reports/day.ts';
import { openPanelBench } from './bench.ts';
import { openPanel } from './installation.ts';

/** A panel over a November with one authorised factura. */
async function openSold() {
  const panel = await openPanelBench();
  await settle(panel.bench, '1201');
  return panel;
}
const exports = async ({ ledger }: Awaited<ReturnType<typeof openSold>>) =>
  (await ledger.auditLog.list({ limit: 20 }))
    .filter(({ what }) => what === 'export')
    .map(({ who, subject, outcome, facts }) => ({ who, subject, outcome, facts }));

describe('the month for the accountant', () => {
  test('is downloaded as the archive that the command writes, and who did is written down', async () => {
    const panel = await openSold();
    const omar = await panel.signIn('omar');
    const path = `/panel/cierre/mes?mes=2026-11&tienda=${panel.bench.store.id}`;
    const led = await omar.get(path, { 'sec-fetch-site': 'cross-site' });
    expect([led.status, await exports(panel)]).toEqual([404, []]);
    const answer = await omar.get(path);
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('content-disposition'),
    ]).toEqual([
      200,
      'application/zip',
      `attachment; filename="comprobantes-2026-11-${panel.bench.store.id}.zip"`,
    ]);
    const entries = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    const [document] = panel.bench.sandbox.documents();
    const name = `facturas/${document?.ruc}_${document?.numero}_${document?.claveacceso}`;
    expect(Object.keys(entries)).toEqual([
      `${name}.pdf`,
      `${name}.xml`,
      ...[
        'facturas.csv',
        'notas-de-credito.csv',
        'resumen-iva.csv',
        'huecos.csv',
        'faltantes.csv',
        'LEEME.txt',
      ],
    ]);
    expect(Buffer.from(entries['facturas.csv'] ?? []).toString()).toContain(document?.claveacceso);
    await expect
      .poll(() => exports(panel))
      .toEqual([
        {
          who: 'omar (panel)',
          subject: '2026-11',
          outcome: 'done',
          facts: { store: panel.bench.store.id, facturas: 1, creditNotes: 0, missing: 0 },
        },
      ]);
  });

  test('is offered for the month of the day that is shown, to those who may see buyers', async () => {
    const { signIn } = await openPanel();
    const path = '/panel/cierre?dia=2026-10-31';
    const page = await (await signIn('omar')).text(path);
    expect(page).toMatch(
      /action="\/panel\/cierre\/mes"[\s\S]*type="month"[^>]* value="2026-10" max="2026-11"/,
    );
    expect(page).toMatch(/name="tienda"><option value="">Todas<\/option>[\s\S]*>quito<[\s\S]*>cuenca</);
    const looked = await (await signIn('rosa')).text(path);
    expect(looked).not.toContain('/panel/cierre/mes');
    expect(looked).toContain('lo descargan quienes operan o configuran');
  });

  test('that has not begun, of a store nobody knows or of no month is refused with a sentence', async () => {
    const panel = await openSold();
    const omar = await panel.signIn('omar');
    const answers = await Promise.all(
      ['?mes=2026-12', '?mes=2026-11&tienda=lima', ''].map((query) => omar.get(`/panel/cierre/mes${query}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 400]);
    expect(answers.map(({ headers }) => headers.get('content-disposition'))).toEqual([null, null, null]);
    const [early, strange] = await Promise.all(answers.map((answer) => answer.text()));
    expect(early).toContain('no es un mes que ya haya empezado');
    expect(strange).toContain('No hay ninguna tienda');
    expect(await exports(panel)).toEqual([]);
  });

  test('is no whole file where it breaks off, and that is written down too', async () => {
    const panel = await openSold();
    const omar = await panel.signIn('omar');
    panel.ledger.days.gaps = () => Promise.reject(new Error('The database is away.'));
    const read = omar.get('/panel/cierre/mes?mes=2026-11').then((answer) => answer.arrayBuffer());
    await expect(read).rejects.toThrow();
    await expect.poll(() => exports(panel)).toMatchObject([{ who: 'omar (panel)', outcome: 'failed' }]);
  });
});
