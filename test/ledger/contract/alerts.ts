import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, noon } from '../samples.ts';

export function alertsContract(open: OpenLedger): void {
  describe('alerts', () => {
    const credits = { code: 'account-credits', subject: 'principal/2', params: {} } as const;
    const rejected = {
      code: 'document-rejected',
      subject: 'd1',
      params: {
        order: '#1',
        document: 'la factura',
        number: '001-001-000000001',
        reason: 'El SRI no la autorizó.',
      },
    } as const;

    test('begin once while they last, and again after they ended', async () => {
      const { alerts } = await open();
      const raised = await Promise.all(Array.from({ length: 5 }, () => alerts.raise(credits, noon)));
      expect(raised.filter(Boolean)).toHaveLength(1);
      const [begun] = await alerts.open();
      expect(begun).toMatchObject({
        code: credits.code,
        subject: credits.subject,
        since: noon.toISOString(),
      });
      expect(begun?.what).toMatch(/no tiene créditos/);
      expect(begun?.resolution).toMatch(/^Recargue/);
      expect(await alerts.end(credits, at(1))).toBe(true);
      expect(await alerts.end(credits, at(2))).toBe(false);
      expect(await alerts.open()).toEqual([]);
      expect(await alerts.raise(credits, at(3))).toBe(true);
      expect((await alerts.open())[0]?.since).toBe(at(3).toISOString());
    });

    test('are looked for by their subject and codes', async () => {
      const { alerts } = await open();
      const codes = ['document-rejected', 'document-manual'];
      expect(await alerts.lasting('d1', codes)).toEqual([]);
      await alerts.raise(rejected, noon);
      await alerts.raise({ ...rejected, code: 'issuer-refused' }, noon);
      await alerts.raise({ ...rejected, subject: 'd2', code: 'document-manual' }, noon);
      expect(await alerts.lasting('d1', codes)).toEqual(['document-rejected']);
      await alerts.end(rejected, at(1));
      expect(await alerts.lasting('d1', codes)).toEqual([]);
    });

    test('are deleted without a notification of their end', async () => {
      const { alerts } = await open();
      await alerts.raise(credits, noon);
      await alerts.notified('correo', await alerts.ofChannel('correo'), at(1));
      await alerts.forget(credits);
      expect([await alerts.open(), await alerts.ofChannel('correo')]).toEqual([[], []]);
      expect(await alerts.raise(credits, at(2))).toBe(true);
    });

    test('each channel is notified by itself, and of the end only after the beginning', async () => {
      const { alerts } = await open();
      await alerts.raise(credits, noon);
      await alerts.notified('correo', await alerts.ofChannel('correo'), at(1));
      await alerts.raise(rejected, at(2));
      await alerts.end(credits, at(3));
      const [knows, other] = [await alerts.ofChannel('correo'), await alerts.ofChannel('web')];
      expect(knows.map(({ code, overAt, notified }) => [code, overAt, notified?.times ?? 0])).toEqual([
        ['account-credits', at(3).toISOString(), 1],
        ['document-rejected', null, 0],
      ]);
      expect(other.map(({ code }) => code)).toEqual(['document-rejected']);
      await alerts.notified('correo', knows, at(4));
      const after = await alerts.ofChannel('correo');
      expect(after.map(({ code, notified }) => [code, notified])).toEqual([
        ['document-rejected', { times: 1, at: at(4).toISOString() }],
      ]);
      await alerts.notified('correo', after, at(5));
      expect((await alerts.ofChannel('correo'))[0]?.notified).toEqual({ times: 2, at: at(5).toISOString() });
    });

    test('those that ended are deleted once every channel knows', async () => {
      const { alerts } = await open();
      await alerts.raise(credits, noon);
      await alerts.notified('correo', await alerts.ofChannel('correo'), at(1));
      await alerts.end(credits, at(2));
      await alerts.prune(at(10));
      expect(await alerts.ofChannel('correo')).toHaveLength(1);
      await alerts.notified('correo', await alerts.ofChannel('correo'), at(3));
      await alerts.prune(at(10));
      expect(await alerts.end(credits, at(11))).toBe(false);
      expect(await alerts.ofChannel('correo')).toEqual([]);
    });
  });

  describe('cursors', () => {
    test('keep the last state each listener was notified of', async () => {
      const { listenerCursors: cursors } = await open();
      expect(await cursors.last('d1', 'tienda')).toBeUndefined();
      await cursors.move('d1', 'tienda', { state: 'held', version: 1 }, noon);
      await cursors.move('d1', 'tienda', { state: 'authorized', version: 5 }, at(1));
      expect(await cursors.last('d1', 'tienda')).toEqual({ state: 'authorized', version: 5 });
      expect(await cursors.last('d1', 'otra')).toBeUndefined();
    });
  });
}
