import { expect, test } from 'vitest';
import type { OpenAlert } from '../../../src/domain/alerts.ts';
import { alertLetter } from '../../../src/observability/notify/open.ts';

const rejected = (order: number): OpenAlert => ({
  code: 'document-rejected',
  subject: `d${order}`,
  what: `Pedido #${order}: la factura fue rechazada.`,
  resolution: 'Corrija la causa.',
  since: '2026-11-20T15:00:00.000Z',
});
const credits: OpenAlert = {
  code: 'account-credits',
  subject: 'principal/2',
  what: 'La cuenta principal no tiene créditos.',
  resolution: 'Recargue créditos.',
  since: '2026-11-20T15:00:00.000Z',
};
const none = { begun: [], still: [], ended: [] };

test('one alert is the subject of its letter, with what to do inside', () => {
  expect(alertLetter({ ...none, begun: [credits] }, 'https://conector.ec')).toEqual({
    subject: 'La cuenta principal no tiene créditos.',
    text: `LO NUEVO
- La cuenta principal no tiene créditos.
  Qué hacer: Recargue créditos.

--
facturapuente, https://conector.ec
`,
  });
});

test('many of one kind are counted, and their resolution is told once', () => {
  const begun = [...Array.from({ length: 14 }, (_, n) => rejected(n)), credits];
  const { subject, text } = alertLetter({ ...none, begun }, 'https://conector.ec');
  expect(subject).toBe('15 asuntos necesitan su atención');
  expect(text.match(/fue rechazada/g)).toHaveLength(10);
  expect(text).toContain('- y 4 más.');
  expect(text.match(/Corrija la causa/g)).toHaveLength(1);
});

test('what lasts and what is over stand apart', () => {
  const { subject, text } = alertLetter(
    { begun: [], still: [credits], ended: [rejected(1), rejected(2)] },
    'x',
  );
  expect(subject).toBe('Sigue pendiente: La cuenta principal no tiene créditos.');
  expect(text).toContain('SIGUE PENDIENTE\n- La cuenta');
  expect(text).toContain('RESUELTO\n- Pedido #1: la factura fue rechazada. (y 1 más)');
  expect(alertLetter({ ...none, ended: [credits] }, 'x').subject).toMatch(/^Resuelto: /);
});
