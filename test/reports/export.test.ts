import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { wooOrders } from '../../sandbox/shops/woocommerce-orders.ts';
import { type ExportAsked, exportMonth, streamMonth } from '../../src/reports/export/export-month.ts';
import { type JobBench, type JobBenchOptions, openJobBench } from '../support/job-bench.ts';
import { byHand, settle } from './day.ts';

/** A month for the accountant, from the real ledger, sandbox and shop. */
let bench: JobBench;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'facturapuente-export-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await bench?.close();
  await rm(folder, { recursive: true, force: true });
});

const all = ['1201', '1202', '1203', '1204', '1205'];
const sold = () => wooOrders(new Date('2026-11-20T15:00:00Z'));

async function month(options: JobBenchOptions = {}) {
  bench = await openJobBench(options);
  await settle(bench, ...all);
  bench.shop.refund('1201', { amount: '10.01', reason: '=1+1' });
  await settle(bench, '1201');
}

async function exported(more: Partial<ExportAsked> = {}) {
  const out = join(folder, 'noviembre.zip');
  const asked = { month: '2026-11', out, stores: [bench.store], scope: '*', ...more };
  const reported = await exportMonth(bench.deps, asked);
  const entries = unzipSync(await readFile(out));
  const text = (name: string) => Buffer.from(entries[name] ?? []).toString('utf8');
  const table = (name: string, delimiter = ';') =>
    parse(text(name), { bom: true, columns: true, delimiter }) as Record<string, string>[];
  return { reported, names: Object.keys(entries), text, table, out };
}

const cents = (amounts: (string | undefined)[]) =>
  amounts.reduce((sum, one) => sum + Math.round(Number((one ?? '0').replace(',', '.')) * 100), 0);
const stored = (tipo: string) => bench.sandbox.documents().filter((one) => one.tipo === tipo);

describe('a place nothing can be written to', () => {
  it.each([
    ['a folder that is not there', 'no/hay/mes.zip', /no existe la carpeta \(ENOENT\)\. /],
    ['a file as its folder', 'archivo/mes.zip', /es un archivo \(ENOTDIR\)\. /],
    ['a folder itself', '.', /es una carpeta: .* \(EISDIR\)\. /],
  ])('is refused before the month is read: %s', async (_what, place, merchant) => {
    bench = await openJobBench({});
    await writeFile(join(folder, 'archivo'), '');
    const out = join(folder, place);
    await expect(exported({ out })).rejects.toMatchObject({
      code: 'export-out',
      merchant: expect.stringMatching(merchant),
    });
    expect(await readdir(folder)).toEqual(['archivo']);
  });
});

describe('a month', () => {
  it('lists what a person annulled at the portal of the SRI as such, and sums it no more', async () => {
    await month();
    const summed = async () =>
      cents((await exported()).table('resumen-iva.csv').map((row) => row['Base en facturas']));
    const before = await summed();
    const [sale] = (await bench.ledger.documents.list({ limit: 9 })).filter(
      ({ orderId }) => orderId === '1203',
    );
    await bench.ledger.documents.annulled(sale?.id ?? '', new Date('2026-11-21T12:00:00Z'));
    const rows = (await exported()).table('facturas.csv');
    expect(rows.filter(({ Estado }) => Estado === 'ANULADO').map(({ Pedido }) => Pedido)).toEqual(['#1203']);
    const own = stored('01').find(({ claveacceso }) => claveacceso === sale?.accessKey);
    expect(before - (await summed())).toBe(cents([own?.figures?.totalSinImpuestos]));
  });

  it('holds XML and PDF of every document, and tables whose figures are the authority’s to the cent', async () => {
    await month();
    const { reported, names, table, text } = await exported();
    expect(reported).toMatchObject({ facturas: 5, creditNotes: 1, missing: 0 });
    for (const { claveacceso, numero, tipo, ruc } of bench.sandbox.documents()) {
      const name = `${tipo === '01' ? 'facturas' : 'notas-de-credito'}/${ruc}_${numero}_${claveacceso}`;
      expect(names).toContain(`${name}.xml`);
      expect(names).toContain(`${name}.pdf`);
      expect(text(`${name}.pdf`).startsWith('%PDF')).toBe(true);
      expect(text(`${name}.xml`)).toContain(claveacceso);
    }
    const facturas = table('facturas.csv');
    const total = stored('01').map(({ figures }) => figures?.importeTotal);
    expect(cents(facturas.map((row) => row.Total))).toBe(cents(total));
    const summary = table('resumen-iva.csv');
    for (const [column, what] of [
      ['Base IVA 15 %', 'Base en facturas'],
      ['Valor IVA 15 %', 'Valor en facturas'],
    ] as const) {
      const row = summary.find(({ Impuesto }) => Impuesto === 'IVA 15 %');
      expect(cents(facturas.map((one) => one[column]))).toBe(cents([row?.[what]]));
    }
    const [credit] = table('notas-de-credito.csv');
    expect(credit).toMatchObject({
      Total: '10,01',
      'Documento modificado': '001-001-000000001',
      Pedido: '#1201',
    });
    expect(table('huecos.csv')).toEqual([]);
    expect(table('faltantes.csv')).toEqual([]);
    expect(text('LEEME.txt')).toContain('Contiene 5 facturas y 1 notas de crédito');
  });

  it('opens right in Excel: keys and identifications stay text, and nothing a person wrote is a formula', async () => {
    const orders = sold();
    const [first] = orders as [{ billing: Record<string, string> }];
    first.billing.first_name = '=HYPERLINK("http://malo.example";"x")';
    await month({ orders });
    const { text, table } = await exported();
    expect(text('facturas.csv').startsWith('\uFEFFRUC emisor;')).toBe(true);
    const [row] = table('facturas.csv');
    expect(row?.['Clave de acceso']).toMatch(/^="\d{49}"$/);
    expect(row?.Identificación).toBe('="1710034065"');
    expect(row?.Comprador).toMatch(/^'=HYPERLINK/);
    expect(table('notas-de-credito.csv')[0]?.Motivo).toBe("'=1+1");
    for (const name of ['facturas.csv', 'notas-de-credito.csv', 'huecos.csv', 'resumen-iva.csv'])
      for (const one of table(name))
        for (const cell of Object.values(one)) expect(cell).not.toMatch(/^(=(?!"\d+"$)|[+@\t\r]|-(?!\d))/);
  });

  it('is written for programs on demand', async () => {
    await month();
    const { text, table } = await exported({ plain: true });
    expect(text('facturas.csv').startsWith('RUC emisor,')).toBe(true);
    const row = table('facturas.csv', ',').find(({ Pedido }) => Pedido === '#1201');
    expect(row).toMatchObject({ Identificación: '1710034065', Total: '33.75' });
  });

  it('needs no service where the files were kept', async () => {
    await month({ keepBytes: 1e9 });
    await bench.sandbox.close();
    expect((await exported()).reported).toMatchObject({ facturas: 5, creditNotes: 1, missing: 0 });
  });

  it('names every file nobody could hand out', async () => {
    await month();
    await bench.sandbox.close();
    const { reported, table, text } = await exported();
    expect(reported).toMatchObject({ facturas: 0, creditNotes: 0, missing: 12 });
    expect(table('faltantes.csv')).toHaveLength(12);
    expect(text('LEEME.txt')).toContain('ATENCIÓN: faltan 12 archivos');
  });

  it('explains each number without an authorised document: of which series and days, and why', async () => {
    bench = await openJobBench({ orders: sold() });
    bench.sandbox.faults.add({ failBeforeStoring: 400 });
    await settle(bench, '1201', '1202', '1203', '1204');
    byHand(bench, `delete from documents where secuencial = '000000003'`);
    const { table, reported } = await exported();
    expect(reported.facturas).toBe(2);
    const series = {
      'RUC emisor': `="${bench.store.issuer.ruc}"`,
      Ambiente: '1',
      Tipo: 'factura',
      Hasta: '',
    };
    const days = { 'Fecha desde': '2026-11-20', 'Fecha hasta': '2026-11-20' };
    expect(table('huecos.csv')).toEqual([
      {
        ...series,
        ...days,
        Número: '001-001-000000001',
        'Qué pasó': 'Lo rechazó el servicio o el SRI; el mismo número se usa cuando se corrija.',
        Pedido: '#1201',
      },
      {
        ...series,
        ...days,
        Número: '001-001-000000003',
        'Qué pasó': expect.stringContaining('su documento ya no está en el registro'),
        Pedido: '',
      },
    ]);
  });

  it('leaves nothing of a half-written archive, and the archive to its owner alone', async () => {
    await month();
    const { out } = await exported();
    expect((await stat(out)).mode & 0o077).toBe(0);
    expect(await readdir(folder)).toEqual(['noviembre.zip']);
    await chmod(out, 0o666);
    await exported();
    expect((await stat(out)).mode & 0o077).toBe(0);
    await rm(out);
    const broken = {
      ...bench.deps,
      service: () => {
        throw new Error('broken');
      },
    };
    const asked = { month: '2026-11', out, stores: [bench.store], scope: '*' };
    await expect(exportMonth(broken, asked)).rejects.toThrow('broken');
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves nothing of a download, whether it was whole or whoever asked went away', async () => {
    await month();
    vi.stubEnv('TMPDIR', folder);
    const asked = { month: '2026-11', stores: [bench.store], scope: '*' };
    const chunks: Uint8Array[] = [];
    const whole = new Writable({ write: (chunk, _, next) => next(void chunks.push(chunk)) });
    const reported = await streamMonth(bench.deps, whole, asked);
    expect(reported).toEqual({ facturas: 5, creditNotes: 1, missing: 0 });
    expect(Object.keys(unzipSync(Buffer.concat(chunks)))).toHaveLength(18);
    const usual = Buffer.poolSize;
    const gone = new Writable({ write: (_chunk, _, next) => next(new Error('gone')) });
    await expect(streamMonth(bench.deps, gone, asked)).rejects.toThrow('gone');
    expect([await readdir(folder), Buffer.poolSize]).toEqual([[], usual]);
  });

  it('is of one issuer on demand, and of no other month', async () => {
    await month();
    expect((await exported({ ruc: '1790016919001' })).reported.facturas).toBe(0);
    expect((await exported({ month: '2026-10' })).reported.facturas).toBe(0);
    await expect(exported({ month: '2026-12' })).rejects.toMatchObject({
      code: 'input-invalid',
      params: expect.objectContaining({ why: 'month' }),
    });
    await expect(exported({ month: '2026-13' })).rejects.toMatchObject({
      code: 'input-invalid',
      params: expect.objectContaining({ why: 'month' }),
    });
  });
});
