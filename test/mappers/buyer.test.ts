import { describe, expect, it } from 'vitest';
import { toComprador } from '../../mappers/body.ts';
import type { FacturaContext } from '../../mappers/index.ts';
import type { Buyer } from '../../src/domain/order.ts';
import { order, store } from '../support/orders.ts';

const comprador = (buyer: Partial<Buyer> = {}, name = 'Carlos Andrade Muñoz') => {
  const context: FacturaContext = {
    issuer: store.issuer,
    series: store.series,
    secuencial: null,
    today: '2026-11-20',
    policy: store.policy,
    recipient: { type: '05', id: '1710034065', name },
    reference: 'referencia',
  };
  return toComprador({ ...order().buyer, ...buyer }, context);
};

describe('the buyer block', () => {
  it('is of one line, within the service’s lengths', () => {
    const long = comprador({ address: `Calle\nLoja ${'ñ'.repeat(400)}` }, `Ana\tVega ${'x'.repeat(400)}`);
    expect([long.direccion.length, long.razon_social.length]).toEqual([300, 300]);
    expect(long.direccion).toMatch(/^Calle Loja ñ/);
    expect(long.razon_social).toMatch(/^Ana Vega x/);
  });

  it('leaves out an e-mail address or telephone that is none, instead of cutting it', () => {
    for (const correo of [null, '', 'no tengo', 'ana@', 'a@b.ec, c@d.ec', `${'a'.repeat(300)}@example.ec`])
      expect(comprador({ email: correo })).not.toHaveProperty('correo');
    for (const correo of [
      'a@b..ec',
      '.a@b.ec',
      'a.@b.ec',
      'a@b.ec.',
      'Ana<a@b.ec>',
      '"Ana"a@b.ec',
      'a@-b.ec',
    ])
      expect([correo, comprador({ email: correo })]).not.toHaveProperty('1.correo');
    for (const correo of ['ana.paz+web@correo.com.ec', "o'hara_1@b-c.ec", 'ñandú@ejemplo.ec'])
      expect(comprador({ email: correo })).toMatchObject({ correo });
    for (const telefono of [null, '-', 'no tiene'])
      expect(comprador({ phone: telefono })).not.toHaveProperty('telefono');
  });
});
