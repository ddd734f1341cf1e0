import { describe, expect, test } from 'vitest';
import type { LookUpOptions } from '../../src/service/shapes/company.ts';
import { apiKey, expectKind, openSandbox } from './sandbox-installation.ts';

const ruc = '1792146739001';
const cedula = '2459999997';
const ways: LookUpOptions[] = [
  { prefix: 'sri', method: 'GET' },
  { prefix: 'sri', method: 'POST' },
  { prefix: 'consulta', method: 'GET' },
  { prefix: 'consulta', method: 'POST' },
];

describe.each(ways)('$method /api/$prefix/… of a whole service', (way) => {
  test('a taxpayer and a person are found, and counted among the free ones', async () => {
    const { calls } = await openSandbox();
    expect(await calls.consultarRuc(ruc, way)).toMatchObject({
      kind: 'found',
      facts: { ruc, razonSocial: 'EMISOR DE PRUEBA S.A.', estado: 'ACTIVO', obligadoContabilidad: 'SI' },
      cache: false,
      costo: 0,
      gratisRestantes: 19,
    });
    expect(await calls.consultarCedula(cedula, way)).toMatchObject({
      kind: 'found',
      facts: { cedula, nombre: 'PEÑAFIEL ANDRADE MARÍA JOSÉ' },
      gratisRestantes: 18,
    });
  });

  test('an impossible number is refused, in the words of the service', async () => {
    const { calls } = await openSandbox();
    for (const answer of [
      await calls.consultarRuc('1792146739000', way),
      await calls.consultarCedula('9999999999', way),
    ]) {
      expect(answer).toMatchObject({ kind: 'refused', status: 400, errors: [expect.stringMatching(/./)] });
    }
  });

  test('without free queries and money there are no funds', async () => {
    const { calls } = await openSandbox({ accounts: [{ apiKey, queries: 0 }] });
    expect(await calls.consultarRuc(ruc, way)).toEqual({
      kind: 'no-funds',
      mensaje: expect.stringContaining('recárguela'),
    });
  });

  test('Errors 4: a wrong key is unauthorized', async () => {
    const { calls } = await openSandbox({}, { apiKey: 'otra' });
    expect(await calls.consultarRuc(ruc, way)).toEqual({ kind: 'unauthorized' });
  });
});

test('after the 20 free ones a query costs, and the same again within 24 hours does not', async () => {
  const { calls } = await openSandbox({ accounts: [{ apiKey, queries: 0, queriesWallet: 1 }] });
  const first = expectKind(await calls.consultarRuc(ruc), 'found');
  const again = expectKind(await calls.consultarRuc(ruc, { prefix: 'consulta', method: 'POST' }), 'found');
  expect(first).toMatchObject({ cache: false, costo: 0.01 });
  expect(again).toMatchObject({ cache: true, costo: 0, facts: first.facts });
});

test('nobody under the number is not-found, a registry that is down teaches nothing; neither is counted', async () => {
  const { calls } = await openSandbox();
  expect(await calls.consultarRuc('1790000000001')).toMatchObject({ kind: 'not-found' });
  expect(await calls.consultarCedula('1700000001')).toMatchObject({ kind: 'not-found' });
  expect(await calls.consultarRuc('1790000001001')).toMatchObject({ kind: 'unknown' });
  expect(await calls.consultarCedula('1700000019')).toMatchObject({ kind: 'unknown' });
  expect(await calls.consultarSaldo()).toMatchObject({ consultas: { gratisRestantes: 20 } });
});
