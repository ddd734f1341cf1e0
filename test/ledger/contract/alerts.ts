import { describe, expect, test } from 'vitest';
import type { OpenLedger } from '../contract.ts';
import { at, noon } from '../samples.ts';

export function alertsContract(open: OpenLedger): void {
  describe('alerts', () => {
    const credits = {
      code: 'account-credits',
      subject: 'principal/2',
      what: 'Sin créditos.',
      cure: 'Recargue.',
    };
    const rejected = { code: 'document-rejected', subject: 'd1', what: 'Rechazada.', cure: 'Corrija.' };

    test('begin once while they last, whoever raises them, and again after they ended', async () => {
      const { alerts } = await open();
      const raised = await Promise.all(Array.from({ length: 5 }, () => alerts.raise(credits, noon)));
      expect(raised.filter(Boolean)).toHaveLength(1);
      expect(await alerts.open()).toEqual([{ ...credits, since: noon.toISOString() }]);
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
      await alerts.raise({ ...rejected, code: 'document-differs' }, noon);
      await alerts.raise({ ...rejected, subject: 'd2', code: 'document-manual' }, noon);
      expect(await alerts.lasting('d1', codes)).toEqual(['document-rejected']);
      await alerts.end(rejected, at(1));
      expect(await alerts.lasting('d1', codes)).toEqual([]);
    });

    test('are forgotten without anybody being told of an end', async () => {
      const { alerts } = await open();
      await alerts.raise(credits, noon);
      await alerts.told('correo', await alerts.ofChannel('correo'), at(1));
      await alerts.forget(credits);
      expect([await alerts.open(), await alerts.ofChannel('correo')]).toEqual([[], []]);
      expect(await alerts.raise(credits, at(2))).toBe(true);
    });

    test('each channel is told by itself, and of the end only where it knew of the beginning', async () => {
      const { alerts } = await open();
      await alerts.raise(credits, noon);
      await alerts.told('correo', await alerts.ofChannel('correo'), at(1));
      await alerts.raise(rejected, at(2));
      await alerts.end(credits, at(3));
      const [knows, other] = [await alerts.ofChannel('correo'), await alerts.ofChannel('web')];
      expect(knows.map(({ code, overAt, told }) => [code, overAt, told?.times ?? 0])).toEqual([
        ['account-credits', at(3).toISOString(), 1],
        ['document-rejected', null, 0],
      ]);
      expect(other.map(({ code }) => code)).toEqual(['document-rejected']);
      await alerts.told('correo', knows, at(4));
      const after = await alerts.ofChannel('correo');
      expect(after.map(({ code, told }) => [code, told])).toEqual([
        ['document-rejected', { times: 1, at: at(4).toISOString() }],
      ]);
      await alerts.told('correo', after, at(5));
      expect((await alerts.ofChannel('correo'))[0]?.told).toEqual({ times: 2, at: at(5).toISOString() });
    });

    test('those that ended are deleted once every channel knows', async () => {
      const { alerts } = await open();
      await alerts.raise(credits, noon);
      await alerts.told('correo', await alerts.ofChannel('correo'), at(1));
      await alerts.end(credits, at(2));
      await alerts.prune(at(10));
      expect(await alerts.ofChannel('correo')).toHaveLength(1);
      await alerts.told('correo', await alerts.ofChannel('correo'), at(3));
      await alerts.prune(at(10));
      expect(await alerts.end(credits, at(11))).toBe(false);
      expect(await alerts.ofChannel('correo')).toEqual([]);
    });
  });

  describe('hearings', () => {
    test('keep the last state each listener heard of', async () => {
      const { hearings } = await open();
      expect(await hearings.last('d1', 'tienda')).toBeNull();
      await hearings.heard('d1', 'tienda', { state: 'held', version: 1 }, noon);
      await hearings.heard('d1', 'tienda', { state: 'authorized', version: 5 }, at(1));
      expect(await hearings.last('d1', 'tienda')).toEqual({ state: 'authorized', version: 5 });
      expect(await hearings.last('d1', 'otra')).toBeNull();
    });
  });
}
