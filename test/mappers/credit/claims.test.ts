import { expect, it } from 'vitest';
import { claimsOf } from '../../../mappers/credit/claims.ts';
import { decimal } from '../../../src/domain/money.ts';
import { bareRefund } from '../../../src/domain/order.ts';

const claimable = (source: string, gross: string) => ({
  source,
  code: 4,
  gross: decimal(gross),
  units: decimal(1),
  rounding: decimal('0.01'),
});
const left = [claimable('line:1', '10.00'), claimable('line:2', '20.00'), claimable('line:3', '500.00')];

/** What each line is asked for, where the first two came back. */
function asked(first: string, second: string): string[] {
  const parts = [
    { of: 'line:1', name: 'A', quantity: '1', net: first, tax: '0.00' },
    { of: 'line:2', name: 'B', quantity: '1', net: second, tax: '0.00' },
  ];
  const money = decimal(first).plus(second);
  const claims = claimsOf({ ...bareRefund('1', money.toFixed(2)), parts }, money, left);
  return claims.asked.map(({ gross }) => gross.toFixed(2));
}

it('cents a line cannot give go to another that came back, not to one that was kept', () => {
  expect(asked('10.03', '5.00')).toEqual(['10.01', '5.02', '0.00']);
});

it('what those that came back cannot give is spread over all that is left', () => {
  expect(asked('10.05', '20.03')).toEqual(['10.01', '20.01', '0.06']);
});

it('what bears no tax takes no cent of another line, whether it came back or was kept', () => {
  const { rounding: _none, ...book } = claimable('line:2', '20.00');
  const parts = [
    { of: 'line:1', name: 'A', quantity: '1', net: '10.03', tax: '0.00' },
    { of: 'line:2', name: 'B', quantity: '1', net: '20.00', tax: '0.00' },
  ];
  const things = [claimable('line:1', '10.00'), book, claimable('line:3', '500.00')];
  const claims = claimsOf({ ...bareRefund('1', '30.03'), parts }, decimal('30.03'), things);
  expect(claims.asked.map(({ gross }) => gross.toFixed(2))).toEqual(['10.01', '20.00', '0.02']);
});

it('goodwill is of all that is left, in its proportion, not of the line that came back', () => {
  const things = [claimable('line:1', '20.00'), claimable('line:2', '20.00'), claimable('line:3', '60.00')];
  const parts = [{ of: 'line:1', name: 'A', quantity: '1', net: '10.00', tax: '0.00' }];
  const refund = { ...bareRefund('1', '19.00'), parts, discrepancy: '9.00' };
  const claims = claimsOf(refund, decimal('19.00'), things);
  expect(claims.asked.map(({ gross }) => gross.toFixed(2))).toEqual(['11.00', '2.00', '6.00']);
});

it('what is asked far beyond a line stays under its code of IVA, with lines that came back first', () => {
  const book = (source: string, gross: string) => ({
    source,
    code: 0,
    gross: decimal(gross),
    units: decimal(1),
  });
  const things = [claimable('line:1', '100.00'), book('line:2', '20.00'), book('line:3', '60.00')];
  const of = (source: string, net: string) => ({ of: source, name: 'B', quantity: '1', net, tax: '0.00' });
  const asks = (parts: ReturnType<typeof of>[], money: string) =>
    claimsOf({ ...bareRefund('1', money), parts }, decimal(money), things).asked.map(({ gross }) =>
      gross.toFixed(2),
    );
  expect(asks([of('line:2', '50.00')], '50.00')).toEqual(['0.00', '20.00', '30.00']);
  expect(asks([of('line:2', '25.00'), of('line:3', '30.00')], '55.00')).toEqual(['0.00', '20.00', '35.00']);
  // A cent is nobody's; what bears tax takes it, so that the other book keeps its base.
  expect(asks([of('line:2', '20.01')], '20.01')).toEqual(['0.01', '20.00', '0.00']);
});
