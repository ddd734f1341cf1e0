import { describe, expect, test } from 'vitest';
import { wrongDay } from '../../src/jobs/prepare.ts';

const errors = ['emisor.fecha_emision: debe ser la fecha de hoy en Ecuador (2026/11/20); llegó 2026/11/19.'];
const at = (time: string) => new Date(`2026-11-20T${time}-05:00`);

describe('why the service refused today’s date', () => {
  test.each([
    ['its clock is of another day', '10:00:00', new Date('2026-11-21T15:00:00Z'), { kind: 'clock' }],
    ['the day has just begun', '00:00:20', at('00:00:20'), { kind: 'midnight', waitMs: 20_000 }],
    ['the day is about to end', '23:59:50', at('23:59:50'), { kind: 'midnight', waitMs: 10_000 }],
    ['no clock explains it', '10:00:00', at('10:00:01'), { kind: 'unexplained' }],
    ['it does not say what time it has', '10:00:00', null, { kind: 'unexplained' }],
  ] as const)('%s', (_what, time, date, why) => {
    expect(wrongDay({ errors, date }, at(time))).toEqual(why);
  });

  test('a refusal that names no date is about something else', () => {
    expect(
      wrongDay({ errors: ['comprador.identificacion: no es válida.'], date: null }, at('10:00:00')),
    ).toBeNull();
  });
});
