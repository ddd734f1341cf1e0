import { describe, expect, it } from 'vitest';
import type { Buyer, IdCandidate } from '../../src/core/order.ts';
import { identifyBuyer } from '../../src/planning/identity-gate.ts';
import { line, order, store } from '../support/orders.ts';

const id = (value: string, type: IdCandidate['type'] = null): IdCandidate => ({
  value,
  type,
  source: `meta ${value}`,
});

function gate(buyer: Partial<Buyer>, price = '30.00', finalConsumer = store.policy.finalConsumer) {
  const sale = order({ lines: [line({ price })] });
  return identifyBuyer({ ...sale, buyer: { ...sale.buyer, ...buyer } }, { finalConsumer });
}

describe('the identity gate', () => {
  it('recognises a cédula by its digits, however it was typed', () => {
    expect(gate({ ids: [id(' 171003406-5 ')] })).toMatchObject({
      ok: true,
      recipient: { type: '05', id: '1710034065' },
    });
  });

  it('lets a RUC win over a cédula and names the company', () => {
    const buyer = { ids: [id('1710034065'), id('1790012345001')], company: 'Comercial Andina S.A.' };
    expect(gate(buyer)).toMatchObject({ ok: true, recipient: { type: '04', name: 'Comercial Andina S.A.' } });
  });

  it('does not refuse a company RUC that follows no algorithm', () => {
    for (const ruc of ['1793213150001', '0993366721001', '1793189906001']) {
      expect(gate({ ids: [id(ruc)], company: 'Nueva S.A.S.' })).toMatchObject({
        ok: true,
        recipient: { type: '04' },
      });
    }
  });

  it('believes a passport only where its type is stated', () => {
    expect(gate({ ids: [id('DK4471203', 'pasaporte')] })).toMatchObject({
      ok: true,
      recipient: { type: '06', id: 'DK4471203' },
    });
    expect(gate({ ids: [id('DK4471203')] })).toMatchObject({ ok: false, code: 'buyer-id-wrong' });
  });

  it('never takes the phone number for a cédula', () => {
    expect(gate({ ids: [id('0987654321')], phone: '+593 98 765 4321' })).toMatchObject({
      recipient: { type: '07' },
    });
  });

  it('holds an identification that is present but wrong, even on a small sale', () => {
    expect(gate({ ids: [id('1710034066')] })).toMatchObject({ ok: false, code: 'buyer-id-wrong' });
  });

  it('allows consumidor final up to the limit with tax, and not a cent above', () => {
    // 43.48 + 6.52 = 50.00
    expect(gate({ ids: [] }, '43.48')).toMatchObject({
      ok: true,
      recipient: { type: '07', id: '9999999999999' },
    });
    expect(gate({ ids: [] }, '43.49')).toMatchObject({ ok: false, code: 'buyer-id-missing' });
    expect(gate({ ids: [] }, '5.00', { allowed: false, limit: '50.00' })).toMatchObject({ ok: false });
  });

  it('warns that a consumidor final factura can never be credited', () => {
    expect(gate({ ids: [] })).toMatchObject({ warning: expect.stringContaining('nota de crédito') });
  });

  it('holds an identification without a name', () => {
    expect(gate({ ids: [id('1710034065')], name: null, company: null })).toMatchObject({
      code: 'buyer-name-missing',
    });
  });
});
